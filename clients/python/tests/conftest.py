"""What all tests share: the service that test/clients/python/python.test.ts starts for them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchport
from benchport.http import retries
from faulty_server import FaultyServer


@pytest.fixture(scope="session")
def url() -> str:
    """The base URL of the service."""
    return os.environ["BENCHPORT_URL"]


@pytest.fixture(scope="session")
def token() -> str:
    """A token of alice, who may read all measurements."""
    return os.environ["BENCHPORT_TOKEN"]


@pytest.fixture(scope="session")
def originals() -> Path:
    """The folder with what was registered: lab and changing."""
    return Path(os.environ["BENCHPORT_TEST_ORIGINALS"])


@pytest.fixture(scope="session")
def source() -> Path:
    """The folder of this package in the repository."""
    return Path(os.environ["BENCHPORT_TEST_SOURCE"])


@pytest.fixture(scope="session")
def lab() -> benchport.Measurement:
    """A measurement with all kinds of files."""
    return benchport.open("lab")


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries wait a hundredth of their time."""
    monkeypatch.setattr(retries, "first_wait", 0.001)


@pytest.fixture
def server(url: str) -> Iterator[FaultyServer]:
    """A server with faults before the service."""
    with FaultyServer(url) as running:
        yield running


@pytest.fixture
def broken(server: FaultyServer, token: str) -> benchport.Measurement:
    """The measurement lab by way of the faulty server."""
    measurement = benchport.connect(server.url, token, timeout=20).measurement("lab")
    server.requests.clear()
    return measurement


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Files with a certificate that no authority has signed, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    kind = [
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=lab",
    ]
    names = ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        ["openssl", "req", "-x509", *kind, *names, "-keyout", key, "-out", cert],
        check=True,
        capture_output=True,
    )
    return str(cert), str(key)
