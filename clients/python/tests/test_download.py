"""Whole measurements onto the disk."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import benchport
from benchport import (
    BadManifest,
    BenchportError,
    ChecksumMismatch,
    DownloadError,
    Measurement,
    Progress,
)
from benchport.download import fetch_file
from benchport.download.lock import locked
from benchport.download.names import check_names, state_folder
from faulty_server import Exchange, FaultyServer, is_file, problem

big = "odd names/big.bin"


def tree_of(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_downloads_everything_and_tells_how_far_it_is(
    lab: Measurement, originals: Path, tmp_path: Path
) -> None:
    told: list[Progress] = []
    folder = lab.download(tmp_path, progress=told.append)
    assert folder == tmp_path / "lab"
    assert tree_of(folder) == tree_of(originals / "lab")
    assert told[-1] == Progress(lab.total_bytes, lab.total_bytes, len(lab), len(lab))
    assert [one.done_bytes for one in told] == sorted(one.done_bytes for one in told)
    assert not (folder / state_folder).exists()


def test_downloads_chosen_files(lab: Measurement, tmp_path: Path) -> None:
    lab.download(str(tmp_path), ["spectrum.csv", "tables/spectrum.parquet", "spectrum.csv"])
    assert set(tree_of(tmp_path / "lab")) == {"spectrum.csv", "tables/spectrum.parquet"}
    with pytest.raises(KeyError, match="no file"):
        lab.download(tmp_path, ["nothing"])
    with pytest.raises(ValueError, match="not 1 to 16"):
        lab.download(tmp_path, connections=0)


def test_what_is_there_is_verified_and_not_fetched_again(
    broken: Measurement, server: FaultyServer, tmp_path: Path
) -> None:
    folder = broken.download(tmp_path)
    server.requests.clear()
    broken.download(tmp_path)
    assert server.requests == []
    (folder / "spectrum.csv").write_text("mine", "utf-8")
    with pytest.raises(DownloadError, match=r"1 of 33 files .*spectrum\.csv exists and is another"):
        broken.download(tmp_path)
    assert (folder / "spectrum.csv").read_text("utf-8") == "mine"


def test_continues_where_it_was_interrupted(
    broken: Measurement, server: FaultyServer, originals: Path, tmp_path: Path
) -> None:
    def gone(exchange: Exchange) -> None:
        if exchange.number == 1:
            exchange.cut_after = 5_000_000
        else:
            exchange.cut_after = 0

    server.fault = gone
    with pytest.raises(benchport.ServerUnreachable):
        broken.download(tmp_path, [big], connections=1)
    server.fault = lambda _: None
    server.requests.clear()
    folder = broken.download(tmp_path, [big])
    assert server.ranges == [(5_000_000, 8_999_999)]
    assert (folder / big).read_bytes() == (originals / "lab" / big).read_bytes()


def test_continues_after_its_process_was_killed(
    server: FaultyServer, token: str, originals: Path, tmp_path: Path
) -> None:
    never = threading.Event()

    def hang(exchange: Exchange) -> None:
        if is_file(exchange) and len(exchange.body) > 4_000_000:
            exchange.cut_after, exchange.wait_for = 4_000_000, never

    server.fault = hang
    command = [sys.executable, "-m", "benchport", "--url", server.url, "get", "lab"]
    process = subprocess.Popen(
        [*command, "--to", str(tmp_path), "--file", big],
        env={**os.environ, "BENCHPORT_TOKEN": token},
    )
    state = tmp_path / "lab" / state_folder
    until = time.monotonic() + 60
    while sum(file.stat().st_size for file in state.glob("*.part")) < 4_000_000:
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not (tmp_path / "lab" / big).exists()
    never.set()
    server.fault = lambda _: None
    server.requests.clear()
    ended = subprocess.run(
        [*command, "--to", str(tmp_path), "--file", big],
        env={**os.environ, "BENCHPORT_TOKEN": token},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout == f"{tmp_path / 'lab'}  verified\n"
    assert server.ranges == [(4_000_000, 8_999_999)]
    assert tree_of(tmp_path / "lab") == {big: tree_of(originals / "lab")[big]}


def test_an_interrupt_keeps_what_is_there(server: FaultyServer, token: str, tmp_path: Path) -> None:
    later = threading.Event()

    def slow(exchange: Exchange) -> None:
        if is_file(exchange):
            exchange.cut_after, exchange.wait_for = 1_000_000, later

    server.fault = slow
    process = subprocess.Popen(
        [sys.executable, "-m", "benchport", "--url", server.url, "get", "lab", "--to", tmp_path],
        env={**os.environ, "BENCHPORT_TOKEN": token},
        stderr=subprocess.PIPE,
        text=True,
    )
    state = tmp_path / "lab" / state_folder
    until = time.monotonic() + 60
    while not any(file.stat().st_size >= 1_000_000 for file in state.glob("*.part")):
        assert time.monotonic() < until
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    later.set()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.strip() == "Stopped. Run the same command again to continue."
    assert any(state.glob("*.part"))


def test_a_wrong_byte_is_fetched_once_more(
    broken: Measurement, server: FaultyServer, originals: Path, tmp_path: Path
) -> None:
    def flip(exchange: Exchange) -> None:
        if exchange.number == 1:
            exchange.body = exchange.body[:-1] + bytes([exchange.body[-1] ^ 128])

    server.fault = flip
    told: list[Progress] = []
    folder = broken.download(tmp_path, ["scan.h5"], told.append)
    assert (folder / "scan.h5").read_bytes() == (originals / "lab/scan.h5").read_bytes()
    assert len(server.requests) == 2
    assert told[-1].done_bytes == told[-1].total_bytes


def test_a_byte_that_stays_wrong_names_the_file(
    broken: Measurement, server: FaultyServer, tmp_path: Path
) -> None:
    index = str(broken.entry("scan.h5").index)

    def flip(exchange: Exchange) -> None:
        if exchange.path.endswith(f"/{index}"):
            exchange.body = bytes([exchange.body[0] ^ 1]) + exchange.body[1:]

    server.fault = flip
    with pytest.raises(DownloadError, match=r"1 of 33 files was not downloaded\. scan\.h5") as e:
        broken.download(tmp_path)
    assert isinstance(e.value.failures["scan.h5"], ChecksumMismatch)
    # All others are there.
    assert len(tree_of(tmp_path / "lab").keys() & set(broken)) == 32
    assert not (tmp_path / "lab/scan.h5").exists()


def test_files_that_cannot_be_had_are_named(
    broken: Measurement, server: FaultyServer, tmp_path: Path
) -> None:
    def refuse(exchange: Exchange) -> None:
        if exchange.path.endswith(("/1", "/2")):
            problem(exchange, 409, "It is not what was registered.")

    server.fault = refuse
    with pytest.raises(DownloadError, match=r"2 of 33 files were not downloaded") as caught:
        broken.download(tmp_path)
    assert list(caught.value.failures) == sorted(
        (broken.manifest[index].path for index in (1, 2)),
        key=lambda path: -broken.entry(path).length,
    )
    server.fault = lambda exchange: problem(exchange, 403, "No longer.")
    with pytest.raises(benchport.AccessDenied, match="No longer"):
        broken.download(tmp_path)


def test_a_full_disk_loses_nothing(
    broken: Measurement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(fetch_file.FileIO):
        def write(self, data: object) -> int:
            if self.tell() >= 2_000_000:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(fetch_file, "FileIO", Full)
        with pytest.raises(BenchportError, match=r"The disk is full\. What is there is kept") as e:
            broken.download(tmp_path)
        assert e.value.errno == errno.ENOSPC
        parts = list((tmp_path / "lab" / state_folder).glob("*.part"))
        assert max(file.stat().st_size for file in parts) >= 2_000_000
    broken.download(tmp_path)


def test_what_does_not_fit_is_not_begun(
    broken: Measurement, server: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = 1000

    monkeypatch.setattr("benchport.download.download.shutil.disk_usage", lambda _: Usage)
    with pytest.raises(BenchportError, match=r"\d+ bytes are to come, and 1000 are free"):
        broken.download(tmp_path)
    assert server.requests == []


def test_one_download_at_a_time_in_a_folder(lab: Measurement, tmp_path: Path) -> None:
    state = tmp_path / "lab" / state_folder
    state.mkdir(parents=True)
    with locked(state / "lock"), pytest.raises(BenchportError, match="Another download into"):
        lab.download(tmp_path)
    lab.download(tmp_path, ["spectrum.csv"])


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (["../x"], "leads out"),
        (["/etc/passwd"], "leads out"),
        (["a//b"], "leads out"),
        (["a/./b"], "leads out"),
        (["a\\b"], "leads out"),
        (["a\0b"], "leads out"),
        (["CON"], "a device on Windows"),
        (["x/aux.txt"], "a device on Windows"),
        (["lpt1 .txt"], "a device on Windows"),
        ([f"{state_folder}/lock"], "where unfinished files are"),
        ([".Benchport-Python/lock"], "where unfinished files are"),
        (["ü" * 128], "longer than 255 bytes"),
        (["a/X.csv", "A/x.csv"], "differs from 'a/X.csv' by case"),
        (["ä", "a\u0308"], "by case or Unicode form alone"),
        (["a", "A/b"], "is the name of a file and of a folder"),
        (["a/b/c", "a/b"], "is the name of a file and of a folder"),
    ],
)
def test_names_that_cannot_be_written_are_refused(paths: list[str], words: str) -> None:
    with pytest.raises(BadManifest, match=words):
        check_names(paths)


def test_names_that_only_windows_refuses() -> None:
    names = ["12:30.csv", "what?", "end.", "end ", "a<b", "x/q|r"]
    check_names(names, on_windows=False)
    for name in names:
        with pytest.raises(BadManifest, match="Windows does not allow"):
            check_names([name], on_windows=True)
    check_names(["console.txt", "com10", "aux-1", ".hidden", "a.b/c"], on_windows=True)


def test_a_list_of_hostile_names_writes_nothing(
    server: FaultyServer, token: str, tmp_path: Path
) -> None:
    def collide(exchange: Exchange) -> None:
        exchange.body = exchange.body.replace(b'"spectrum.csv"', b'"SCAN.H5"')

    server.fault = collide
    measurement = benchport.connect(server.url, token).measurement("lab")
    with pytest.raises(BadManifest, match="by case"):
        measurement.download(tmp_path)
    assert list(tmp_path.iterdir()) == []
