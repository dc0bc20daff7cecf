"""The exceptions of this package. All are `OSError`, because programs read files through it."""

from __future__ import annotations


class BenchportError(OSError):
    """Something went wrong; the text says what, and what to do where that is known.

    `status` is the status of the response, `kind` the last part of the problem's `type`, and
    `request_id` the id by which the log of the server has it; each is None where there is none.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        kind: str | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.kind = kind
        self.request_id = request_id

    def __str__(self) -> str:
        return self.message


class ConfigurationError(BenchportError, ValueError):
    """An address, token or fingerprint that cannot be used."""


class InsecureWarning(UserWarning):
    """A token is sent over a network without encryption."""


class ServerUnreachable(BenchportError, ConnectionError):
    """The connection failed, and so did every retry."""


class CertificateError(BenchportError):
    """The certificate of the server is not to be trusted; nothing was sent."""


class AuthenticationError(BenchportError, PermissionError):
    """401: no token, or one that does not work."""


class AccessDenied(BenchportError, PermissionError):
    """403: the token or its user may not do this."""


class NotFound(BenchportError, FileNotFoundError, KeyError):
    """404: there is no such measurement or file, or its bytes are missing on the server."""


class FileChanged(BenchportError):
    """409, or another entity tag: the bytes are not those that were registered."""


class Unavailable(BenchportError):
    """429 or 503 until the last retry. `retry_after` is in seconds, or None."""

    retry_after: float | None = None


class ChecksumMismatch(BenchportError):
    """Bytes arrived twice with another SHA-256 than the manifest states."""


class BadManifest(BenchportError):
    """The answer is not a list of files that can be used."""


class DownloadError(BenchportError):
    """Files could not be downloaded. `failures` has the reason of each by its path."""

    def __init__(self, message: str, failures: dict[str, BaseException]) -> None:
        super().__init__(message)
        self.failures = failures


def error_of(
    status: int, detail: str, kind: str | None = None, request_id: str | None = None
) -> BenchportError:
    """The exception for a status of 400 or above."""
    kinds: dict[int, type[BenchportError]] = {
        401: AuthenticationError,
        403: AccessDenied,
        404: NotFound,
        409: FileChanged,
        412: FileChanged,
        416: FileChanged,
        429: Unavailable,
        503: Unavailable,
    }
    found = kinds.get(status, BenchportError)
    return found(detail, status=status, kind=kind, request_id=request_id)
