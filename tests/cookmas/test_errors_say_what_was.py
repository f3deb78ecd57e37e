"""Errors name what was, and neither a password nor a wrong remedy."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cookmas.client import Client
from cookmas.commands.cli import app
from cookmas.episodes.sessions import read_sessions
from cookmas.files.errors import InputError
from cookmas.files.reading import PART, text_of
from cookmas.mailboxes.redis.address import user_of

MISTYPED = "reddis://cook:SECRET@host:6379/0"


@pytest.mark.parametrize(
    "words",
    [
        ("status", "--redis", MISTYPED),
        ("status", "--at", MISTYPED),
        ("order", "1 Toast", "--redis", MISTYPED),
        ("close", "--redis", MISTYPED),
        ("withdraw", "anna", "--redis", MISTYPED),
        ("quarantine", "--redis", MISTYPED),
        ("serve", "small", "--redis", MISTYPED),
        ("guest", "add", "bob", "--redis", MISTYPED),
    ],
)
def test_a_mistyped_address_is_no_folder_and_its_password_is_not_shown(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.output.count("\n")) == (2, 1), result.output
    assert "SECRET" not in result.output
    assert "expected" in result.output
    assert not list(tmp_path.iterdir())


def test_a_mistyped_address_in_the_environment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COOKMAS_REDIS", MISTYPED)
    result = CliRunner().invoke(app, ["serve", "small"])
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "SECRET" not in result.output


def test_a_client_of_a_mistyped_address_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected redis://HOST:PORT/0#NAME, not reddis://$"):
        Client(MISTYPED, "anna")


@pytest.mark.parametrize(
    ("address", "sender"),
    [
        ("redis://bob%2520smith:x@host/0", "bob smith"),
        ("redis://ren%25C3%25A9:x@host/0", "rené"),
        ("redis://anna:x@host/0", "anna"),
        ("redis://host/0", None),
    ],
)
def test_a_guest_speaks_under_its_own_name(address: str, sender: str | None) -> None:
    assert user_of(address) == sender


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EACCES, errno.EIO])
def test_no_error_of_the_system_advises_to_remove_a_good_file(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("cookmas.episodes.sessions.read_bytes", fail)
    with pytest.raises(InputError, match=os.strerror(number)) as caught:
        read_sessions(tmp_path / "measurements.json")
    assert "remove" not in str(caught.value)


def test_a_small_file_needs_little_memory_and_a_large_one_is_refused() -> None:
    asked: list[int] = []

    class Watched(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            asked.append(size or 0)
            return super().read(size)

    assert text_of(Watched(b"abc"), "file", 2**28) == "abc"
    assert max(asked) == PART
    assert text_of(Watched(b"abc"), "file", 3) == "abc"
    with pytest.raises(InputError, match="larger than 2 bytes"):
        text_of(Watched(b"abc"), "file", 2)
    big = b"x" * (2 * PART + 5)
    assert text_of(Watched(big), "file", len(big)) == big.decode()
    with pytest.raises(InputError, match="larger"):
        text_of(Watched(big), "file", len(big) - 1)


def test_too_little_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr("cookmas.files.reading.open_file", fail)
    (tmp_path / "s.yaml").write_text("a: 1")
    result = CliRunner().invoke(app, ["check", str(tmp_path / "s.yaml")])
    assert (result.exit_code, result.output.count("\n")) == (2, 1), result.output
    assert "not enough memory" in result.output
