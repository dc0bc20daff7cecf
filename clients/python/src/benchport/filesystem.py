"""`benchport://MEASUREMENT/PATH` for fsspec, and so for pandas, xarray, zarr, dask and others."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from fsspec import AbstractFileSystem
from fsspec.callbacks import NoOpCallback

from .catalogue import Catalogue
from .common.errors import NotFound
from .download.fetch_file import Receiver
from .download.names import check_names
from .files.blocks import default_cache_bytes
from .files.file import File
from .files.infos import Info, time_of
from .files.manifest import Entry
from .http.settings import default_retries, default_timeout
from .measurement import Measurement

parallel_ranges = 4
no_callback = NoOpCallback()


class BenchportFileSystem(AbstractFileSystem):  # type: ignore[misc]
    """The measurements of a server as folders, read only.

    `server` is its base URL, and `token`, `ca`, `certificate`, `timeout` and `retries` are those of
    `benchport.connect`; what is not given comes from the environment, in each process anew. (fsspec
    itself has an argument `url`.)
    """

    protocol = "benchport"
    root_marker = ""

    def __init__(
        self,
        server: str | None = None,
        token: str | None = None,
        *,
        ca: str | None = None,
        certificate: str | None = None,
        timeout: float = default_timeout,
        retries: int = default_retries,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        given: dict[str, Any] = {
            "url": server,
            "token": token,
            "ca": ca,
            "certificate": certificate,
            "timeout": timeout,
            "retries": retries,
        }
        self._catalogue = Catalogue(given)

    @property
    def fsid(self) -> str:
        """Names the server."""
        return f"benchport-{self._catalogue.client.url}"

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Info] | list[str]:
        """Measurements at the root, else files and folders."""
        rows = self._catalogue.rows(self._strip_protocol(path))
        return rows if detail else [row["name"] for row in rows]

    def info(self, path: str, **_: Any) -> Info:
        """Size, type, checksums and registration of a file, or the type of a folder."""
        return self._catalogue.info(self._strip_protocol(path))

    def exists(self, path: str, **_: Any) -> bool:
        """Whether there is such a file or folder. Raises what else goes wrong."""
        return self._type(path) is not None

    def isfile(self, path: str) -> bool:
        """Whether there is such a file."""
        return self._type(path) == "file"

    def isdir(self, path: str) -> bool:
        """Whether there is such a folder."""
        return self._type(path) == "directory"

    def ukey(self, path: str) -> str:
        """The SHA-256 of a file: another one means other bytes."""
        return self._entry(path)[1].sha256

    def checksum(self, path: str) -> int:
        """The same as a number."""
        return int(self.ukey(path), 16)

    def modified(self, path: str) -> datetime:
        """When a file was registered."""
        return time_of(self._entry(path)[1].registration_time)

    created = modified

    def invalidate_cache(self, path: str | None = None) -> None:
        """Forgets the lists of files; open files stay."""
        forgotten = None if path is None else self._strip_protocol(path).split("/")[0]
        self._catalogue.forget(forgotten)
        super().invalidate_cache(path)

    def _open(
        self,
        path: str,
        mode: str = "rb",
        block_size: int | None = None,  # noqa: ARG002
        autocommit: bool = True,  # noqa: ARG002
        cache_options: dict[str, Any] | None = None,
        **_: Any,
    ) -> File:
        if mode != "rb":
            self._refuse()
        measurement, entry = self._entry(path)
        cache_bytes = (cache_options or {}).get("cache_bytes", default_cache_bytes)
        return measurement.open(entry.path, cache_bytes=cache_bytes)

    def cat_file(
        self, path: str, start: int | None = None, end: int | None = None, **_: Any
    ) -> bytes:
        """Bytes of a file; positions below 0 count from its end."""
        measurement, entry = self._entry(path)
        begin, stop, _step = slice(start, end).indices(entry.length)
        data = bytearray(max(stop - begin, 0))
        measurement.read_range(entry, begin, memoryview(data))
        return bytes(data)

    def cat_ranges(
        self,
        paths: Sequence[str],
        starts: int | Sequence[int | None] | None,
        ends: int | Sequence[int | None] | None,
        max_gap: int | None = None,  # noqa: ARG002
        on_error: str = "return",
        **_: Any,
    ) -> list[bytes | Exception]:
        """Several ranges, four at once. An error stands in its place, or is raised."""
        count = len(paths)
        begins = list(starts) if isinstance(starts, Sequence) else [starts] * count
        stops = list(ends) if isinstance(ends, Sequence) else [ends] * count
        if len(begins) != count or len(stops) != count:
            raise ValueError("paths, starts and ends differ in length")

        def one(place: int) -> bytes | Exception:
            try:
                return self.cat_file(paths[place], begins[place], stops[place])
            except Exception as error:
                if on_error == "raise":
                    raise
                return error

        with ThreadPoolExecutor(parallel_ranges, "benchport-ranges") as pool:
            return list(pool.map(one, range(count)))

    def get_file(self, rpath: str, lpath: Any, callback: Any = no_callback, **_: Any) -> None:
        """One file onto the disk; it gets its name when its SHA-256 is that of the manifest."""
        if self.isdir(rpath):
            Path(lpath).mkdir(parents=True, exist_ok=True)
            return
        measurement, entry = self._entry(rpath)
        check_names([entry.path])
        final = Path(lpath)
        final.parent.mkdir(parents=True, exist_ok=True)
        # A name of its own, because several processes may get the same file.
        part = final.with_name(f".{uuid.uuid4().hex}.part")
        callback.set_size(entry.length)
        transport = self._catalogue.client.transport
        try:
            Receiver(transport, callback.relative_update).fetch(
                measurement.target_of(entry), entry, part
            )
            part.replace(final)
        finally:
            part.unlink(missing_ok=True)

    def _type(self, path: str) -> str | None:
        try:
            return str(self.info(path)["type"])
        except NotFound:
            return None

    def _entry(self, path: str) -> tuple[Measurement, Entry]:
        return self._catalogue.entry(self._strip_protocol(path))

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise PermissionError("Measurements are frozen: benchport:// can be read, not written.")

    put_file = cp_file = mkdir = makedirs = rmdir = rm_file = rm = mv = touch = pipe_file = _refuse
    put = pipe = copy = _refuse
