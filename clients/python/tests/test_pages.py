"""The examples of the pages, run from top to bottom as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

fence = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
not_run = re.compile(r"<!-- not run: (.+) -->\s*\Z")
languages = {"python", "r", "matlab", "sh", "text"}
stated_url = "http://127.0.0.1:7420"


@dataclass
class Example:
    """One block of a page."""

    line: int
    language: str
    script: str
    not_run: str | None
    answer: str | None = None


def examples_of(page: Path) -> list[Example]:
    """The blocks of a page in order; `text` after "prints" is what the one before it prints."""
    text, found, end = page.read_text("utf-8"), [], 0
    for match in fence.finditer(text):
        language, script = match[1], match[2]
        before = text[end : match.start()].strip()
        line = text.count("\n", 0, match.start()) + 1
        assert language in languages, f"{page.name}:{line} is in {language}"
        if language == "text":
            assert before.endswith("prints"), f"{page.name}:{line} is no example"
            found[-1].answer = script
        else:
            reason = not_run.search(before)
            found.append(Example(line, language, script, reason[1] if reason else None))
        end = match.end()
    return found


def run(examples: list[Example], command: list[str], comment: str, folder: Path, url: str) -> None:
    """Runs the examples of one language in one process and compares what they print."""
    mark = "--- example"
    parts = [
        f"{comment.format(f'{mark} {example.line}')}\n{example.script}" for example in examples
    ]
    script = folder / "examples.txt"
    script.write_text("\n".join(parts).replace(stated_url, url), "utf-8")
    ran = subprocess.run(
        [*command, str(script)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    printed = dict(re.findall(rf"^{mark} (\d+)\n(.*?)(?=^{mark}|\Z)", ran.stdout, re.M | re.S))
    for example in examples:
        if example.answer is not None:
            pattern = ".+".join(re.escape(part) for part in example.answer.strip().split("..."))
            said = re.sub(r" +$", "", printed[str(example.line)].strip(), flags=re.M)
            assert re.fullmatch(pattern, said), f"line {example.line} printed {said!r}"


def pages() -> list[Path]:
    root = Path(os.environ["BENCHPORT_TEST_SOURCE"])
    return [root / "README.md", root.parent.parent / "docs/python.md"]


@pytest.fixture(params=pages(), ids=lambda page: page.name)
def examples(request: pytest.FixtureRequest) -> list[Example]:
    return examples_of(request.param)


def test_python_examples(examples: list[Example], tmp_path: Path, url: str) -> None:
    python = [one for one in examples if one.language == "python"]
    assert len(python) >= 3
    assert [one.not_run for one in python if one.not_run] == []
    run(python, [sys.executable, "-W", "error"], 'print("{}")', tmp_path, url)


def test_shell_examples(examples: list[Example], tmp_path: Path, url: str) -> None:
    shell = [one for one in examples if one.language == "sh" and one.not_run is None]
    assert len(shell) >= 1
    (tmp_path / "token.txt").write_text(os.environ["BENCHPORT_TOKEN"], "utf-8")
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', "utf-8")
    (bin_folder / "python").chmod(0o755)
    command = ["env", "-u", "BENCHPORT_TOKEN", f"PATH={bin_folder}:{os.environ['PATH']}"]
    run(shell, [*command, "bash", "-euo", "pipefail"], "echo '{}'", tmp_path, url)


def test_r_examples(tmp_path: Path, url: str) -> None:
    r = [one for one in examples_of(pages()[1]) if one.language == "r"]
    assert len(r) >= 3
    if shutil.which("Rscript") is None:
        pytest.fail("Rscript is not installed: it is in Debian's r-base-core")
    run(r, ["Rscript", "--vanilla"], "cat('{}\\n')", tmp_path, url)


def test_what_is_not_run_says_why() -> None:
    found = [one for page in pages() for one in examples_of(page) if one.language == "matlab"]
    assert len(found) >= 2
    assert {one.not_run for one in found} == {"MATLAB needs a licence"}
