"""Addresses, tokens and certificates."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import pytest

import benchport
from benchport import ConfigurationError, InsecureWarning, connect

secret = "bppat-a-secret-of-this-test"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "TOKEN", "TOKEN_FILE", "CA", "CERTIFICATE"):
        monkeypatch.delenv(f"BENCHPORT_{name}", raising=False)


def test_arguments_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert connect().url == "http://127.0.0.1:7420"
    monkeypatch.setenv("BENCHPORT_URL", "https://bench.example:8443/lab/")
    monkeypatch.setenv("BENCHPORT_TOKEN", f" {secret}\n")
    assert connect().url == "https://bench.example:8443/lab"
    assert connect().transport.settings.token == secret
    assert connect("http://localhost:1", "other").transport.settings.token == "other"


def test_the_token_is_read_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token.txt"
    file.write_text(f"{secret}\n", "utf-8")
    monkeypatch.setenv("BENCHPORT_TOKEN_FILE", str(file))
    assert connect().transport.settings.token == secret
    monkeypatch.setenv("BENCHPORT_TOKEN", "another")
    with pytest.raises(ConfigurationError, match="either BENCHPORT_TOKEN or"):
        connect()
    monkeypatch.delenv("BENCHPORT_TOKEN")
    file.unlink()
    with pytest.raises(ConfigurationError, match=r"cannot be read from .*token\.txt: No such file"):
        connect()


def test_no_representation_shows_the_token() -> None:
    client = connect("https://bench.example", secret)
    shown = [repr(client), str(client), repr(client.transport.settings), f"{client.transport}"]
    assert [text for text in shown if secret in text] == []
    assert pickle.loads(pickle.dumps(client)).transport.settings == client.transport.settings


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("bench.example", "not an http or https address"),
        ("ftp://bench.example", "not an http or https address"),
        ("https://alice:pw@bench.example", "give a token instead"),
        ("https://bench.example/?a=b", "has a query"),
        ("https://bench.example:port", "cannot be used"),
        ("https://bench.example/a b", "unusual characters"),
    ],
)
def test_unusable_addresses_are_refused(url: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words) as caught:
        connect(url)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize("token", ["", "two words", "line\r\nHost: evil", "täst"])
def test_unusable_tokens_are_refused_and_not_shown(token: str) -> None:
    with pytest.raises(ConfigurationError, match="does not hold a token") as caught:
        connect(token=token)
    assert token == "" or token not in str(caught.value)


def test_fingerprints_are_taken_in_all_notations(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = ":".join(["9F"] * 32)
    client = connect("https://bench.example", certificate=pairs)
    assert client.transport.settings.certificate == "9f" * 32
    monkeypatch.setenv("BENCHPORT_CERTIFICATE", "8e" * 32)
    assert connect("https://bench.example").transport.settings.certificate == "8e" * 32
    assert connect("http://127.0.0.1").transport.settings.certificate is None
    other = connect("https://bench.example", certificate=pairs).transport.settings
    assert other.certificate == "9f" * 32
    monkeypatch.setenv("BENCHPORT_CA", "/no/such/file.pem")
    with pytest.raises(ConfigurationError, match="either ca or certificate"):
        connect("https://bench.example")
    for unusable, url in (("9f86", "https://bench.example"), ("9f" * 32, "http://127.0.0.1")):
        with pytest.raises(ConfigurationError):
            connect(url, certificate=unusable)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        connect("https://bench.example", ca="/no/such/file.pem")


def test_a_token_over_http_to_another_machine_warns() -> None:
    with pytest.warns(InsecureWarning, match="without encryption"):
        connect("http://bench.example", secret)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        connect("http://127.0.0.1:7420", secret)
        connect("http://[::1]:7420", secret)
        connect("https://bench.example", secret)
        connect("http://bench.example")


def test_all_names_of_the_package_exist() -> None:
    assert [name for name in benchport.__all__ if not hasattr(benchport, name)] == []
