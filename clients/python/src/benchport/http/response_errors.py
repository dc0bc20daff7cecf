"""What failed responses and connections mean."""

from __future__ import annotations

import email.utils
import json
import socket
import ssl
import time
from http.client import HTTPResponse
from typing import NoReturn

from ..common.errors import BenchportError, CertificateError, FileChanged, Unavailable, error_of
from .retries import BrokenTransfer
from .settings import Settings

max_error_bytes = 64 * 1024


def expect_range(response: HTTPResponse, content_range: str, etag: str) -> None:
    """Raises FileChanged for another file, BrokenTransfer for another range of it."""
    told = response.headers.get("ETag")
    if response.status == 200 or (told is not None and told != etag):
        raise FileChanged("The file is another one than the manifest states.", status=409)
    if response.status != 206 or response.headers.get("Content-Range") != content_range:
        raise BrokenTransfer("the server answered with another range than it was asked for")


def error_from(response: HTTPResponse, settings: Settings) -> BenchportError:
    """The exception for a response of 300 or above, with the words of the server."""
    body = response.read(max_error_bytes)
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    problem = value if isinstance(value, dict) else {}
    said = problem.get("detail") or problem.get("message") or problem.get("error_description")
    detail = said if isinstance(said, str) else f"{response.status} {response.reason}"
    if response.status == 401 and settings.token is None:
        detail = f"{detail} Give a token, or set BENCHPORT_TOKEN or BENCHPORT_TOKEN_FILE."
    kind = problem.get("type")
    error = error_of(
        502 if response.status == 504 else response.status,
        detail,
        kind.rsplit("/", 1)[-1].rsplit(":", 1)[-1] if isinstance(kind, str) else None,
        response.headers.get("X-Request-Id"),
    )
    if response.status in (502, 504):
        error = Unavailable(detail, status=response.status)
    if isinstance(error, Unavailable):
        error.retry_after = _seconds(response.headers.get("Retry-After"))
    return error


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    if text.strip().isdigit():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def is_timeout(error: Exception) -> bool:
    """Whether a socket gave up waiting."""
    # Two classes before Python 3.10.
    return isinstance(error, (TimeoutError, socket.timeout))


def reraise(error: Exception) -> NoReturn:
    """Raises a failure of a connection as BrokenTransfer, or as what cannot be repeated."""
    if isinstance(error, BenchportError):
        raise error
    if isinstance(error, ssl.SSLCertVerificationError):
        raise CertificateError(
            f"The certificate of the server is not trusted: {error.verify_message}."
        ) from error
    why = "it does not answer in time" if is_timeout(error) else str(error) or type(error).__name__
    raise BrokenTransfer(why) from error
