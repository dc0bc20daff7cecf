"""The manifest of a measurement: which files it has, with their checksums."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..common.errors import BadManifest

if TYPE_CHECKING:
    # In Python since 3.10.
    from typing import TypeGuard


@dataclass(frozen=True)
class Entry:
    """One file of a measurement."""

    index: int
    path: str
    """Relative, with `/` between its parts."""
    length: int
    """Bytes."""
    crc32: int
    sha256: str
    """64 hexadecimal digits."""
    registration_time: str
    """ISO 8601, UTC."""
    media_type: str

    @property
    def etag(self) -> str:
        """The entity tag that the server gives this file."""
        return f'"sha256-{self.sha256}"'


def read_manifest(value: Any, measurement_id: str) -> tuple[Entry, ...]:
    """The files of an answer. Raises BadManifest for one that cannot be used or trusted."""
    if not isinstance(value, dict) or not isinstance(value.get("files"), list):
        raise BadManifest(f"The server sent no list of files for {measurement_id}.")
    if value.get("measurementId") != measurement_id:
        raise BadManifest(f"The server sent the list of another measurement than {measurement_id}.")
    entries = tuple(_entry(item, index) for index, item in enumerate(value["files"]))
    if len({entry.path for entry in entries}) != len(entries):
        raise BadManifest(f"The list of {measurement_id} has a path twice.")
    return entries


def _entry(item: Any, index: int) -> Entry:
    if not isinstance(item, dict):
        raise BadManifest(f"File {index} of the list is not an object.")
    path, length, sha256 = item.get("path"), item.get("length"), item.get("sha256")
    if item.get("index") != index or not _is_count(length) or not isinstance(path, str):
        raise BadManifest(f"File {index} of the list has no valid index, path and length.")
    if not isinstance(sha256, str) or re.fullmatch(r"[0-9a-f]{64}", sha256) is None:
        raise BadManifest(f"File {index} of the list has no SHA-256.")
    if not is_relative(path):
        raise BadManifest(f"File {index} of the list has a path that leads elsewhere: {path!r}.")
    crc32 = item.get("crc32")
    return Entry(
        index=index,
        path=path,
        length=length,
        crc32=crc32 if _is_count(crc32) else 0,
        sha256=sha256,
        registration_time=str(item.get("registrationTime", "")),
        media_type=str(item.get("mediaType", "application/octet-stream")),
    )


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_relative(path: str) -> bool:
    """Whether a path stays below the folder that it is written into."""
    if "\\" in path or re.search(r"[\x00-\x1f\x7f]", path):
        return False
    return all(part not in ("", ".", "..") for part in path.split("/"))
