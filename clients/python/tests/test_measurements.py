"""Lists, measurements and what the service refuses."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

import benchport
from benchport import (
    AccessDenied,
    AuthenticationError,
    BadManifest,
    BenchportError,
    FileChanged,
    NotFound,
    ServerUnreachable,
    Unavailable,
    connect,
)
from faulty_server import Exchange, FaultyServer, problem


def test_lists_measurements_page_by_page(server: FaultyServer, token: str) -> None:
    def one_a_page(exchange: Exchange) -> None:
        if exchange.number == 1:
            exchange.headers["Link"] = (
                '<https://elsewhere.example/measurements?page=2>; rel="next", <x>; rel="first"'
            )

    server.fault = one_a_page
    found = list(connect(server.url, token).measurements())
    assert {summary.id for summary in found} == {"lab", "changing"}
    # The second page is asked for here, and not at the address that the answer names.
    assert server.requests[1].path == "/api/v4/measurements?page=2"
    (one,) = connect().measurements(search="ment lab")
    assert (one.id, one.title, one.state) == ("lab", "Measurement lab", "available")


def test_follows_the_pages_of_the_service(url: str, token: str) -> None:
    client = connect(url, token)
    client.page_size = 1
    assert sorted(summary.id for summary in client.measurements()) == ["changing", "lab"]


def test_a_measurement_maps_paths_to_files(lab: benchport.Measurement, originals: Path) -> None:
    there = [file for file in (originals / "lab").rglob("*") if file.is_file()]
    assert set(lab) == {file.relative_to(originals / "lab").as_posix() for file in there}
    assert len(lab) == len(there)
    assert lab.total_bytes == sum(file.stat().st_size for file in there)
    assert lab.title == "Measurement lab"
    frames = [path for path in lab if "frame" in path]
    assert frames == [f"odd names/frame{number}.bin" for number in (1, 2, 10)]
    assert [entry.index for entry in lab.manifest] == list(range(len(there)))
    assert "scan.h5" in lab
    assert "scan" not in lab
    assert lab.get("no such file") is None


def test_unknown_names_are_key_and_file_errors(lab: benchport.Measurement) -> None:
    with pytest.raises(KeyError, match=r"lab has no file 'scan\.h'\. Did you mean 'scan\.h5'\?"):
        lab["scan.h"]
    with pytest.raises(FileNotFoundError, match="There is no measurement with this id"):
        benchport.open("no-such")
    for unusable in ("", "../x", "a/b", ".hidden", "x" * 200):
        with pytest.raises(NotFound, match="cannot be the id"):
            benchport.open(unusable)


def test_refusals_have_the_words_of_the_service(url: str) -> None:
    with pytest.raises(AccessDenied, match="Ask its owner for access") as denied:
        connect(url, os.environ["BENCHPORT_TEST_OTHER_TOKEN"]).measurement("lab")
    assert denied.value.status == 403
    assert denied.value.request_id
    with pytest.raises(AuthenticationError) as unknown:
        connect(url, "bppat-unknown").measurement("lab")
    assert unknown.value.status == 401
    assert "bppat-unknown" not in str(unknown.value)


def test_a_missing_token_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BENCHPORT_TOKEN")
    with pytest.raises(PermissionError, match="set BENCHPORT_TOKEN or BENCHPORT_TOKEN_FILE"):
        connect(url).measurement("lab")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (409, FileChanged),
        (429, Unavailable),
        (503, Unavailable),
        (504, Unavailable),
        (500, BenchportError),
    ],
)
def test_statuses_are_exceptions(
    status: int, kind: type[Exception], server: FaultyServer, token: str
) -> None:
    server.fault = lambda exchange: problem(exchange, status, "Said by the server.")
    with pytest.raises(kind, match=r"^Said by the server\.$") as caught:
        connect(server.url, token, retries=1).measurement("lab")
    assert isinstance(caught.value, OSError)
    assert len(server.requests) == (2 if kind is Unavailable else 1)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[]",
        b'{"measurementId":"lab"}',
        b'{"measurementId":"other","files":[]}',
        b'{"measurementId":"lab","files":[1]}',
        b'{"measurementId":"lab","files":[{"index":1,"path":"a","length":1,"sha256":"%s"}]}'
        % (b"a" * 64),
        b'{"measurementId":"lab","files":[{"index":0,"path":"a","length":-1,"sha256":"%s"}]}'
        % (b"a" * 64),
        b'{"measurementId":"lab","files":[{"index":0,"path":"../a","length":1,"sha256":"%s"}]}'
        % (b"a" * 64),
        b'{"measurementId":"lab","files":[{"index":0,"path":"/a","length":1,"sha256":"%s"}]}'
        % (b"a" * 64),
        b'{"measurementId":"lab","files":[{"index":0,"path":"a\\\\b","length":1,"sha256":"%s"}]}'
        % (b"a" * 64),
        b'{"measurementId":"lab","files":[{"index":0,"path":"a","length":1}]}',
    ],
)
def test_answers_that_are_no_manifest_are_refused(
    body: bytes, server: FaultyServer, token: str
) -> None:
    def other(exchange: Exchange) -> None:
        exchange.body = body

    server.fault = other
    with pytest.raises(BadManifest):
        connect(server.url, token).measurement("lab")


def test_a_server_that_is_not_there_is_named() -> None:
    with FaultyServer("http://127.0.0.1:9") as gone:
        pass
    with pytest.raises(ServerUnreachable, match=f"{gone.url} is not reached: .*refused"):
        connect(gone.url, "token", retries=2).measurement("lab")


def test_redirects_keep_the_token_at_home(server: FaultyServer, token: str) -> None:
    with FaultyServer(server.url) as other:

        def away(exchange: Exchange) -> None:
            exchange.status = 302
            exchange.headers = {"Location": f"{other.url}{exchange.path}"}
            exchange.body = b""

        server.fault = away
        with pytest.raises(BenchportError, match=r"redirects to .*, where the token is not sent"):
            connect(server.url, token).measurement("lab")
        assert other.requests == []

    def near(exchange: Exchange) -> None:
        if exchange.number % 3 != 0:
            away(exchange)
            exchange.headers["Location"] = exchange.path

    server.fault = near
    server.requests.clear()
    assert len(connect(server.url, token).measurement("lab")) > 30
    server.fault = lambda exchange: exchange.__dict__.update(status=302, headers={"Location": "/x"})
    with pytest.raises(BenchportError, match="redirects without end"):
        connect(server.url, token).measurement("lab")


def test_measurements_and_files_can_be_pickled(url: str, token: str) -> None:
    with connect(url, token) as client:
        file = client.measurement("lab")["spectrum.csv"]
        file.seek(10)
        again = pickle.loads(pickle.dumps(file))
        assert again.tell() == 10
        assert again.read(100) == file.read(100)
        assert pickle.loads(pickle.dumps(client.measurement("lab"))).id == "lab"
