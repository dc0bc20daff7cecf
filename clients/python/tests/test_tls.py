"""Certificates over https."""

from __future__ import annotations

import hashlib
import ssl
from pathlib import Path

import pytest

from benchport import CertificateError, connect
from faulty_server import FaultyServer


def test_https_with_an_authority_of_ones_own_or_a_fingerprint(
    url: str, token: str, certificate: tuple[str, str]
) -> None:
    shown = ssl.PEM_cert_to_DER_cert(Path(certificate[0]).read_text("ascii"))
    fingerprint = hashlib.sha256(shown).hexdigest()
    with FaultyServer(url, certificate) as server:
        assert connect(server.url, token, ca=certificate[0]).measurement("lab").id == "lab"
        assert connect(server.url, token, certificate=fingerprint).measurement("lab").id == "lab"
        count = len(server.requests)
        with pytest.raises(CertificateError, match=r"is not trusted: self.signed"):
            connect(server.url, token).measurement("lab")
        other = "0" * 64
        with pytest.raises(CertificateError, match=f"Its SHA-256 is {fingerprint}"):
            connect(server.url, token, certificate=other).measurement("lab")
        # The token was not sent to a server that is not trusted.
        assert len(server.requests) == count
