"""The preview of a project, for a report whose readers turn it."""

from collections.abc import Callable
from importlib.resources import files

from playproof.interfaces import Exhibit, Live, Services
from playproof.model import Evidence, Options
from playproof_blender.preview import PREVIEW

WORDS = ("The scene, to be turned: drag or arrow keys; wheel, pinch or + and − come closer, 0 goes back. Shapes, base colours and pictures "
         "under a light of the page's own: procedural textures, lights and effects are in the views alone.")


class PreviewExhibitor:
    """Implements `Exhibitor` for `blender.preview/1`. A judge is told that it is there, and sees the views."""

    def __init__(self, options: Options, services: Services) -> None:
        """Takes no options."""

    def show(self, evidence: Evidence, read: Callable[[str], bytes]) -> Exhibit:
        """Raises ValueError on what is no binary glTF."""
        content = read(evidence.blob) if evidence.blob else b""
        if not content.startswith(b"glTF"):
            raise ValueError("a preview that is no binary glTF")
        script = files("playproof_blender.exhibits").joinpath("turning.js").read_text("utf-8")
        return Exhibit("", text="a preview for people to turn; the views show the same", live=Live(PREVIEW, script, content, WORDS))
