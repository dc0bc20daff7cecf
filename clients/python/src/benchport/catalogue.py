"""Measurements, folders and files by paths such as `MEASUREMENT/FOLDER/FILE`."""

from __future__ import annotations

from threading import Lock
from typing import Any

from .client import Client
from .common.errors import NotFound
from .files.infos import Info, file_info, folder_info
from .files.manifest import Entry
from .files.tree import Tree
from .http.settings import resolve_settings
from .measurement import Measurement


class Catalogue:
    """What a server has, with the lists of files that were asked for. For several threads."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given
        self._lock = Lock()
        self._client: Client | None = None
        self._opened: dict[str, tuple[Measurement, Tree]] = {}

    @property
    def client(self) -> Client:
        """The client of now: another one when the environment has changed."""
        settings = resolve_settings(**self._given)
        with self._lock:
            if self._client is None or self._client.transport.settings != settings:
                self._client, self._opened = Client(**self._given), {}
            return self._client

    def rows(self, path: str) -> list[Info]:
        """What is in a folder; a file has itself. Raises NotFound."""
        if path == "":
            return [folder_info(summary.id) for summary in self.client.measurements()]
        measurement, tree, inside = self._locate(path)
        if inside in measurement:
            return [file_info(measurement.id, measurement.entry(inside))]
        if inside not in tree:
            raise _missing(measurement, inside)
        folders = [folder_info(f"{measurement.id}/{name}") for name in tree.folders(inside)]
        files = [file_info(measurement.id, measurement.entry(name)) for name in tree.files(inside)]
        return folders + files

    def info(self, path: str) -> Info:
        """A file or folder. Raises NotFound."""
        if path == "":
            return folder_info("")
        measurement, tree, inside = self._locate(path)
        if inside in measurement:
            return file_info(measurement.id, measurement.entry(inside))
        if inside in tree:
            return folder_info(path)
        raise _missing(measurement, inside)

    def entry(self, path: str) -> tuple[Measurement, Entry]:
        """A file. Raises NotFound, IsADirectoryError."""
        measurement, tree, inside = self._locate(path)
        if inside in measurement:
            return measurement, measurement.entry(inside)
        if inside in tree:
            raise IsADirectoryError(f"{path} is a folder")
        raise _missing(measurement, inside)

    def forget(self, measurement_id: str | None) -> None:
        """Reads the list of a measurement, or of all, again with the next use."""
        with self._lock:
            if measurement_id is None:
                self._opened.clear()
            else:
                self._opened.pop(measurement_id, None)

    def _locate(self, path: str) -> tuple[Measurement, Tree, str]:
        measurement_id, _, inside = path.partition("/")
        client = self.client
        with self._lock:
            known = self._opened.get(measurement_id)
        if known is None:
            measurement = client.measurement(measurement_id)
            known = (measurement, Tree(measurement))
            with self._lock:
                self._opened[measurement_id] = known
        return (*known, inside)


def _missing(measurement: Measurement, inside: str) -> NotFound:
    """Without a guess at what was meant: libraries look for what is often not there."""
    return NotFound(f"{measurement.id} has no file or folder {inside!r}.", status=404)
