"""A measurement: its files by their paths."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable
from urllib.parse import quote

from .common.errors import NotFound
from .download.download import download_files
from .download.progress import Progress
from .files.blocks import default_cache_bytes
from .files.file import File
from .files.manifest import Entry, read_manifest

if TYPE_CHECKING:
    from .client import Client

# Comparing an unknown path with more files than these would take longer than reading one.
max_compared = 200
_numbers = re.compile(r"(\d+)")


class Measurement(Mapping[str, File]):
    """Files by path, in natural order: `scan2` before `scan10`.

    `measurement["x.h5"]` opens a file without reading it; an unknown path raises NotFound, which is
    a KeyError and a FileNotFoundError.
    """

    def __init__(self, client: Client, measurement_id: str) -> None:
        self._client = client
        self.id = measurement_id
        value, _ = client.transport.get_json(f"{self._target}/files")
        self.manifest: tuple[Entry, ...] = read_manifest(value, measurement_id)
        """The files in the order of the server; frozen when the measurement was registered."""
        self._by_path = {
            entry.path: entry
            for entry in sorted(self.manifest, key=lambda entry: natural_key(entry.path))
        }
        self._detail: dict[str, Any] | None = None

    @property
    def title(self) -> str:
        """The title, as it was when it was first asked for."""
        return str(self.detail.get("title", ""))

    @property
    def detail(self) -> dict[str, Any]:
        """What the server tells of the measurement: owner, state, times; read once."""
        if self._detail is None:
            value, _ = self._client.transport.get_json(
                f"{self._client.transport.settings.prefix}/api/v4/measurements/{quote(self.id)}"
            )
            self._detail = value if isinstance(value, dict) else {}
        return self._detail

    @property
    def total_bytes(self) -> int:
        """The sum of the lengths of all files."""
        return sum(entry.length for entry in self.manifest)

    def entry(self, path: str) -> Entry:
        """Length and checksums of a file. Raises NotFound."""
        found = self._by_path.get(path)
        if found is not None:
            return found
        few = len(self) <= max_compared
        near = difflib.get_close_matches(path, self._by_path, n=1) if few else []
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise NotFound(f"{self.id} has no file {path!r}.{hint}", status=404)

    def open(self, path: str, *, cache_bytes: int = default_cache_bytes) -> File:
        """A file, read by ranges; `cache_bytes` bounds the memory it takes."""
        return File(self, self.entry(path), cache_bytes=cache_bytes)

    def read_range(self, entry: Entry, start: int, into: memoryview) -> None:
        """Fills a buffer with bytes of a file, without a cache."""
        self._client.transport.read_range(
            self.target_of(entry), start, into, entry.length, entry.etag
        )

    def download(
        self,
        to: str | Path,
        files: Iterable[str] | None = None,
        progress: Callable[[Progress], None] | None = None,
        *,
        connections: int = 4,
    ) -> Path:
        """Downloads all files, or those named, into a folder with the name of the measurement.

        Each gets its name when its SHA-256 is that of the manifest. The same call continues what
        was interrupted. Returns the folder. Raises DownloadError, or the error that ended it all.
        """
        chosen = self.manifest if files is None else [self.entry(path) for path in files]
        return download_files(self._client.transport, self, chosen, Path(to), progress, connections)

    def target_of(self, entry: Entry) -> str:
        """The path of a file's address."""
        return f"{self._target}/files/{entry.index}"

    @property
    def _target(self) -> str:
        return f"{self._client.transport.settings.prefix}/measurements/{quote(self.id, safe='')}"

    def __getitem__(self, path: str) -> File:
        return self.open(path)

    def __contains__(self, path: object) -> bool:
        return path in self._by_path

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_path)

    def __len__(self) -> int:
        return len(self._by_path)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<benchport.Measurement {self.id}, {len(self)} files>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _open_again, (self._client, self.id)


def natural_key(path: str) -> tuple[tuple[int, int, str], ...]:
    """Orders numbers within names by their value."""
    parts = _numbers.split(path.casefold())
    return tuple(
        (1, int(part), part) if index % 2 else (0, 0, part) for index, part in enumerate(parts)
    )


def _open_again(client: Client, measurement_id: str) -> Measurement:
    return client.measurement(measurement_id)
