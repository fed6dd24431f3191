"""A submission's files on an origin of their own, as its browser would get them from the grader's server: read only, and nothing else
in the network, so that a page which hopes for files from elsewhere fails for a person as it fails for the verifier."""

import mimetypes
from pathlib import Path
from urllib.parse import unquote_to_bytes

from attrs import frozen

from playproof_judges.people.answers import Answer, Query, moved, refuse

HEADERS = {
    "Content-Security-Policy": "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'; form-action 'none'; "
                               "frame-ancestors 'self'",
    "X-Frame-Options": "SAMEORIGIN",
}
TYPES = {
    ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
    ".glb": "model/gltf-binary", ".gltf": "model/gltf+json", ".ktx2": "image/ktx2", ".hdr": "image/vnd.radiance",
    ".webp": "image/webp", ".avif": "image/avif", ".ogv": "video/ogg", ".oga": "audio/ogg", ".m4a": "audio/mp4", ".flac": "audio/flac",
    ".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf", ".vtt": "text/vtt", ".md": "text/markdown",
    ".ico": "image/x-icon", ".map": "application/json",
}


@frozen
class SubmissionSite:
    """Serves what lies below `root`, a copy that nobody else writes to."""

    root: Path

    def get(self, path: str, query: Query, device: str) -> Answer:
        place = self._place(path)
        try:
            inside = place.resolve().is_relative_to(self.root.resolve())  # a link may lead anywhere
            folder, file = inside and place.is_dir(), inside and place.is_file()
        except OSError:
            folder = file = False
        if folder:
            return moved(f"{path}/")
        if not file:
            refuse(404, "The submission has no such file.")
        return Answer(media_type=media_type(place), file=place, headers=HEADERS)

    def post(self, path: str, form: Query, device: str) -> Answer:
        refuse(405, "A submission is only read.")

    def _place(self, path: str) -> Path:
        """Where a path leads as it is written. Refuses one that climbs."""
        try:
            parts = unquote_to_bytes(path).decode().split("/")
        except UnicodeDecodeError:
            refuse(400, "That is no path.")
        if any(part in (".", "..") or "\0" in part for part in parts) or len(path) > 2000:
            refuse(403, "That path leaves the submission.")
        return self.root.joinpath(*filter(None, parts), *(["index.html"] if path.endswith("/") else []))


def media_type(place: Path) -> str:
    """By suffix, and not from the system's tables, so that it is the same on every machine."""
    suffix = place.suffix.lower()
    kind = TYPES.get(suffix) or mimetypes.MimeTypes().types_map[True].get(suffix) or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
