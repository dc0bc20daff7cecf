"""Networks and servers that fail while a file is read."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import benchport
from benchport import FileChanged, NotFound, ServerUnreachable, Unavailable, connect
from faulty_server import Exchange, FaultyServer, is_file, problem

big = "odd names/big.bin"


@pytest.fixture
def expected(originals: Path) -> bytes:
    return (originals / "lab" / big).read_bytes()


@pytest.mark.parametrize("with_reset", [False, True])
def test_continues_where_a_connection_broke(
    with_reset: bool, broken: benchport.Measurement, server: FaultyServer, expected: bytes
) -> None:
    def cut(exchange: Exchange) -> None:
        if len(exchange.body) > 1_000_000:
            exchange.cut_after, exchange.with_reset = 1_000_000, with_reset

    server.fault = cut
    broken_file = broken.open(big, cache_bytes=64 * 1024)
    assert broken_file.read() == expected
    starts = [start for start, _ in server.ranges]
    assert len(starts) >= 9
    assert starts == sorted(starts)
    if not with_reset:
        # No byte was fetched twice. (A reset may lose what the client has not read yet.)
        assert starts == [count * 1_000_000 for count in range(len(starts))]


def test_ends_when_no_byte_comes_any_more(
    broken: benchport.Measurement, server: FaultyServer
) -> None:
    def cut(exchange: Exchange) -> None:
        exchange.cut_after = 10

    server.fault = cut
    with pytest.raises(ServerUnreachable, match="bytes early"):
        broken[big].read(5000)
    assert len(server.requests) == 6


def test_a_server_that_stops_sending_is_given_up(
    server: FaultyServer, token: str, expected: bytes
) -> None:
    never = threading.Event()
    file = connect(server.url, token, timeout=1.5).measurement("lab")[big]

    def hang(exchange: Exchange) -> None:
        if exchange.request["Range"] == "bytes=0-65535":
            exchange.cut_after, exchange.wait_for = 100, never

    server.fault = hang
    assert file.read(5000) == expected[:5000]
    assert server.ranges[0] == (0, 65535)
    assert server.ranges[-1] == (100, 65535)
    never.set()


def test_a_slow_server_is_waited_for(
    broken: benchport.Measurement, server: FaultyServer, expected: bytes
) -> None:
    later = threading.Event()

    def slow(exchange: Exchange) -> None:
        exchange.cut_after, exchange.wait_for = 3, later
        threading.Timer(0.2, later.set).start()

    server.fault = slow
    assert broken[big].read(5000) == expected[:5000]
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_waits_as_long_as_the_server_asks(
    status: int,
    broken: benchport.Measurement,
    server: FaultyServer,
    expected: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("benchport.http.retries.time.sleep", waited.append)

    def busy(exchange: Exchange) -> None:
        if exchange.number <= 2:
            problem(exchange, status, "Too many.", **{"Retry-After": "7"})

    server.fault = busy
    assert broken[big].read(100) == expected[:100]
    assert [int(seconds) for seconds in waited] == [7, 7]


def test_does_not_wait_for_hours(broken: benchport.Measurement, server: FaultyServer) -> None:
    later = {"Retry-After": "Fri, 31 Dec 2999 23:59:59 GMT"}
    server.fault = lambda exchange: problem(exchange, 503, "Closed.", **later)
    with pytest.raises(Unavailable, match=r"Closed\.") as caught:
        broken[big].read(100)
    assert caught.value.retry_after is not None
    assert caught.value.retry_after > 1e6
    assert len(server.requests) == 1


def test_never_mixes_bytes_of_two_versions(
    broken: benchport.Measurement, server: FaultyServer
) -> None:
    file = broken[big]
    first = file.read(100)

    def replaced(exchange: Exchange) -> None:
        exchange.headers["ETag"] = '"sha256-another"'

    server.fault = replaced
    file.seek(1_000_000)
    with pytest.raises(FileChanged, match="another one than the manifest"):
        file.read(100)
    # What is in memory is of the version in the manifest.
    file.seek(0)
    assert file.read(100) == first
    assert server.requests[-1].request["If-Range"] == broken.entry(big).etag

    def whole(exchange: Exchange) -> None:
        exchange.status = 200
        del exchange.headers["Content-Range"]

    server.fault = whole
    file.seek(2_000_000)
    with pytest.raises(FileChanged):
        file.read(100)


def test_refuses_another_range_than_it_asked_for(
    broken: benchport.Measurement, server: FaultyServer
) -> None:
    def shifted(exchange: Exchange) -> None:
        exchange.headers["Content-Range"] = f"bytes 1-65536/{9_000_000}"

    server.fault = shifted
    with pytest.raises(ServerUnreachable, match="another range"):
        broken[big].read(100)


def test_a_file_that_was_altered_on_the_server_is_an_error(originals: Path) -> None:
    measurement = benchport.open("changing")
    file = measurement["altered.bin"]
    before = file.read(100)
    path = originals / "changing/altered.bin"
    with path.open("ab") as handle:
        handle.write(b"more")
    try:
        file.seek(2_500_000)
        with pytest.raises(FileChanged) as caught:
            file.read(100)
        assert caught.value.status == 409
        assert before == path.read_bytes()[:100]
        good = (originals / "changing/good.bin").read_bytes()
        assert measurement["good.bin"].read() == good
        path.rename(path.with_suffix(".away"))
        with pytest.raises((NotFound, FileChanged)):
            measurement["altered.bin"].read(100)
    finally:
        if not path.exists():
            path.with_suffix(".away").rename(path)


def test_an_idle_connection_that_the_server_closed_costs_no_retry(
    server: FaultyServer, token: str, expected: bytes
) -> None:
    file = connect(server.url, token, retries=0).measurement("lab")[big]
    for position in range(0, 1_000_000, 200_000):
        file.seek(position)
        assert file.read(10) == expected[position : position + 10]
        server.drop_connections()
    assert all(is_file(exchange) for exchange in server.requests[1:])
