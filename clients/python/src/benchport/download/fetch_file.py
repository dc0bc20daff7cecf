"""One file: received, verified, and only then named."""

from __future__ import annotations

import errno
import hashlib
import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from threading import Event
from typing import Callable

from ..common.errors import BenchportError, ChecksumMismatch
from ..files.manifest import Entry
from ..http.retries import Retries
from ..http.transport import Transport

read_bytes = 1024 * 1024
Count = Callable[[int], None]


class Stopped(Exception):
    """Another file has ended the download, or its user."""


def part_name(entry: Entry) -> str:
    """The name of a file that is not complete; it says what the file is to become."""
    return f"{entry.index}-{entry.sha256[:32]}.part"


@dataclass(frozen=True)
class Receiver:
    """What the files of one download share."""

    transport: Transport
    count: Count
    """Is told bytes that are there; fewer than none when they have to be fetched again."""
    stop: Event = field(default_factory=Event)
    """Ends all files soon."""
    slots: AbstractContextManager[object] = field(default_factory=nullcontext)
    """Is entered while bytes are received, not while a disk finishes writing."""

    def fetch(self, target: str, entry: Entry, part: Path) -> None:
        """Completes and verifies an unfinished file; it is on the disk then, as `part`.

        Bytes that are there already are read, not fetched. Bytes that are not those of the manifest
        are fetched once more. Raises ChecksumMismatch, Stopped, or why they cannot be had.
        """
        with _opened(part) as file:
            with self.slots:
                self._verified(target, entry, file)
            os.fsync(file.fileno())

    def _verified(self, target: str, entry: Entry, file: FileIO) -> None:
        for attempt in (1, 2):
            if self._received(target, entry, file) == entry.sha256:
                return
            self.count(-entry.length)
            file.truncate(0)
            if attempt == 2:
                raise ChecksumMismatch(
                    f"{entry.path} arrived twice with another SHA-256 than its manifest states."
                )

    def _received(self, target: str, entry: Entry, file: FileIO) -> str:
        """Appends what is missing. Returns the SHA-256 of all."""
        if self.stop.is_set():
            raise Stopped
        if os.fstat(file.fileno()).st_size > entry.length:
            file.truncate(0)
        file.seek(0)
        digest = _hashed(file, hashlib.sha256(), entry.length, self.stop)
        position = file.tell()
        self.count(position)

        def once() -> None:
            nonlocal position
            for piece in self.transport.stream(
                target, position, entry.length, entry.length, entry.etag
            ):
                if self.stop.is_set():
                    raise Stopped
                _write(file, piece)
                digest.update(piece)
                position += len(piece)
                self.count(len(piece))
                retries.advance(len(piece))

        retries = Retries(self.transport.settings, self.stop)
        retries.run(once)
        return digest.hexdigest()


def has_digest(file: Path, entry: Entry, stop: Event) -> bool:
    """Whether a file on the disk is the one of the manifest."""
    if file.stat().st_size != entry.length:
        return False
    with FileIO(file, "r") as handle:
        return _hashed(handle, hashlib.sha256(), entry.length, stop).hexdigest() == entry.sha256


def _opened(part: Path) -> FileIO:
    # Unbuffered, so that a full disk is noticed by the write that meets it.
    return FileIO(os.open(part, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+")


def _hashed(file: FileIO, digest: hashlib._Hash, length: int, stop: Event) -> hashlib._Hash:
    buffer = memoryview(bytearray(min(read_bytes, max(length, 1))))
    while read := file.readinto(buffer):
        digest.update(buffer[:read])
        if stop.is_set():
            raise Stopped
    return digest


def _write(file: FileIO, piece: bytes) -> None:
    left = memoryview(piece)
    try:
        while len(left) > 0:
            left = left[file.write(left) :]
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DiskFull() from error


class DiskFull(BenchportError):
    """There is no space left for the files."""

    def __init__(self, detail: str = "What is there is kept.") -> None:
        super().__init__(f"The disk is full. {detail} Make room and start again.")
        self.errno = errno.ENOSPC
