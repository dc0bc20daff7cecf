"""A file of a measurement that is read by ranges, as if it lay on this machine."""

from __future__ import annotations

import io
import threading
from typing import Any, Protocol

from .blocks import BlockCache, default_cache_bytes
from .manifest import Entry


class Source(Protocol):
    """The measurement that a file belongs to."""

    id: str

    def open(self, path: str, *, cache_bytes: int) -> File:
        """A file by its path."""

    def read_range(self, entry: Entry, start: int, into: memoryview) -> None:
        """Fills a buffer with bytes of a file."""


class File(io.BufferedIOBase):
    """Binary, seekable, read only. Several threads may read it; each read is whole.

    A file that is no longer the one of the manifest raises FileChanged; bytes of two versions are
    never mixed.
    """

    def __init__(
        self, measurement: Source, entry: Entry, *, cache_bytes: int = default_cache_bytes
    ) -> None:
        super().__init__()
        self.measurement = measurement
        self.entry = entry
        self.mode = "rb"
        self._cache_bytes = cache_bytes
        self._position = 0
        self._lock = threading.Lock()
        self._blocks = BlockCache(entry.length, self._fetch, cache_bytes)

    @property
    def name(self) -> str:
        """The path of the file in its measurement."""
        return self.entry.path

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self.entry.length

    def readable(self) -> bool:
        """True."""
        self._require_open()
        return True

    def seekable(self) -> bool:
        """True."""
        self._require_open()
        return True

    def writable(self) -> bool:
        """False: a measurement is frozen."""
        self._require_open()
        return False

    def tell(self) -> int:
        """The position of the next read."""
        self._require_open()
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Sets the position; it may lie behind the end, where reads return nothing."""
        self._require_open()
        with self._lock:
            origins = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}
            if whence not in origins:
                raise ValueError(f"whence is {whence}, not 0, 1 or 2")
            position = origins[whence] + offset
            if position < 0:
                raise ValueError(f"position {position} is before the start of the file")
            self._position = position
            return position

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes, fewer than asked for only at the end."""
        self._require_open()
        with self._lock:
            left = max(self.size - self._position, 0)
            count = left if size is None or size < 0 else min(size, left)
            data = bytearray(count)
            self._fill(memoryview(data))
        return bytes(data)

    def read1(self, size: int = -1, /) -> bytes:
        """As `read`; without a size at most 1 MiB."""
        return self.read(1024 * 1024 if size < 0 else size)

    def readinto(self, buffer: Any, /) -> int:
        """Fills a buffer from the position on. Returns how many bytes it got."""
        self._require_open()
        with self._lock, memoryview(buffer) as view, view.cast("B") as target:
            count = min(len(target), max(self.size - self._position, 0))
            self._fill(target[:count])
        return count

    def readinto1(self, buffer: Any, /) -> int:
        """As `readinto`."""
        return self.readinto(buffer)

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (self.measurement, self.entry.path, self._cache_bytes, self._position)

    def __repr__(self) -> str:
        return f"<benchport.File {self.measurement.id}/{self.entry.path}, {self.size} bytes>"

    def _fill(self, target: memoryview) -> None:
        self._blocks.read(self._position, target)
        self._position += len(target)

    def _fetch(self, start: int, into: memoryview) -> None:
        self.measurement.read_range(self.entry, start, into)

    def _require_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")


def _reopen(measurement: Source, path: str, cache_bytes: int, position: int) -> File:
    file = measurement.open(path, cache_bytes=cache_bytes)
    file.seek(position)
    return file
