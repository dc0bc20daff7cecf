"""Where the server is and how to prove oneself to it: from arguments and the environment."""

from __future__ import annotations

import ipaddress
import os
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from ..common.errors import ConfigurationError, InsecureWarning

default_url = "http://127.0.0.1:7420"
default_timeout = 60.0
default_retries = 5


@dataclass(frozen=True)
class Settings:
    """What a connection needs. The token is in no representation."""

    scheme: str
    host: str
    port: int
    prefix: str
    """Path of the base URL without a slash at its end."""
    token: str | None = field(repr=False)
    ca: str | None = None
    certificate: str | None = None
    """SHA-256 of the only certificate to trust, 64 hexadecimal digits."""
    timeout: float = default_timeout
    """Seconds without a byte after which a connection counts as broken."""
    retries: int = default_retries

    @property
    def url(self) -> str:
        """The base URL without a slash at its end."""
        return f"{self.origin}{self.prefix}"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """Host and port as they stand in the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = {"http": 80, "https": 443}[self.scheme]
        return host if self.port == usual else f"{host}:{self.port}"


def resolve_settings(
    url: str | None = None,
    token: str | None = None,
    *,
    ca: str | None = None,
    certificate: str | None = None,
    timeout: float = default_timeout,
    retries: int = default_retries,
) -> Settings:
    """Completes arguments from BENCHPORT_URL, BENCHPORT_TOKEN or BENCHPORT_TOKEN_FILE, and, for
    https, BENCHPORT_CERTIFICATE or BENCHPORT_CA.

    Raises ConfigurationError for what cannot be used.
    """
    scheme, host, port, prefix = _parse_url(url or os.environ.get("BENCHPORT_URL") or default_url)
    if scheme == "http" and (ca is not None or certificate is not None):
        raise ConfigurationError(
            f"http://{host} has no certificate: use an address that begins with https://."
        )
    if scheme == "https" and ca is None and certificate is None:
        ca = os.environ.get("BENCHPORT_CA") or None
        certificate = os.environ.get("BENCHPORT_CERTIFICATE") or None
    if ca is not None and certificate is not None:
        raise ConfigurationError("Give either ca or certificate: a fingerprint needs no authority.")
    if timeout <= 0 or retries < 0:
        raise ConfigurationError("timeout has to be above 0, retries 0 or more.")
    found = _token_of(token)
    if found is not None and scheme == "http" and not is_loopback(host):
        warnings.warn(
            f"The token is sent to {host} without encryption. Use https if the server has it.",
            InsecureWarning,
            stacklevel=3,
        )
    return Settings(
        scheme, host, port, prefix, found, ca, _fingerprint(certificate), timeout, retries
    )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name or address alone."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _parse_url(text: str) -> tuple[str, str, int, str]:
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError as error:
        raise ConfigurationError(f"The address of the server cannot be used: {error}.") from None
    if parts.username is not None or parts.password is not None:
        raise ConfigurationError("The address has a user name or password: give a token instead.")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(f"{text!r} is not an http or https address.")
    if parts.query or parts.fragment or re.search(r"[\x00-\x20\x7f-\uffff]", parts.path):
        raise ConfigurationError(f"{text!r} has a query, a fragment or unusual characters.")
    usual = 443 if parts.scheme == "https" else 80
    return parts.scheme, parts.hostname, port if port is not None else usual, parts.path.rstrip("/")


def _token_of(given: str | None) -> str | None:
    if given is not None:
        return _checked(given, "token")
    value = os.environ.get("BENCHPORT_TOKEN") or None
    file = os.environ.get("BENCHPORT_TOKEN_FILE") or None
    if value is not None and file is not None:
        raise ConfigurationError("Set either BENCHPORT_TOKEN or BENCHPORT_TOKEN_FILE.")
    if value is not None:
        return _checked(value, "BENCHPORT_TOKEN")
    return None if file is None else read_token_file(file)


def read_token_file(file: str) -> str:
    """The token in a file. Raises ConfigurationError if there is none."""
    try:
        return _checked(Path(file).read_text("utf-8", errors="replace"), file)
    except OSError as error:
        why = error.strerror or str(error)
        raise ConfigurationError(f"The token cannot be read from {file}: {why}.") from None


def _checked(text: str, source: str) -> str:
    token = text.strip()
    if re.fullmatch(r"[\x21-\x7e]{1,4096}", token) is None:
        raise ConfigurationError(f"{source} does not hold a token: one word of plain characters.")
    return token


def _fingerprint(text: str | None) -> str | None:
    """Accepts the common notations: `9f86d081...`, `9f86 d081 ...` and `9F:86:...`."""
    if text is None:
        return None
    digits = re.sub(r"[\s:]", "", text).lower()
    if re.fullmatch(r"[0-9a-f]{64}", digits) is None:
        raise ConfigurationError("The fingerprint of a certificate has 64 hexadecimal digits.")
    return digits
