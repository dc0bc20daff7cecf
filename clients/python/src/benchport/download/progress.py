"""How far a download is."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Progress:
    """Bytes and files that are there and verified or being received, of all that are wanted."""

    done_bytes: int
    total_bytes: int
    done_files: int
    total_files: int


class ProgressCounter:
    """Counts for several threads and tells each change to one function at a time."""

    def __init__(
        self, total_bytes: int, total_files: int, tell: Callable[[Progress], None] | None
    ) -> None:
        self._lock = threading.Lock()
        self._bytes = self._files = 0
        self._totals = (total_bytes, total_files)
        self._tell = tell

    def add(self, count: int, files: int = 0) -> None:
        """Adds bytes (fewer than none when they have to be fetched again) and files."""
        with self._lock:
            self._bytes += count
            self._files += files
            if self._tell is not None:
                self._tell(Progress(self._bytes, self._totals[0], self._files, self._totals[1]))
