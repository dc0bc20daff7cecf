"""Attempts that are repeated while another one may succeed."""

from __future__ import annotations

import random
import time
from threading import Event
from typing import Callable, TypeVar

from ..common.errors import ServerUnreachable, Unavailable
from .settings import Settings

max_wait = 120.0
"""Seconds that a server may ask to wait before a retry."""
first_wait = 0.2
"""Seconds before the first retry; each further one waits twice as long."""
# Less than this between two failures is no progress, so that retries end.
progress_bytes = 64 * 1024

T = TypeVar("T")


class BrokenTransfer(Exception):
    """The connection failed in a way that another one may not."""


class Retries:
    """Waits between attempts: longer each time, and as long as the server asks for."""

    def __init__(self, settings: Settings, stop: Event | None = None) -> None:
        self._settings = settings
        self._stop = stop
        self._failures = 0
        self._since = 0

    def advance(self, count: int) -> None:
        """Bytes arrived; enough of them make up for earlier failures."""
        self._since += count

    def run(self, attempt: Callable[[], T]) -> T:
        """Runs an attempt until it succeeds. Raises the error of the last one."""
        while True:
            try:
                return attempt()
            except BrokenTransfer as error:
                # Read before the failure is counted, because it may reset the count.
                self._count_failure()
                if self._failures > self._settings.retries:
                    raise ServerUnreachable(
                        f"{self._settings.url} is not reached: {error}."
                    ) from error
                self._wait(None)
            except Unavailable as error:
                self._count_failure()
                asked = error.retry_after
                if self._failures > self._settings.retries or (asked or 0) > max_wait:
                    raise
                self._wait(asked)

    def _count_failure(self) -> None:
        if self._since >= progress_bytes:
            self._failures = 0
        self._since = 0
        self._failures += 1

    def _wait(self, asked: float | None) -> None:
        longest = min(10.0, first_wait * 2 ** (self._failures - 1))
        # Clients that failed together do not return together.
        seconds = (asked or 0) + longest * random.uniform(0.5, 1)
        if self._stop is None:
            time.sleep(seconds)
        elif self._stop.wait(seconds):
            raise ServerUnreachable("The download was stopped.")
