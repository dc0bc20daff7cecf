"""Reads and downloads the measurements of a Benchport server.

`benchport.open("qmr-114")["scan.h5"]` is a file that is read by ranges; `download` verifies.
"""

from __future__ import annotations

from .client import Client, Summary
from .common.errors import (
    AccessDenied,
    AuthenticationError,
    BadManifest,
    BenchportError,
    CertificateError,
    ChecksumMismatch,
    ConfigurationError,
    DownloadError,
    FileChanged,
    InsecureWarning,
    NotFound,
    ServerUnreachable,
    Unavailable,
)
from .common.version import __version__
from .download.progress import Progress
from .files.file import File
from .files.manifest import Entry
from .http.settings import default_retries, default_timeout
from .measurement import Measurement

__all__ = [
    "AccessDenied",
    "AuthenticationError",
    "BadManifest",
    "BenchportError",
    "CertificateError",
    "ChecksumMismatch",
    "Client",
    "ConfigurationError",
    "DownloadError",
    "Entry",
    "File",
    "FileChanged",
    "InsecureWarning",
    "Measurement",
    "NotFound",
    "Progress",
    "ServerUnreachable",
    "Summary",
    "Unavailable",
    "__version__",
    "connect",
    "open",
]


def connect(
    url: str | None = None,
    token: str | None = None,
    *,
    ca: str | None = None,
    certificate: str | None = None,
    timeout: float = default_timeout,
    retries: int = default_retries,
) -> Client:
    """A client of a server; nothing is sent yet.

    `url` is the base URL (else BENCHPORT_URL, else http://127.0.0.1:7420), `token` the token (else
    BENCHPORT_TOKEN, else the content of BENCHPORT_TOKEN_FILE). `ca` is a PEM file with authorities
    to trust (else BENCHPORT_CA), `certificate` the SHA-256 of the only certificate to trust (else
    BENCHPORT_CERTIFICATE). `timeout` is in seconds without a byte. Raises ConfigurationError.
    """
    return Client(url, token, ca=ca, certificate=certificate, timeout=timeout, retries=retries)


def open(measurement_id: str) -> Measurement:
    """A measurement of the server that the environment names. Raises NotFound, AccessDenied."""
    return connect().measurement(measurement_id)
