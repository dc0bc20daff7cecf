"""Connections that are kept open and used again."""

from __future__ import annotations

import hashlib
import hmac
import os
import ssl
import threading
import weakref
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from ..common.errors import CertificateError, ConfigurationError
from .settings import Settings, is_loopback

max_idle = 8


class PinnedConnection(HTTPSConnection):
    """Sends nothing unless the certificate has the expected fingerprint."""

    def __init__(self, host: str, port: int, timeout: float, pin: str) -> None:
        context = ssl.create_default_context()
        # A certificate that no authority has signed; its fingerprint is compared instead.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        super().__init__(host, port, timeout=timeout, context=context)
        self._pin = pin

    def connect(self) -> None:
        """Connects, and compares. Raises CertificateError."""
        super().connect()
        stream = self.sock
        shown = stream.getpeercert(binary_form=True) if isinstance(stream, ssl.SSLSocket) else None
        actual = hashlib.sha256(shown or b"").hexdigest()
        if not hmac.compare_digest(actual, self._pin):
            self.close()
            raise CertificateError(
                f"The server has another certificate than expected. Its SHA-256 is {actual}."
            )


class ConnectionPool:
    """Idle connections of one server. May be used by several threads, and after a fork."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._idle: list[HTTPConnection] = []
        self._pid = os.getpid()
        self._context = _context_of(settings)
        weakref.finalize(self, _close_all, self._idle)

    def take(self) -> tuple[HTTPConnection, bool]:
        """A connection, and whether it was used before."""
        with self._lock:
            if self._pid != os.getpid():
                # Both processes would read from the sockets of before a fork.
                _close_all(self._idle)
                self._pid = os.getpid()
            if self._idle:
                return self._idle.pop(), True
        return self._new(), False

    def give_back(self, connection: HTTPConnection) -> None:
        """Keeps a connection whose last response was read to its end."""
        with self._lock:
            if self._pid == os.getpid() and len(self._idle) < max_idle:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Closes the idle connections; the pool can be used again."""
        with self._lock:
            _close_all(self._idle)

    def _new(self) -> HTTPConnection:
        host, port, timeout = self._settings.host, self._settings.port, self._settings.timeout
        if self._settings.scheme == "http":
            return HTTPConnection(host, port, timeout=timeout)
        proxy = _proxy_for(self._settings)
        at = (host, port) if proxy is None else proxy
        pin = self._settings.certificate
        connection: HTTPSConnection = (
            PinnedConnection(*at, timeout, pin)
            if pin is not None
            else HTTPSConnection(*at, timeout=timeout, context=self._context)
        )
        if proxy is not None:
            connection.set_tunnel(host, port)
        return connection


def _close_all(connections: list[HTTPConnection]) -> None:
    while connections:
        connections.pop().close()


def _context_of(settings: Settings) -> ssl.SSLContext | None:
    if settings.scheme == "http" or settings.certificate is not None:
        return None
    try:
        return ssl.create_default_context(cafile=settings.ca)
    except OSError as error:
        raise ConfigurationError(
            f"The certificates in {settings.ca} cannot be read: {error.strerror or error}."
        ) from None


def _proxy_for(settings: Settings) -> tuple[str, int] | None:
    """The proxy of the environment for https. A token over http never passes one."""
    proxy = getproxies().get("https")
    if not proxy or is_loopback(settings.host) or proxy_bypass(settings.host):
        return None
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if not parts.hostname:
        raise ConfigurationError("HTTPS_PROXY is not an address.")
    return parts.hostname, parts.port or 8080
