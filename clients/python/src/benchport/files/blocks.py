"""Bytes of a file that were read lately or will be read soon, within a bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol

block_bytes = 64 * 1024
first_ahead = 1024 * 1024
max_ahead = 8 * 1024 * 1024
default_cache_bytes = 32 * 1024 * 1024


class Fetch(Protocol):
    """Fills a buffer with bytes from a position on, or raises."""

    def __call__(self, start: int, into: memoryview) -> None: ...


class BlockCache:
    """Blocks of 64 KiB of one file, those used last.

    A read that begins where the last one ended reads ahead, 1 MiB at first and twice as much each
    time; any other read fetches its blocks alone, because formats such as HDF5 jump between small
    structures. Not for several threads: its file has a lock.
    """

    def __init__(self, length: int, fetch: Fetch, max_bytes: int = default_cache_bytes) -> None:
        self._length = length
        self._fetch = fetch
        self._max_blocks = max(max_bytes // block_bytes, 1)
        self._blocks: OrderedDict[int, memoryview] = OrderedDict()
        self._expected = -1
        self._ahead = 0

    def read(self, start: int, into: memoryview) -> None:
        """Fills a buffer, all of which lies within the file."""
        end = start + len(into)
        if start != self._expected:
            self._ahead = 0
        elif self._ahead == 0:
            self._ahead = first_ahead
        if len(into) > self._max_blocks * block_bytes // 2:
            # It would drive everything else out of the memory.
            self._fetch(start, into)
        elif len(into) > 0:
            self._read_blocks(start, end, into)
        self._expected = end

    def _read_blocks(self, start: int, end: int, into: memoryview) -> None:
        first, last = start // block_bytes, (end - 1) // block_bytes
        held = {number: self._use(number) for number in range(first, last + 1)}
        for run in _runs([number for number, block in held.items() if block is None]):
            held.update(self._load(run, run[-1] == last))
        for number, block in held.items():
            assert block is not None
            base = number * block_bytes
            begin, stop = max(start, base), min(end, base + len(block))
            into[begin - start : stop - start] = block[begin - base : stop - base]

    def _use(self, number: int) -> memoryview | None:
        block = self._blocks.get(number)
        if block is not None:
            self._blocks.move_to_end(number)
        return block

    def _load(self, run: range, may_read_ahead: bool) -> dict[int, memoryview]:
        """Fetches blocks next to each other in one request."""
        base = run.start * block_bytes
        end = run.stop * block_bytes
        if may_read_ahead:
            end += min(self._ahead, self._max_blocks * block_bytes // 2)
            self._ahead = min(self._ahead * 2, max_ahead)
        data = memoryview(bytearray(min(end, self._length) - base))
        self._fetch(base, data)
        loaded: dict[int, memoryview] = {}
        for offset in range(0, len(data), block_bytes):
            # A copy, because a part of a larger buffer would keep all of it in memory.
            block = memoryview(bytes(data[offset : offset + block_bytes]))
            loaded[run.start + offset // block_bytes] = block
        for number, block in loaded.items():
            self._blocks[number] = block
            self._blocks.move_to_end(number)
        while len(self._blocks) > self._max_blocks:
            self._blocks.popitem(last=False)
        return {number: loaded[number] for number in run}


def _runs(numbers: list[int]) -> list[range]:
    """Joins numbers that follow each other."""
    runs: list[range] = []
    for number in numbers:
        if runs and runs[-1].stop == number:
            runs[-1] = range(runs[-1].start, number + 1)
        else:
            runs.append(range(number, number + 1))
    return runs
