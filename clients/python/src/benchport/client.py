"""The measurements of one server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from .common.errors import BadManifest, NotFound
from .http.settings import default_retries, default_timeout, resolve_settings
from .http.transport import Transport
from .measurement import Measurement

_id = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_next = re.compile(r'<([^<>]*)>\s*;\s*rel="next"')


@dataclass(frozen=True)
class Summary:
    """A measurement in a list."""

    id: str
    title: str
    state: str
    """registering, available or degraded."""
    file_count: int
    total_bytes: int
    created_at: str
    """ISO 8601, UTC."""


class Client:
    """A server and a token. Several threads may use it; the token is in no representation."""

    page_size = 100
    """Entries of a page of a list; the server has at most 100."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        ca: str | None = None,
        certificate: str | None = None,
        timeout: float = default_timeout,
        retries: int = default_retries,
    ) -> None:
        # Only what was given is passed to other processes, which have an environment of their own.
        self._given: dict[str, Any] = {
            "url": url,
            "token": token,
            "ca": ca,
            "certificate": certificate,
            "timeout": timeout,
            "retries": retries,
        }
        self.transport = Transport(resolve_settings(**self._given))

    @property
    def url(self) -> str:
        """The base URL of the server."""
        return self.transport.settings.url

    def measurement(self, measurement_id: str) -> Measurement:
        """A measurement with its files. Raises NotFound, AccessDenied."""
        if not isinstance(measurement_id, str) or _id.fullmatch(measurement_id) is None:
            raise NotFound(f"{measurement_id!r} cannot be the id of a measurement.", status=404)
        return Measurement(self, measurement_id)

    def measurements(self, search: str | None = None) -> Iterator[Summary]:
        """All measurements that the token may read, page by page as they are iterated."""
        path = f"{self.transport.settings.prefix}/api/v4/measurements"
        query = {"pagination": "keyset", "per_page": str(self.page_size)}
        if search:
            query["search"] = search
        target: str | None = f"{path}?{urlencode(query)}"
        while target is not None:
            rows, headers = self.transport.get_json(target)
            if not isinstance(rows, list):
                raise BadManifest("The server did not answer with a list of measurements.")
            yield from map(_summary, rows)
            found = _next.search(headers.get("link", ""))
            # Only the query: the token goes to no other place.
            following = None if found is None else f"{path}?{urlsplit(found[1]).query}"
            target = None if following == target else following

    def close(self) -> None:
        """Closes idle connections. The client can still be used."""
        self.transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<benchport.Client {self.url}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _client_of, (self._given,)


def _client_of(given: dict[str, Any]) -> Client:
    return Client(**given)


def _summary(row: Any) -> Summary:
    try:
        return Summary(
            id=str(row["id"]),
            title=str(row["title"]),
            state=str(row["state"]),
            file_count=int(row["file_count"]),
            total_bytes=int(row["total_bytes"]),
            created_at=str(row["created_at"]),
        )
    except (KeyError, TypeError, ValueError):
        raise BadManifest("The server sent a measurement without its fields.") from None
