"""The tools by name: what each takes, the category that it counts for, and what it answers. No protocol is known here."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from playproof.canonical import structure
from playproof.errors import PlayproofError
from playproof.interfaces import Query, Services
from playproof.model import Evidence, Observer
from playproof_blender import scene
from playproof_blender.exhibits.digest import digest
from playproof_blender.exhibits.scene import SceneExhibitor
from playproof_blender.tools.calls import UNKNOWN, Account, Failed
from playproof_blender.tools.library import Library
from playproof_blender.tools.looking import Look, look
from playproof_blender.tools.media import Media
from playproof_blender.tools.retrieval import Retrieval
from playproof_blender.tools.tool import POINT, PROJECT, Answer, Tool, bounded, table
from playproof_blender.tools.workshop import Done, Workshop

RENDERS = "renders"
FORMATS = (".glb", ".gltf", ".fbx", ".obj", ".stl", ".ply", ".usd", ".usda", ".usdc", ".usdz", ".abc")


@frozen
class Script:
    code: str
    project: str | None = None


@frozen
class Of:
    project: str | None = None


@frozen
class Import:
    path: str
    project: str | None = None
    objects: tuple[str, ...] = ()


@frozen
class Export(Import):
    pass


class Tools:
    """Every call is entered in the account, whatever comes of it. Without a library nothing is said of assets."""

    def __init__(self, workshop: Workshop, account: Account, library: Library | None = None) -> None:
        self._workshop, self._account = workshop, account
        offered = [*self._offered(), *Media(workshop).offered(), *(Retrieval(workshop, library).offered() if library else ())]
        self.tools: Mapping[str, Tool] = {one.name: one for one in offered}

    def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """Raises Failed with why, for the agent to read; InfrastructureError where it is not the agent's fault."""
        tool = self.tools.get(name)
        with self._account.call(name, tool.category if tool else UNKNOWN):
            if tool is None:
                raise Failed(f"there is no tool {name!r}; there are {', '.join(self.tools)}")
            try:
                return tool.answer(arguments)
            except (ValueError, OSError) as fault:
                raise Failed(f"{name}: {fault}") from None
            except PlayproofError as fault:
                raise Failed(f"{name}, by no fault of yours: {fault}") from fault

    def _offered(self) -> Iterator[Tool]:
        yield Tool("execute_script", "execution",
                   "Run Python code with bpy in the project (an empty scene if there is none yet) and save it. The working folder is the "
                   "workspace. What is printed comes back, and the traceback where it fails: then the project is as it was before.",
                   table(["code"], code={"type": "string", "description": "Python, with bpy imported"}, project=PROJECT),
                   self._execute)  # fmt: skip
        yield Tool("scene_summary", "inspection",
                   "The scene in a page of words: objects with places and sizes (metres, z up), materials, cameras, lights, faults.",
                   table(project=PROJECT), self._summary)  # fmt: skip
        queries = _queries({})
        yield Tool("query_scene", "inspection", "Ask the scene one thing. " + " ".join(f"{one.name}: {one.description}" for one in queries),
                   table(["query"], query={"enum": [one.name for one in queries]}, project=PROJECT,
                           **{key: told for one in queries for key, told in one.schema["properties"].items()}), self._query)  # fmt: skip
        yield Tool("render_view", "render",
                   "See the project: through a camera, or from position to target, or, with neither, from all sides on one sheet. "
                   "Workbench shows shapes and base colours in seconds, cycles materials and lights in minutes. Kept in renders/, too.",
                   table(camera={"type": "string", "description": "a camera's name, or 'active'"}, position=POINT, target=POINT,
                           angle_deg=bounded("number", 5, 120), views=bounded("integer", 1, 16),
                           engine={"enum": ["workbench", "cycles"]}, size=bounded("integer", 16, 2048),
                           samples=bounded("integer", 1, 1024), project=PROJECT), self._render)  # fmt: skip
        wished = {"type": "array", "items": {"type": "string"}, "description": "names of objects, * and ? as in file names; left out: all"}
        yield Tool("import_file", "exchange",
                   f"Bring a file of the workspace into the project ({', '.join(FORMATS)}; of a .blend its objects) and save it.",
                   table(["path"], path={"type": "string"}, objects={**wished, "description": "of a .blend: which; left out: all"},
                           project=PROJECT), self._import)  # fmt: skip
        yield Tool("export_file", "exchange",
                   f"Write the project, or some objects of it, to a file of the workspace: {', '.join(FORMATS)}.",
                   table(["path"], path={"type": "string"}, objects=wished, project=PROJECT), self._export)  # fmt: skip

    def _execute(self, arguments: Mapping[str, Any]) -> Answer:
        asked = structure(dict(arguments), Script)
        done = self._workshop.script(asked.code, project=asked.project)
        return Answer(printed(done))

    def _summary(self, arguments: Mapping[str, Any]) -> Answer:
        return Answer(digest(self._workshop.scene(structure(dict(arguments), Of).project)))

    def _query(self, arguments: Mapping[str, Any]) -> Answer:
        rest = dict(arguments)
        name, project = rest.pop("query", None), structure({"project": rest.pop("project", None)}, Of).project
        queries = {one.name: one for one in _queries(self._workshop.scene(project))}
        if name not in queries:
            raise ValueError(f"query is one of {', '.join(queries)}, not {name!r}")
        query = queries[name]
        if strange := sorted(rest.keys() - query.schema["properties"].keys()):
            raise ValueError(f"{name} takes no {', '.join(strange)}; it takes {', '.join(query.schema['properties'])}")
        return Answer(json.dumps(query.answer(rest), ensure_ascii=False))

    def _render(self, arguments: Mapping[str, Any]) -> Answer:
        seen = look(self._workshop, structure(dict(arguments), Look), self._workshop.root / RENDERS)
        return Answer(seen.text, [seen.picture])

    def _import(self, arguments: Mapping[str, Any]) -> Answer:
        asked = structure(dict(arguments), Import)
        place = self._workshop.within(asked.path)
        is_project = place.suffix.lower() == ".blend"
        if not is_project:
            _known(place)
        if not place.is_file():
            raise Failed(f"there is no file {asked.path!r} in the workspace")
        if asked.objects and not is_project:
            raise Failed("only of a .blend can some objects be taken; of other formats all come")
        done = self._workshop.exchange("append" if is_project else "import", place, [*asked.objects] or None, asked.project)
        return Answer(f"Brought in {_named(done.told)}\n{done.saved}")

    def _export(self, arguments: Mapping[str, Any]) -> Answer:
        asked = structure(dict(arguments), Export)
        place = self._workshop.within(asked.path)
        _known(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        done = self._workshop.exchange("export", place, [*asked.objects] or None, asked.project)
        return Answer(f"Wrote {asked.path}: {done.told['bytes']:,} bytes, of {done.told['objects_in_all']} objects")


def _queries(value: Mapping[str, Any]) -> Sequence[Query]:
    """What a judge may ask of a scene, an agent may, too."""
    return SceneExhibitor({}, Services(Path())).queries(Evidence("", 0, 0, scene.KIND, Observer.OUTSIDE, "", value=value), lambda _: b"")


def _known(place: Path) -> None:
    if place.suffix.lower() not in FORMATS:
        raise Failed(f"{place.name}: of the formats there are {', '.join(FORMATS)}")


def _named(told: Mapping[str, Any]) -> str:
    more = told["objects_in_all"] - len(told["objects"])
    return f"{told['objects_in_all']} objects: {', '.join(told['objects'])}" + (f" and {more} more" if more else "")


def printed(done: Done) -> str:
    """What a script printed, and what became of the project."""
    return f"{done.output.rstrip()}\n{done.saved}" if done.output.strip() else done.saved

