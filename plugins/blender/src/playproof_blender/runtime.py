"""The runtime `blender.project`: a delivered .blend, opened in a box for each thing that is asked of it, never run and never saved."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen, validators

from playproof.canonical import canonical
from playproof.drivers import settings
from playproof.errors import InfrastructureError, SubmissionFault, TaskError
from playproof.interfaces import Clock, Grading, Services
from playproof.model import Case, Check, Observer, Options, Problem, Reason, case
from playproof_blender import views
from playproof_blender.backend import Blender, NoBlender, find
from playproof_blender.building import build
from playproof_blender.delivery import MOST_BYTES, incomplete
from playproof_blender.delivery import find as delivered
from playproof_blender.expected import KINDS as HELD_KINDS
from playproof_blender.expected import STARTER, STARTER_SHAPES, Expected
from playproof_blender.session import KINDS, ProjectSession
from playproof_blender.stages import Staged, Stages


@frozen
class Settings:
    """Options of the runtime in task.toml. `project`: the file that is to be delivered, a path or a glob in the workspace. Wall seconds for
    one stage: `open_s` to open and read it, `render_s` for all pictures. `memory` in bytes, for one Blender. `complete`: libraries, and
    pictures that something uses, have to be delivered, too."""

    project: str = "*.blend"
    open_s: float = field(default=120.0, validator=validators.gt(0))
    render_s: float = field(default=900.0, validator=validators.gt(0))
    memory: int = field(default=6 << 30, validator=validators.gt(1 << 28))
    most_bytes: int = field(default=MOST_BYTES, validator=validators.gt(0))
    complete: bool = True


@frozen
class CheckOptions:
    """What a check may say: nothing yet."""


class ProjectRuntime:
    """Asks each stage of a submission once, and keeps what it sealed for the checks that follow."""

    session = ProjectSession
    observes = frozenset({*KINDS, *views.KINDS, *HELD_KINDS})
    from_starter = frozenset({STARTER, STARTER_SHAPES})
    grading_version = 1

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(Settings, options, "blender.project")
        self._services = services
        self._kept: dict[tuple[str, str, bytes], Staged] = {}
        self._looked: dict[tuple[str, str, bytes], Sequence[views.Taken]] = {}
        self._stages: dict[str, Stages] = {}

    @property
    def engine(self) -> str:
        """Every release series draws and reads in its own way, so both numbers are the major version."""
        version = self.blender.version
        return f"blender {version.major}-{version.minor}" + ("" if self.blender.is_tested else " (untested)")

    @cached_property
    def blender(self) -> Blender:
        try:
            return find(self._services.cache, os.environ)
        except NoBlender as fault:
            raise InfrastructureError(f"{fault}; `playproof doctor blender` says what to do") from None

    def cases(self, check: Check) -> Sequence[Case]:
        if check.examiner == "rubric":
            return [Case()]
        settings(CheckOptions, check.options, f"check {check.id}")
        return [case(**check.options)]

    def preflight(self, grading: Grading) -> Sequence[Problem]:
        """There is one project, of a Blender that is not newer than ours, it opens, and what it draws is there."""
        found = delivered(grading.submission.root, self._settings.project, self.blender, self._settings.most_bytes)
        if found.project is None:
            return found.problems
        staged = self.staged(grading, "inspect_project", {}, self._settings.open_s)
        if refused := staged.get("refused"):
            return [Problem(Reason.LOAD_FAIL, f"{found.project}: {refused.value['why']}")]
        opened = {**staged.named("opened").value, "tested": self.blender.is_tested}
        entry = grading.record.add("blender.opened/1", Observer.OUTSIDE, tick=0, source=found.project, value=opened)
        problems = incomplete(found.project, opened) if self._settings.complete else ()
        return [evolve(one, cites=[entry.id]) for one in problems]

    @contextmanager
    def open(self, grading: Grading, case: Case, clock: Clock) -> Iterator[ProjectSession]:
        """Raises TaskError where the task's options of what is observed are wrong."""
        wished = grading.task.observe.get(views.PICTURE, {})
        views.wishes_of(wished)
        yield ProjectSession(
            lambda stage, options: self.staged(grading, stage, options, self._settings.open_s), clock, grading.record,
            lambda kind, options: self.looked(grading, kind, options), wished, Expected(grading.held_out, lambda: self.begun(grading)),
            grading.bench, (grading.task.root / "brief" / "instruction.md").read_text("utf-8", errors="replace"),
        )  # fmt: skip

    def build(self, script: Path, workspace: Path) -> None:
        """Implements `Builds`: the script makes the project, or changes the one that is there."""
        with tempfile.TemporaryDirectory(prefix="playproof-") as scratch:
            build(Stages(self.blender, self._services, Path(scratch)), script.resolve(), workspace, self._settings.project, Path(scratch))

    def staged(self, grading: Grading, stage: str, options: Mapping[str, Any], wall_s: float) -> Staged:
        """What a stage sealed on this submission. One that is not whole is not kept: the next who asks tries again."""
        key = (grading.submission.digest, stage, canonical(dict(options)))
        if key not in self._kept:
            root = grading.submission.root
            found = delivered(root, self._settings.project, self.blender, self._settings.most_bytes)
            if found.project is None:
                raise SubmissionFault(self._settings.project, found.problems[0].message)
            done = self._on(grading).run(stage, root, found.project, options, wall_s)
            if not done.whole:
                return done
            self._kept[key] = done
        return self._kept[key]

    def begun(self, grading: Grading) -> Staged | str:
        """What the project that the agent was given holds, read once for the task; or why there is none. A starter that breaks Blender is
        the task's fault: TaskError."""
        root = grading.task.root / "starter"
        found = delivered(root, self._settings.project, self.blender, self._settings.most_bytes)
        if found.project is None:
            return found.problems[0].message
        key = (str(root), "inspect_project", b"starter")
        if key not in self._kept:
            done = self._on(grading).run("inspect_project", root, found.project, {}, self._settings.open_s)
            if not done.whole:
                raise TaskError(f"starter/{found.project}: {done.fault()}")
            self._kept[key] = done
        return self._kept[key]

    def looked(self, grading: Grading, kind: str, options: Options) -> Sequence[views.Taken]:
        """Views and pictures, or a film, once for a submission and options; also where some are missing: they were tried again already."""
        take = views.take_film if views.is_film_alone(kind, options) else views.take
        key = (grading.submission.digest, take.__name__, canonical(dict(options)))
        if key not in self._looked:
            wishes = views.wishes_of(options)
            self._looked[key] = take(partial(self.staged, grading), wishes, self._settings.open_s, self._settings.render_s)
        return self._looked[key]

    def _on(self, grading: Grading) -> Stages:
        where = str(grading.scratch)
        if where not in self._stages:
            limits = evolve(grading.limits, memory=self._settings.memory)
            self._stages[where] = Stages(self.blender, self._services, grading.scratch / "blender", [grading.held_out], limits)
        return self._stages[where]
