"""A submission that is the source of a package, an SDK: bundled anew, and used by pages that are held out.

What stands in the submission is built and played, whatever its own tests say of it; its pages, its configuration and its scripts are
not looked at.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen, validators

from playproof.drivers import build
from playproof.errors import InfrastructureError, SubmissionFault, TaskError
from playproof.interfaces import Box, Grading, Limits, Services
from playproof.model import Ref
from playproof.packages import lay_in
from playproof.submission import delivered, walk
from playproof.workspace import overlay

TOOLS = Path(__file__).parent / "packages" / "sdk" / "package-lock.json"
"""The set of packages that has esbuild."""

FOLDER = "sdk"
"""Where a site has the bundles: below this folder, at their paths in the package."""

BUILD_S = 120.0
WORDS = 4000

RAW = '{"compilerOptions":{"target":"es2022","experimentalDecorators":true,"useDefineForClassFields":false}}'
"""In place of every tsconfig.json: a submission does not say how it is compiled."""


@frozen
class Sdk:
    """Options: `bundles` says which files of the pinned `package` (of one of the runtime's sets of packages) are built, each from
    which file of the submission; `pages` is a folder of checks/ that is served in the submission's place, and whose import maps name
    the bundles as files of the package."""

    package: str
    bundles: Mapping[str, str] = field(validator=validators.min_len(1))
    pages: str

    @property
    def instead(self) -> Mapping[tuple[str, str], str]:
        """File of a package -> the address of the bundle that stands for it."""
        return {(self.package, file): f"/{FOLDER}/{file}" for file in self.bundles}

    def missing(self, submission: Path) -> str | None:
        """What a bundle would begin with and is not there."""
        entries = [submission / entry for entry in self.bundles.values()]
        return next((f"there is no {one.relative_to(submission)}" for one in entries if one.is_symlink() or not one.is_file()), None)

    def site(self, grading: Grading, services: Services, into: Path) -> None:
        """Make the folder to serve: the pages and the bundles. Raises SubmissionFault for a source that cannot be bundled."""
        pages = grading.held_out / self.pages
        if not pages.is_dir():
            raise TaskError(f"options of 'xr.webxr': there is no folder {pages} @ $.sdk.pages")
        shutil.copytree(pages, into)
        source = into.with_name(f"{into.name}-source")
        skip = [one.path for one in walk(grading.submission.root) if not delivered(grading.task.deliver, one)]
        overlay(grading.submission.root, source, skip)
        for file, entry in self.bundles.items():
            built = into.with_name(f"{into.name}-built")
            built.mkdir()
            _bundle(source, entry, built, lay_in(TOOLS, services.cache) / "node_modules", services)
            place = into / FOLDER / file
            place.parent.mkdir(parents=True, exist_ok=True)
            (built / "bundle.js").rename(place)
            shutil.rmtree(built)
        shutil.rmtree(source)


def _bundle(source: Path, entry: str, into: Path, tools: Path, services: Services) -> None:
    """In a sandbox, since what is read is hostile; what it names beside its own files stays a bare name for the import map."""
    sandbox = build("sandbox", Ref("bubblewrap"), services)
    words = bytearray()
    argv = ["node", "/tools/node_modules/esbuild/bin/esbuild", entry, "--bundle", "--format=esm", "--packages=external",
            f"--tsconfig-raw={RAW}", "--log-level=error", "--color=false", "--outfile=/bundle/bundle.js"]
    with sandbox.open(Box(source, {"/tools/node_modules": tools}, {"/bundle": into}, Limits(wall_s=BUILD_S))) as shell:
        exit = shell.run(argv, output=lambda _, chunk: words.extend(chunk[: max(0, WORDS - len(words))]))
    place = into / "bundle.js"
    if exit.code == 0 and place.is_file() and not place.is_symlink():
        place.chmod(0o644)
        return
    said = words.decode("utf-8", "replace").strip()
    if exit.ended == "exited" and exit.code == 127:
        raise InfrastructureError(f"a bundle needs node: {said}")
    raise SubmissionFault("bundle", f"the source cannot be bundled: {said or f'the bundler {exit.ended}, code {exit.code}'}")
