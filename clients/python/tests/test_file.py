"""Reading files by ranges."""

from __future__ import annotations

import io
import os
import random
import threading
from pathlib import Path

import pytest

import benchport
from benchport.files.blocks import BlockCache, block_bytes
from faulty_server import FaultyServer

big = "odd names/big.bin"


@pytest.fixture
def bytes_of_big(originals: Path) -> bytes:
    return (originals / "lab" / big).read_bytes()


def test_reads_seeks_and_tells_as_a_local_file(
    lab: benchport.Measurement, originals: Path, bytes_of_big: bytes
) -> None:
    choose = random.Random(3)
    length = len(bytes_of_big)
    with lab[big] as ours, (originals / "lab" / big).open("rb") as local:
        for _ in range(150):
            origin, offset = choose.choice(
                [
                    (io.SEEK_SET, choose.randrange(length + 100)),
                    (io.SEEK_END, -choose.randrange(length)),
                    (io.SEEK_CUR, choose.randrange(5000)),
                ]
            )
            assert ours.seek(offset, origin) == local.seek(offset, origin)
            count = choose.choice([0, 1, 100, block_bytes, 300_000])
            assert ours.read(count) == local.read(count)
            assert ours.tell() == local.tell()
        ours.seek(length - 10)
        assert ours.read() == bytes_of_big[-10:]
        assert ours.read() == b""
        ours.seek(0)
        assert ours.read() == bytes_of_big


def test_fills_buffers_and_behaves_as_a_file(lab: benchport.Measurement) -> None:
    file = lab["spectrum.csv"]
    words = memoryview(bytearray(8)).cast("H")
    assert file.readinto(words) == 8
    assert words.tobytes() == b"waveleng"
    assert (file.readable(), file.seekable(), file.writable()) == (True, True, False)
    assert (file.name, file.mode, file.size) == (
        "spectrum.csv",
        "rb",
        lab.entry("spectrum.csv").length,
    )
    with pytest.raises(io.UnsupportedOperation):
        file.write(b"x")
    with pytest.raises(ValueError, match="before the start"):
        file.seek(-1)
    with pytest.raises(ValueError, match="whence"):
        file.seek(0, 3)
    file.seek(0)
    assert io.TextIOWrapper(file, "utf-8").readline() == "wavelength_nm,counts\n"
    file = lab["spectrum.csv"]
    file.close()
    with pytest.raises(ValueError, match="closed file"):
        file.read(1)


def test_names_and_lengths_that_are_easily_got_wrong(lab: benchport.Measurement) -> None:
    assert lab["odd names/größe µm #1?.txt"].read().decode() == "5 µm\n"
    assert lab["odd names/100% [a].txt"].read() == b"percent\n"
    empty = lab["odd names/empty.dat"]
    assert (empty.read(), empty.read(10), empty.seek(5), empty.read()) == (b"", b"", 5, b"")


def test_small_reads_in_many_places_fetch_small_blocks(
    broken: benchport.Measurement, server: FaultyServer
) -> None:
    file = broken[big]
    for position in (0, 4_000_000, 8_000_000, 4_000_100, 100):
        file.seek(position)
        file.read(512)
    # The last two lie in blocks that are there.
    assert [end - start + 1 for start, end in server.ranges] == [block_bytes] * 3


def test_reading_on_fetches_ahead_twice_as_much_each_time(
    broken: benchport.Measurement, server: FaultyServer, bytes_of_big: bytes
) -> None:
    file = broken[big]
    pieces = iter(lambda: file.read(10_000), b"")
    assert b"".join(pieces) == bytes_of_big
    lengths = [end - start + 1 for start, end in server.ranges]
    assert lengths[0] == block_bytes
    assert lengths[1] == block_bytes + 1024 * 1024
    assert len(lengths) <= 6
    assert sum(lengths) == len(bytes_of_big)
    assert server.connections == 1


def test_memory_is_bounded_and_large_reads_pass_the_cache() -> None:
    length = 40 * 1024 * 1024
    asked: list[int] = []

    def fetch(start: int, into: memoryview) -> None:
        asked.append(len(into))
        into[:8] = start.to_bytes(8, "big")

    cache = BlockCache(length, fetch, max_bytes=1024 * 1024)
    choose = random.Random(5)
    for _ in range(300):
        start = choose.randrange(0, length - 200_000)
        cache.read(start, memoryview(bytearray(choose.choice([10, 100_000, 200_000]))))
        assert sum(len(block) for block in cache._blocks.values()) <= 1024 * 1024
    asked.clear()
    position = 0
    while position < length:
        cache.read(position, memoryview(bytearray(100_000))[: length - position])
        position += 100_000
        assert sum(len(block) for block in cache._blocks.values()) <= 1024 * 1024
    assert max(asked) <= 1024 * 1024
    asked.clear()
    cache.read(5, memoryview(bytearray(3_000_000)))
    assert asked == [3_000_000]


def test_threads_may_share_a_file(lab: benchport.Measurement, bytes_of_big: bytes) -> None:
    shared = lab.open(big, cache_bytes=4 * block_bytes)
    wrong: list[int] = []
    pieces: list[bytes] = []

    def read_all(seed: int) -> None:
        own = lab[big]
        choose = random.Random(seed)
        for _ in range(30):
            start = choose.randrange(len(bytes_of_big) - 5000)
            own.seek(start)
            if own.read(5000) != bytes_of_big[start : start + 5000]:
                wrong.append(start)
            pieces.append(shared.read(7000))

    threads = [threading.Thread(target=read_all, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    # Each read of the shared file got a piece of its own, whole and in order within itself.
    first = bytes_of_big[: 8 * 30 * 7000]
    assert sorted(pieces) == sorted(first[at : at + 7000] for at in range(0, len(first), 7000))


def test_a_forked_process_opens_connections_of_its_own(
    lab: benchport.Measurement, bytes_of_big: bytes
) -> None:
    file = lab[big]
    file.read(10)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            file.seek(5_000_000)
            os.write(writer, file.read(100))
        finally:
            os._exit(0)
    os.close(writer)
    file.seek(6_000_000)
    assert file.read(100) == bytes_of_big[6_000_000:6_000_100]
    with open(reader, "rb") as pipe:  # noqa: PTH123
        assert pipe.read() == bytes_of_big[5_000_000:5_000_100]
    assert os.waitpid(child, 0)[1] == 0
