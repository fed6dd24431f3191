"""
Whose fault it is, by type.

* PlayproofError
  x UsageError             the caller's: a wrong flag, path or name                        exit 2
    + TaskError            the task author's: a key, a driver, a check                      exit 2
      + DriverNotFound     no driver of that name is installed
  x PluginError            the plugin author's: a driver that breaks its contract          exit 2
    + InterfaceMismatch    offered for another version of an interface
    + NameClash            two distributions claim one name
    + ActorError           an actor that took time it does not own
  x InfrastructureError    nobody's: a full disk, a sandbox that will not start            void
  x ModelError             a model that did not answer                                     void
    + ModelUnavailable     its endpoint stays down, overloaded or silent: try again later
    + RequestRejected      what it will never take, because of what is in it
      - NotAllowed         whatever is in it: a wrong key, an unknown model
      - TooLarge           too many bytes of pictures or text: ask with less
    + NotRecorded          a cassette has no such request
    + BudgetReached        the next request could cost more than is left; resumable        exit 4
    + NoModel              none of that name was given                                     NO_MODEL
    + PlayerStopped        one that plays refuses, or is stuck: whose fault, a control tells   JUDGE_REFUSED_ON_SUBMISSION
  x SessionError           a session that broke under a check: whose fault, a control tells
    + SessionLost          its process died                                                 CRASH
    + SessionHung          it does not answer                                               HANG
  x Interrupted            the user's: resumable                                           exit 130

What a submission does wrong is never an error of ours: the three signals below leave a check and become verdicts.

* CheckSignal
  x SubmissionFault        a missing key, a wrong type, a failed call, with its path       fail
  x ExpectationFailed      seen and wanted differ                                          fail
  x NotApplicable          an optional feature that is not there                           not_applicable
"""

from collections.abc import Sequence


class PlayproofError(Exception):
    """The root of what Playproof raises on purpose; its text is written for the person who can mend it."""


class UsageError(PlayproofError):
    pass


class TaskError(UsageError):
    pass


class DriverNotFound(TaskError):
    def __init__(self, interface: str, name: str, known: Sequence[str], remedy: str = "") -> None:
        message = f"no {interface} named {name!r}; installed: {', '.join(known) or 'none'}"
        super().__init__(f"{message}; {remedy}" if remedy else message)


class PluginError(PlayproofError):
    pass


class InterfaceMismatch(PluginError):
    def __init__(self, driver: str, offered: str, wanted: str) -> None:
        super().__init__(f"{driver!r} is offered as {offered}, but this core speaks {wanted}")


class NameClash(PluginError):
    def __init__(self, interface: str, name: str, claimants: Sequence[str]) -> None:
        super().__init__(f"{interface} {name!r} is claimed by {' and '.join(claimants)}; uninstall one of them")


class ActorError(PluginError):
    pass


class InfrastructureError(PlayproofError):
    pass


class ModelError(PlayproofError):
    pass


class ModelUnavailable(ModelError):
    pass


class RequestRejected(ModelError):
    pass


class NotAllowed(RequestRejected):
    pass


class TooLarge(RequestRejected):
    pass


class NotRecorded(ModelError):
    pass


class BudgetReached(ModelError):
    pass


class NoModel(ModelError):
    pass


class PlayerStopped(ModelError):
    pass


class SessionError(PlayproofError):
    pass


class SessionLost(SessionError):
    pass


class SessionHung(SessionError):
    pass


class Interrupted(PlayproofError):
    pass


class CheckSignal(Exception):
    """What a check has found out about a submission; caught by the examiner, never by a check."""


class SubmissionFault(CheckSignal):
    """The submission gave something that cannot be used: `path` says where, `wanted` what was needed."""

    def __init__(self, path: str, problem: str, cites: Sequence[str] = ()) -> None:
        super().__init__(f"{path}: {problem}")
        self.path, self.problem, self.cites = path, problem, tuple(cites)


class ExpectationFailed(CheckSignal):
    def __init__(self, message: str, seen: object, wanted: object, cites: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.seen, self.wanted, self.cites = seen, wanted, tuple(cites)


class NotApplicable(CheckSignal):
    """`cites` is what shows it: scoring accepts it only when it was seen from outside."""

    def __init__(self, message: str, cites: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.cites = tuple(cites)
