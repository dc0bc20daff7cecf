"""Files of a measurement into a folder: several at once, each verified."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import BoundedSemaphore, Event
from typing import Callable, Protocol

from ..common.errors import (
    ChecksumMismatch,
    DownloadError,
    FileChanged,
    NotFound,
)
from ..files.manifest import Entry
from ..http.transport import Transport
from .fetch_file import DiskFull, Receiver, Stopped, has_digest, part_name
from .lock import locked
from .names import check_names, state_folder
from .progress import Progress, ProgressCounter

max_connections = 16
# Disks finish many small files at once in little more time than one.
disk_threads = 12
# Faults of one file, after which the others are still fetched.
_own_faults = (FileChanged, NotFound, ChecksumMismatch, FileExistsError, NotADirectoryError)


class Listed(Protocol):
    """The measurement that files belong to."""

    id: str

    def target_of(self, entry: Entry) -> str:
        """The path of a file's address."""


def download_files(
    transport: Transport,
    measurement: Listed,
    entries: Sequence[Entry],
    to: Path,
    progress: Callable[[Progress], None] | None = None,
    connections: int = 4,
) -> Path:
    """Writes files below `to`/ID and returns that folder. Unfinished ones are in a folder there.

    Raises DownloadError if single files could not be had, else what ended the download.
    """
    if not 1 <= connections <= max_connections:
        raise ValueError(f"connections is {connections}, not 1 to {max_connections}")
    check_names([entry.path for entry in entries])
    entries = list(dict.fromkeys(entries))
    folder = to / measurement.id
    state = folder / state_folder
    state.mkdir(parents=True, exist_ok=True)
    with locked(state / "lock"):
        wanted = Wanted(transport, measurement, folder, state, entries, progress, connections)
        failures = wanted.fetch()
        if failures:
            raise DownloadError(_summary(failures, len(entries)), failures)
    shutil.rmtree(state, ignore_errors=True)
    return folder


class Wanted:
    """The files of one download."""

    def __init__(
        self,
        transport: Transport,
        measurement: Listed,
        folder: Path,
        state: Path,
        entries: Sequence[Entry],
        progress: Callable[[Progress], None] | None,
        connections: int,
    ) -> None:
        self._measurement = measurement
        self._folder = folder
        self._state = state
        self._entries = entries
        self._stop = Event()
        self._count = ProgressCounter(sum(e.length for e in entries), len(entries), progress)
        slots = BoundedSemaphore(connections)
        self._receiver = Receiver(transport, self._count.add, self._stop, slots)
        self._threads = connections + disk_threads

    def fetch(self) -> dict[str, BaseException]:
        """Fetches all. Returns the failures of single files; raises what ended the download."""
        self._require_space()
        failures: dict[str, BaseException] = {}
        # Large files first: the last one to begin is then a short one.
        order = sorted(self._entries, key=lambda entry: -entry.length)
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="benchport-download")
        try:
            running: dict[Future[None], Entry] = {
                pool.submit(self._one, entry, failures): entry for entry in order
            }
            done, _ = wait(running, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
        finally:
            self._stop.set()
            pool.shutdown(cancel_futures=True)
        return {entry.path: failures[entry.path] for entry in order if entry.path in failures}

    def _one(self, entry: Entry, failures: dict[str, BaseException]) -> None:
        try:
            self._place(entry)
        except Stopped:
            pass
        except _own_faults as error:
            failures[entry.path] = error
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT) and not isinstance(error, DiskFull):
                raise DiskFull() from error
            raise

    def _place(self, entry: Entry) -> None:
        if self._stop.is_set():
            raise Stopped
        final = self._folder / entry.path
        if final.is_symlink() or final.exists():
            if not final.is_file() or not has_digest(final, entry, self._stop):
                raise FileExistsError(f"{final} exists and is another file: move it away.")
            self._count.add(entry.length, files=1)
            return
        part = self._state / part_name(entry)
        target = self._measurement.target_of(entry)
        self._receiver.fetch(target, entry, part)
        final.parent.mkdir(parents=True, exist_ok=True)
        # On Windows this refuses to replace a file that came meanwhile.
        os.rename(part, final)  # noqa: PTH104
        self._count.add(0, files=1)

    def _require_space(self) -> None:
        needed = 0
        for entry in self._entries:
            if not (self._folder / entry.path).is_file():
                part = self._state / part_name(entry)
                needed += entry.length - (part.stat().st_size if part.is_file() else 0)
        free = shutil.disk_usage(self._folder).free
        if needed > free:
            raise DiskFull(f"{needed} bytes are to come, and {free} are free in {self._folder}.")


def _summary(failures: dict[str, BaseException], total: int) -> str:
    path, error = next(iter(failures.items()))
    text = str(error)
    named = text if path in text else f"{path}: {text}"
    if len(failures) == 1:
        return f"1 of {total} files was not downloaded. {named}"
    return f"{len(failures)} of {total} files were not downloaded. The first: {named}"
