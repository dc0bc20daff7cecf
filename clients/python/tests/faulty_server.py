"""A server between client and service that breaks answers as a test says."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import struct
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable
from urllib.parse import urlsplit

passed_on = ("Authorization", "Range", "If-Range", "Accept", "User-Agent")


@dataclass
class Exchange:
    """An answer of the service before it is passed on; a fault changes it."""

    number: int
    """Counts the requests of the test from 1."""
    path: str
    request: dict[str, str]
    status: int
    headers: dict[str, str]
    body: bytes
    cut_after: int | None = None
    """Bytes of the body after which the connection ends early."""
    with_reset: bool = False
    """Whether it then ends with a reset."""
    wait_for: threading.Event | None = None
    """What the rest of the body waits for after `cut_after` bytes."""


def unchanged(_: Exchange) -> None:
    """Passes an answer on as it is."""


@dataclass
class FaultyServer:
    """Listens on a free port of the loopback while it is used as a context."""

    upstream: str
    certificate: tuple[str, str] | None = None
    """Files with a certificate and its key, for https."""
    fault: Callable[[Exchange], None] = unchanged
    requests: list[Exchange] = field(default_factory=list)
    connections: int = 0
    _open: list[socket.socket] = field(default_factory=list)

    def __enter__(self) -> FaultyServer:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                owner.connections += 1
                super().setup()
                owner._open.append(self.connection)

            def do_GET(self) -> None:
                owner._answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """A client that goes away is what tests are about."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._lock = threading.Lock()
        if self.certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self.certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        scheme = "http" if self.certificate is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def drop_connections(self) -> None:
        """Ends all connections, as a server does with those that are idle for long."""
        while self._open:
            with contextlib.suppress(OSError):
                self._open.pop().shutdown(socket.SHUT_RDWR)

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """First and last byte of each range that was asked for."""
        asked = [one.request["Range"] for one in self.requests if "Range" in one.request]
        pairs = [text.removeprefix("bytes=").split("-") for text in asked]
        return [(int(start), int(end)) for start, end in pairs]

    @property
    def bytes_of_files(self) -> int:
        """How many bytes of files were asked for."""
        return sum(end - start + 1 for start, end in self.ranges)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        request = {name: handler.headers[name] for name in passed_on if name in handler.headers}
        status, headers, body = self._fetch(handler.path, request)
        with self._lock:
            number = len(self.requests) + 1
            exchange = Exchange(number, handler.path, request, status, headers, body)
            self.requests.append(exchange)
        self.fault(exchange)
        handler.send_response(exchange.status)
        for name, value in exchange.headers.items():
            handler.send_header(name, value)
        if "Content-Length" not in exchange.headers:
            handler.send_header("Content-Length", str(len(exchange.body)))
        handler.end_headers()
        self._send_body(handler, exchange)

    def _send_body(self, handler: BaseHTTPRequestHandler, exchange: Exchange) -> None:
        if exchange.cut_after is None:
            handler.wfile.write(exchange.body)
            return
        handler.wfile.write(exchange.body[: exchange.cut_after])
        handler.wfile.flush()
        if exchange.wait_for is not None:
            exchange.wait_for.wait(60)
            handler.wfile.write(exchange.body[exchange.cut_after :])
            return
        handler.close_connection = True
        if exchange.with_reset:
            # Closing without lingering sends a reset.
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        handler.connection.close()

    def _fetch(self, path: str, request: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        to = urlsplit(self.upstream)
        connection = http.client.HTTPConnection(to.hostname or "", to.port or 80, timeout=60)
        try:
            connection.request("GET", path, headers=request)
            response = connection.getresponse()
            body = response.read()
            left_out = {"connection", "keep-alive", "transfer-encoding", "content-length", "date"}
            kept = {n: v for n, v in response.headers.items() if n.lower() not in left_out}
            return response.status, kept, body
        finally:
            connection.close()


def problem(exchange: Exchange, status: int, detail: str, **headers: str) -> None:
    """Replaces an answer by a problem."""
    exchange.status = status
    exchange.body = f'{{"status":{status},"detail":"{detail}"}}'.encode()
    exchange.headers = {"Content-Type": "application/problem+json", **headers}


def is_file(exchange: Exchange) -> bool:
    """Whether bytes of a file are asked for, and not a list."""
    return exchange.path.rsplit("/", 1)[-1].isdigit()
