"""The folders that the paths of a measurement make."""

from __future__ import annotations

from collections.abc import Iterable


class Tree:
    """Folders with their files and folders, by path; the root is the empty path."""

    def __init__(self, paths: Iterable[str]) -> None:
        # Of a dict only the keys count: they keep their order.
        self._folders: dict[str, dict[str, None]] = {"": {}}
        self._files: dict[str, list[str]] = {"": []}
        for path in paths:
            self._files[self._add(path.rpartition("/")[0])].append(path)

    def __contains__(self, folder: str) -> bool:
        return folder in self._files

    def folders(self, folder: str) -> list[str]:
        """Paths of the folders in a folder."""
        return list(self._folders[folder])

    def files(self, folder: str) -> list[str]:
        """Paths of the files in a folder."""
        return self._files[folder]

    def _add(self, folder: str) -> str:
        if folder not in self._files:
            self._files[folder], self._folders[folder] = [], {}
            parent = self._add(folder.rpartition("/")[0])
            self._folders[parent][folder] = None
        return folder
