"""For plugin and task authors: what our own tests run, too.

    check_runtime, check_examiner, check_harness   one call that says in a sentence what a driver does wrong (ContractBroken)
    check_task                                     the same for a task's folder; returns what is merely worth a look
    fake_grading, fake_task, fake_submission       a Grading as a worker builds it, without a run
    FakeClock, FakeSession, FakeRuntime            the simplest session there is
"""

from playproof.testing.contracts import ContractBroken, check_examiner, check_harness, check_runtime
from playproof.testing.fakes import FakeClock, FakeRuntime, FakeSession, fake_grading, fake_submission, fake_task
from playproof.testing.tasks import check_task, shared_text

__all__ = [
    "ContractBroken", "FakeClock", "FakeRuntime", "FakeSession", "check_examiner", "check_harness", "check_runtime", "check_task",
    "fake_grading", "fake_submission", "fake_task", "shared_text",
]
