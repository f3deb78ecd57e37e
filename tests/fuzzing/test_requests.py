"""Whatever bytes come to the live page, it answers or closes, and nothing of it fails."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from cookmas.api import create
from tests.cookmas.display.underway import OPEN, TOKEN, listening
from tests.fuzzing.damage import attempt

MEBIBYTE = 2**20

BODY = b'{"kind": "new_order", "words": "1 French Fries"}'
HEADERS = (
    f"Host: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nOrigin: http://127.0.0.1\r\n"
    f"CookMAS-Visitor: {'a' * 43}\r\n"
).encode()
CORPUS = [
    *(b"GET %b HTTP/1.1\r\n%b\r\n" % (path, HEADERS) for path in (b"/", b"/events", b"/metrics")),
    b"GET /health?token=%b HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: 3-ab\r\n\r\n" % b"x",
    b"POST /messages HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b" % (HEADERS, len(BODY), BODY),
]


def test_the_page_answers_whatever_comes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with listening(create(tmp_path / "run", OPEN)) as port:

        def ask(data: bytes) -> None:
            said = _answer(port, data)
            assert not said or said.split()[1][:1] in (b"2", b"3", b"4") or b" 503 " in said[:20], (
                said
            )

        with caplog.at_level(logging.ERROR):
            attempt(CORPUS, ask, 16 * MEBIBYTE)
            assert not caplog.records
        alive = _answer(port, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 30)
        assert alive.split()[1] == b"503", alive


def _answer(port: int, data: bytes, seconds: float = 0.1) -> bytes:
    """Send bytes; return the beginning of the answer, or nothing if there is none for so long."""
    address = ("127.0.0.1", port)
    with suppress(OSError), socket.create_connection(address, timeout=30) as connection:
        connection.sendall(data)
        connection.settimeout(seconds)
        return connection.recv(4096)
    return b""
