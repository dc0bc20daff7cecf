"""Which paths of a manifest can be written below a folder."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable

from ..common.errors import BadManifest
from ..files.manifest import is_relative

state_folder = ".benchport-python"
max_name_bytes = 255
_device = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .:].*)?", re.I
)
_refused_by_windows = re.compile(r'[<>:"|?*]|[ .]$')


def check_names(paths: Iterable[str], on_windows: bool = os.name == "nt") -> None:
    """Raises BadManifest naming a path that leads elsewhere or that cannot have a file of its own.

    Names of devices and names that differ by case alone are refused everywhere, because folders
    are carried to other systems; characters that only Windows refuses, on Windows.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in paths:
        trouble = _trouble(path, on_windows)
        if trouble is not None:
            raise BadManifest(f"{path!r} cannot be written: {trouble}.")
        parts = _folded(path).split("/")
        for depth in range(1, len(parts)):
            folders.setdefault("/".join(parts[:depth]), path)
        other = files.setdefault("/".join(parts), path)
        if other is not path and other != path:
            raise BadManifest(f"{path!r} differs from {other!r} by case or Unicode form alone.")
    for folded in files.keys() & folders.keys():
        raise BadManifest(f"{files[folded]!r} is the name of a file and of a folder.")


def _trouble(path: str, on_windows: bool) -> str | None:
    if not is_relative(path):
        return "it leads out of the folder"
    names = path.split("/")
    if _folded(names[0]) == state_folder:
        return f"{state_folder} is where unfinished files are"
    for name in names:
        if _device.fullmatch(name) is not None:
            return f"{name!r} is a device on Windows"
        if len(os.fsencode(name) if _is_encodable(name) else b"") > max_name_bytes:
            return f"a name is longer than {max_name_bytes} bytes"
        if on_windows and _refused_by_windows.search(name) is not None:
            return f"Windows does not allow the name {name!r}"
    return None


def _is_encodable(name: str) -> bool:
    try:
        name.encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
