"""One file: received, verified, and only then named."""

from __future__ import annotations

import errno
import hashlib
import os
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


def fetch_file(
    transport: Transport, target: str, entry: Entry, part: Path, count: Count, stop: Event
) -> None:
    """Completes an unfinished file and verifies it; it is on the disk then, under its name `part`.

    Bytes that are there already are read, not fetched. Bytes that are not those of the manifest are
    fetched once more. Raises ChecksumMismatch, Stopped, or why they cannot be had.
    """
    with _opened(part) as file:
        for attempt in (1, 2):
            digest = _received(transport, target, entry, file, count, stop)
            if digest == entry.sha256:
                file.flush()
                os.fsync(file.fileno())
                return
            count(-entry.length)
            file.truncate(0)
            if attempt == 2:
                raise ChecksumMismatch(
                    f"{entry.path} arrived twice with another SHA-256 than its manifest states."
                )


def has_digest(file: Path, entry: Entry, stop: Event) -> bool:
    """Whether a file on the disk is the one of the manifest."""
    if file.stat().st_size != entry.length:
        return False
    with FileIO(file, "r") as handle:
        return _hashed(handle, hashlib.sha256(), entry.length, stop).hexdigest() == entry.sha256


def _opened(part: Path) -> FileIO:
    # Unbuffered, so that a full disk is noticed by the write that meets it.
    return FileIO(os.open(part, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+")


def _received(
    transport: Transport, target: str, entry: Entry, file: FileIO, count: Count, stop: Event
) -> str:
    """Appends what is missing. Returns the SHA-256 of all."""
    if os.fstat(file.fileno()).st_size > entry.length:
        file.truncate(0)
    file.seek(0)
    digest = _hashed(file, hashlib.sha256(), entry.length, stop)
    position = file.tell()
    count(position)

    def once() -> None:
        nonlocal position
        for piece in transport.stream(target, position, entry.length, entry.length, entry.etag):
            if stop.is_set():
                raise Stopped
            _write(file, piece)
            digest.update(piece)
            position += len(piece)
            count(len(piece))
            retries.advance(len(piece))

    retries = Retries(transport.settings, stop)
    retries.run(once)
    return digest.hexdigest()


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
