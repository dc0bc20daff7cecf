"""Requests to one server, for JSON and for bytes of files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urljoin, urlsplit

from ..common.errors import BadManifest, BenchportError
from ..common.version import __version__
from .connections import ConnectionPool
from .response_errors import error_from, expect_range, is_timeout, reraise
from .retries import BrokenTransfer, Retries
from .settings import Settings

max_redirects = 5
piece_bytes = 256 * 1024


class Transport:
    """Sends requests to one server. May be used by several threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._pool = ConnectionPool(settings)

    def close(self) -> None:
        """Closes the idle connections."""
        self._pool.close()

    def get_json(self, target: str) -> tuple[Any, Mapping[str, str]]:
        """Value and headers of an answer. Raises BenchportError."""

        def once() -> tuple[bytes, Mapping[str, str]]:
            with self._response(target, {"Accept": "application/json"}) as response:
                return response.read(), dict(response.headers.items())

        body, headers = Retries(self.settings).run(once)
        try:
            return json.loads(body), {name.lower(): value for name, value in headers.items()}
        except ValueError:
            raise BadManifest(f"{self.settings.url}{target} did not answer with JSON.") from None

    def read_range(self, target: str, start: int, into: memoryview, length: int, etag: str) -> None:
        """Fills a buffer with the bytes of a file of `length` bytes from `start` on.

        Raises FileChanged unless the server still has the file with this entity tag.
        """
        done = 0

        def once() -> None:
            nonlocal done
            for piece in self.stream(target, start + done, start + len(into), length, etag):
                into[done : done + len(piece)] = piece
                done += len(piece)
                retries.advance(len(piece))

        retries = Retries(self.settings)
        retries.run(once)

    def stream(self, target: str, start: int, end: int, length: int, etag: str) -> Iterator[bytes]:
        """The bytes `start` to `end` (exclusive) as they come, without retries.

        Raises BrokenTransfer if the connection ends early.
        """
        if start >= end:
            return
        headers = {"Range": f"bytes={start}-{end - 1}", "If-Range": etag}
        with self._response(target, headers) as response:
            expect_range(response, f"bytes {start}-{end - 1}/{length}", etag)
            left = end - start
            while left > 0:
                # Unlike `read`, it loses nothing of what came before a failure.
                piece = response.read1(min(left, piece_bytes))
                if not piece:
                    raise BrokenTransfer(f"the answer ended {left} bytes early")
                left -= len(piece)
                yield piece

    @contextmanager
    def _response(self, target: str, headers: Mapping[str, str]) -> Iterator[HTTPResponse]:
        """An answer below 300. Its connection is used again only if it was read to its end."""
        for _ in range(max_redirects):
            connection, response = self._send(target, headers)
            location = response.headers.get("Location")
            if response.status // 100 != 3 or location is None:
                break
            connection.close()
            target = self._redirected(target, location)
        else:
            raise BenchportError(f"{self.settings.url} redirects without end.")
        complete = False
        try:
            if response.status >= 300:
                raise error_from(response, self.settings)
            yield response
            # The end of a body in chunks is only seen by reading it.
            complete = response.isclosed() or response.read(1) == b""
        except (OSError, HTTPException) as error:
            reraise(error)
        finally:
            if complete and not response.will_close:
                self._pool.give_back(connection)
            else:
                response.close()
                connection.close()

    def _send(self, target: str, headers: Mapping[str, str]) -> tuple[HTTPConnection, HTTPResponse]:
        sent = {
            "Host": self.settings.authority,
            "User-Agent": f"benchport-python/{__version__}",
            "Accept-Encoding": "identity",
            **headers,
        }
        if self.settings.token is not None:
            sent["Authorization"] = f"Bearer {self.settings.token}"
        while True:
            connection, used = self._pool.take()
            try:
                connection.request("GET", target, headers=sent)
                return connection, connection.getresponse()
            except (OSError, HTTPException) as error:
                connection.close()
                # The server may have closed an idle connection meanwhile: no failure.
                if not used or is_timeout(error):
                    reraise(error)

    def _redirected(self, target: str, location: str) -> str:
        to = urlsplit(urljoin(f"{self.settings.origin}{target}", location))
        usual = 443 if to.scheme == "https" else 80
        here = (self.settings.scheme, self.settings.host, self.settings.port)
        if (to.scheme, to.hostname, to.port or usual) != here:
            raise BenchportError(
                f"{self.settings.url} redirects to {to.scheme}://{to.netloc}, where the token is "
                "not sent. Use that address if you trust it."
            )
        return f"{to.path}?{to.query}" if to.query else to.path
