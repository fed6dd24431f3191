"""For plugin and task authors: what our own tests run, too.

    check_runtime, check_examiner, check_harness   one call that says in a sentence what a driver does wrong (ContractBroken)
    check_judge                                    the same for a judge; FakeBench gives it models that are functions
    check_model                                    the same for a model; it is asked up to four times
    check_mutator                                  the same for a mutator, with a submission that it can change
    check_task                                     the same for a task's folder; returns what is merely worth a look
    fake_grading, fake_task, fake_submission       a Grading as a worker builds it, without a run
    FakeClock, FakeSession, FakeRuntime            the simplest session there is
"""

from playproof.testing.contracts import ContractBroken, check_examiner, check_harness, check_runtime
from playproof.testing.fakes import FakeClock, FakeRuntime, FakeSession, fake_grading, fake_submission, fake_task
from playproof.testing.judges import FakeBench, check_judge, fake_exhibits, fake_question
from playproof.testing.models import check_model
from playproof.testing.mutators import check_mutator
from playproof.testing.tasks import check_task, shared_text

__all__ = [
    "ContractBroken", "FakeBench", "FakeClock", "FakeRuntime", "FakeSession", "check_examiner", "check_harness", "check_judge",
    "check_model", "check_mutator", "check_runtime", "check_task", "fake_exhibits", "fake_grading", "fake_question", "fake_submission",
    "fake_task", "shared_text",
]
