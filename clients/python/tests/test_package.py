"""What is installed, and the gates that its source passes."""

from __future__ import annotations

import ast
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import benchport

max_file = 250
max_function = 60


def gate(source: Path, tmp_path: Path, *command: str) -> str:
    """Runs a tool on the source; its answer is empty when all is well."""
    ran = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=source,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr


def test_the_wheel_has_types_and_its_protocol() -> None:
    files = {str(file) for file in importlib.metadata.files("benchport") or []}
    assert {"benchport/py.typed", "benchport/filesystem.py"} <= files
    # Nothing but the package, and no test.
    assert {file.split("/")[0].split("-")[0] for file in files} == {"benchport"}
    facts = importlib.metadata.metadata("benchport")
    assert (facts["Version"], facts["License-Expression"]) == (benchport.__version__, "MIT")
    assert importlib.metadata.requires("benchport") == ["fsspec>=2024.5"]
    (entry,) = importlib.metadata.entry_points(group="fsspec.specs", name="benchport")
    assert entry.load().protocol == "benchport"


def test_the_tests_run_on_what_is_installed(source: Path) -> None:
    assert source not in Path(benchport.__file__).parents


def test_types_are_complete(source: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "mypy")
    assert gate(source, tmp_path, "mypy", "--strict", "--cache-dir", cache, "src") == ""
    user = tmp_path / "user.py"
    user.write_text(
        "import benchport\n"
        "measurement = benchport.open('lab')\n"
        "length: int = len(measurement['x'].read(5))\n"
        "title: str = measurement.title\n"
        "sha256: list[str] = [entry.sha256 for entry in measurement.manifest]\n",
        "utf-8",
    )
    assert gate(tmp_path, tmp_path, "mypy", "--strict", "--cache-dir", cache, str(user)) == ""


def test_lint_and_format(source: Path, tmp_path: Path) -> None:
    assert gate(source, tmp_path, "ruff", "check", "--no-cache", ".") == ""
    assert gate(source, tmp_path, "ruff", "format", "--no-cache", "--check", ".") == ""


def test_files_and_functions_are_short(source: Path) -> None:
    long: list[str] = []
    for file in [*source.glob("src/**/*.py"), *source.glob("tests/*.py")]:
        text = file.read_text("utf-8")
        if len(text.splitlines()) >= max_file and file.parent.name != "tests":
            long.append(file.name)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                length = node.end_lineno - node.lineno + 1
                if length >= max_function:
                    long.append(f"{file.name}: {node.name}, {length} lines")
    assert long == []


def test_folders_import_one_way(source: Path) -> None:
    order = ["common", "http", "files", "download", "."]
    root = source / "src/benchport"
    against: list[str] = []
    for file in root.glob("**/*.py"):
        own = order.index(str(file.parent.relative_to(root)))
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level > 0 and node.module:
                first = node.module.split(".")[0]
                inside = first if (root / first).is_dir() else "."
                if node.level == 1 and own != len(order) - 1:
                    continue
                if order.index(inside) > own:
                    against.append(f"{file.name} imports {node.module}")
    assert against == []
