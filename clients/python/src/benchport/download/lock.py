"""One download at a time in a folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..common.errors import BenchportError


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Holds a lock that ends with the process. Raises BenchportError if another one holds it."""
    with file.open("ab") as handle:
        try:
            _lock(handle.fileno())
        except OSError:
            raise BenchportError(
                f"Another download into {file.parent.parent} is running. Wait until it has ended."
            ) from None
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
