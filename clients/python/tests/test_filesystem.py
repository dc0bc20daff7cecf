"""`benchport://` for fsspec."""

from __future__ import annotations

import multiprocessing
import pickle
from datetime import datetime, timezone
from pathlib import Path

import fsspec
import pytest
from fsspec.callbacks import Callback

from benchport import ChecksumMismatch, FileChanged, NotFound
from benchport.filesystem import BenchportFileSystem
from faulty_server import Exchange, FaultyServer, is_file


@pytest.fixture
def files() -> BenchportFileSystem:
    return fsspec.filesystem("benchport", skip_instance_cache=True)


def test_is_found_by_its_protocol() -> None:
    assert "benchport" in fsspec.available_protocols()
    assert fsspec.get_filesystem_class("benchport") is BenchportFileSystem
    with fsspec.open("benchport://lab/odd names/100% [a].txt", "rt") as file:
        assert file.read() == "percent\n"


def test_lists_measurements_folders_and_files(files: BenchportFileSystem) -> None:
    assert sorted(files.ls("benchport://", detail=False)) == ["changing", "lab"]
    assert files.ls("benchport://lab", detail=False) == [
        "lab/climate.zarr",
        "lab/images.zarr",
        "lab/odd names",
        "lab/tables",
        "lab/climate.nc",
        "lab/scan.h5",
        "lab/spectrum.csv",
    ]
    assert files.ls("lab/tables/", detail=False) == ["lab/tables/spectrum.parquet"]
    assert files.ls("lab/scan.h5", detail=False) == ["lab/scan.h5"]
    assert files.isdir("lab/climate.zarr/time")
    assert files.isfile("lab/climate.zarr/time/c/0")
    assert not files.exists("lab/climate")
    assert not files.exists("no-such-measurement/x")
    for unknown in ("lab/no such", "lab/tables/x", "no-such"):
        with pytest.raises(FileNotFoundError):
            files.ls(unknown)
    with pytest.raises(IsADirectoryError):
        files.open("lab/tables")


def test_says_what_a_file_is(files: BenchportFileSystem, originals: Path) -> None:
    info = files.info("benchport://lab/spectrum.csv")
    assert (info["size"], info["type"]) == (
        (originals / "lab/spectrum.csv").stat().st_size,
        "file",
    )
    assert info["ETag"] == f'"sha256-{info["sha256"]}"'
    assert files.ukey("lab/spectrum.csv") == info["sha256"]
    assert files.checksum("lab/spectrum.csv") == int(info["sha256"], 16)
    assert files.modified("lab/spectrum.csv") < datetime.now(timezone.utc)
    assert files.info("lab/tables") == {"name": "lab/tables", "size": 0, "type": "directory"}
    assert files.du("lab/tables") == (originals / "lab/tables/spectrum.parquet").stat().st_size
    with pytest.raises(NotFound, match=r"lab has no file or folder 'spectrum\.cs'"):
        files.info("lab/spectrum.cs")


def test_finds_globs_and_walks(files: BenchportFileSystem, originals: Path) -> None:
    there = [file for file in (originals / "lab").rglob("*") if file.is_file()]
    names = sorted(f"lab/{file.relative_to(originals / 'lab').as_posix()}" for file in there)
    assert sorted(files.find("lab")) == names
    assert files.glob("lab/odd names/frame*.bin") == sorted(
        name for name in names if "/frame" in name
    )
    assert files.glob("lab/**/zarr.json") == [name for name in names if name.endswith("zarr.json")]
    walked = [f"{root}/{name}" for root, _, inside in files.walk("lab") for name in inside]
    assert sorted(walked) == names


def test_reads_ranges_side_by_side(files: BenchportFileSystem, originals: Path) -> None:
    content = (originals / "lab/odd names/big.bin").read_bytes()
    name = "lab/odd names/big.bin"
    assert files.cat_file(name, 10, 20) == content[10:20]
    assert files.cat_file(name, -5) == content[-5:]
    assert files.tail(name, 7) == content[-7:]
    assert files.read_block(name, 3, 4) == content[3:7]
    assert files.cat("lab/odd names/frame*.bin").keys() == set(
        files.glob("lab/odd names/frame*.bin")
    )
    starts = [place * 40_000 for place in range(50)]
    pieces = files.cat_ranges([name] * 50, starts, [start + 100 for start in starts])
    assert pieces == [content[start : start + 100] for start in starts]
    found = files.cat_ranges([name, "lab/none"], 0, 3)
    assert found[0] == content[:3]
    assert isinstance(found[1], NotFound)
    with pytest.raises(NotFound):
        files.cat_ranges([name, "lab/none"], [0, 0], [3, 3], on_error="raise")
    with pytest.raises(ValueError, match="differ in length"):
        files.cat_ranges([name], [0, 1], [1, 2])


def test_gets_verified_files(files: BenchportFileSystem, originals: Path, tmp_path: Path) -> None:
    counted = Callback()
    files.get("lab/scan.h5", str(tmp_path / "scan.h5"), callback=counted)
    assert (tmp_path / "scan.h5").read_bytes() == (originals / "lab/scan.h5").read_bytes()
    files.get("lab/odd names", str(tmp_path / "odd"), recursive=True)
    got = {file.name: file.read_bytes() for file in (tmp_path / "odd").rglob("*") if file.is_file()}
    folder = originals / "lab/odd names"
    assert got == {file.name: file.read_bytes() for file in folder.iterdir()}


def test_names_nothing_whose_bytes_are_wrong(
    server: FaultyServer, token: str, tmp_path: Path
) -> None:
    files = BenchportFileSystem(server.url, token, skip_instance_cache=True)

    def flip(exchange: Exchange) -> None:
        if is_file(exchange):
            exchange.body = bytes([exchange.body[0] ^ 1]) + exchange.body[1:]

    server.fault = flip
    with pytest.raises(ChecksumMismatch, match=r"spectrum\.csv arrived twice"):
        files.get_file("lab/spectrum.csv", tmp_path / "spectrum.csv")
    assert list(tmp_path.iterdir()) == []


def test_writes_nothing(files: BenchportFileSystem, tmp_path: Path) -> None:
    local = tmp_path / "x"
    local.write_text("x", "utf-8")
    writes = [
        lambda: files.open("lab/x", "wb"),
        lambda: files.open("lab/x", "ab"),
        lambda: files.rm("lab/scan.h5"),
        lambda: files.put(str(local), "lab/x"),
        lambda: files.pipe("lab/x", b"x"),
        lambda: files.mkdir("lab/new"),
        lambda: files.mv("lab/scan.h5", "lab/y"),
        lambda: files.cp_file("lab/scan.h5", "lab/y"),
        lambda: files.touch("lab/x"),
    ]
    for write in writes:
        with pytest.raises(PermissionError, match="can be read, not written"):
            write()


def _head(files: BenchportFileSystem) -> bytes:
    return files.cat_file("lab/spectrum.csv", 0, 10)


def test_works_in_other_processes(files: BenchportFileSystem) -> None:
    assert files.cat_file("lab/spectrum.csv", 0, 10) == b"wavelength"
    again = pickle.loads(pickle.dumps(files))
    assert again.cat_file("lab/spectrum.csv", 0, 10) == b"wavelength"
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(_head, [files] * 4) == [b"wavelength"] * 4


def test_pickles_no_token_of_the_environment(files: BenchportFileSystem, token: str) -> None:
    assert files.exists("lab/spectrum.csv")
    assert token.encode() not in pickle.dumps(files)
    assert token not in files.to_json()
    assert token not in repr(files)


def test_sees_a_token_that_comes_later(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHPORT_TOKEN", "bppat-wrong")
    for look in ("ls", "exists", "isdir", "isfile"):
        with pytest.raises(PermissionError):
            getattr(fsspec.filesystem("benchport"), look)("lab")
    monkeypatch.setenv("BENCHPORT_TOKEN", token)
    assert fsspec.filesystem("benchport").isdir("lab/tables")


def test_keeps_lists_until_told(server: FaultyServer, token: str) -> None:
    files = BenchportFileSystem(server.url, token, skip_instance_cache=True)
    files.ls("lab")
    files.info("lab/scan.h5")
    assert len(server.requests) == 1
    files.invalidate_cache("benchport://lab/tables")
    files.ls("lab")
    assert len(server.requests) == 2
    files.invalidate_cache()
    assert files.isdir("lab")
    assert len(server.requests) == 3


def test_a_changed_file_is_an_error(server: FaultyServer, token: str) -> None:
    files = BenchportFileSystem(server.url, token, skip_instance_cache=True)

    def replaced(exchange: Exchange) -> None:
        if is_file(exchange):
            exchange.headers["ETag"] = '"sha256-another"'

    server.fault = replaced
    with pytest.raises(FileChanged):
        files.cat_file("lab/spectrum.csv")
