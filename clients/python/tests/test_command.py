"""`python -m benchport`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchport.__main__ import main


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "BENCHPORT_TOKEN"}
    return subprocess.run(
        [sys.executable, "-m", "benchport", *arguments],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_lists_and_gets(tmp_path: Path, token: str, originals: Path) -> None:
    file = tmp_path / "token.txt"
    file.write_text(token, "utf-8")
    listed = run("--token-file", str(file), "list", "--search", "lab")
    assert listed.stdout.startswith("lab  33 files, ")
    files = run("--token-file", str(file), "list", "lab")
    assert len(files.stdout.splitlines()) == 33
    got = run("list", "lab", BENCHPORT_TOKEN_FILE=str(file))
    assert got.stdout == files.stdout
    to = str(tmp_path / "got")
    got = run("--token-file", str(file), "get", "lab", "--to", to, "--file", "scan.h5")
    assert (got.returncode, got.stderr) == (0, "")
    assert (tmp_path / "got/lab/scan.h5").read_bytes() == (originals / "lab/scan.h5").read_bytes()


def test_says_in_one_line_what_is_wrong(tmp_path: Path) -> None:
    failed = run("get", "lab", "--to", str(tmp_path))
    assert failed.returncode == 1
    assert failed.stderr.startswith("benchport: ")
    assert failed.stderr.count("\n") == 1
    assert "BENCHPORT_TOKEN" in failed.stderr
    missing = run("--token-file", str(tmp_path / "none"), "list")
    assert missing.stderr.endswith("No such file or directory.\n")
    assert run("get", "lab").returncode == 2


def test_names_each_file_that_is_missing(tmp_path: Path, token: str) -> None:
    (tmp_path / "lab/tables").mkdir(parents=True)
    for name in ("scan.h5", "climate.nc"):
        (tmp_path / "lab" / name).write_text("mine", "utf-8")
    failed = run("get", "lab", "--to", str(tmp_path), BENCHPORT_TOKEN=token)
    assert failed.returncode == 1
    lines = failed.stderr.splitlines()
    assert [line.split(": ")[1] for line in lines[:-1]] == ["scan.h5", "climate.nc"]
    assert lines[-1].startswith("benchport: 2 of 33 files were not downloaded.")
    file = tmp_path / "a file"
    file.write_text("x", "utf-8")
    refused = run("get", "lab", "--to", str(file), BENCHPORT_TOKEN=token)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)


def test_runs_within_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert sorted(line.split()[0] for line in capsys.readouterr().out.splitlines()) == [
        "changing",
        "lab",
    ]
