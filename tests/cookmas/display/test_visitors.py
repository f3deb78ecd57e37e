"""Guests of the page who mean harm: a real server, and what each of them can take of it."""

from __future__ import annotations

import contextlib
import select
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from cookmas.api import create
from cookmas.display.live import guard, serve
from cookmas.display.live.app import ShownRun, live_app
from cookmas.mailboxes.sqlite.file import MAILBOX
from cookmas.replaying import judge_run
from tests.cookmas.display.underway import OPEN, TOKEN, listening, under_way

BEARER = f"Authorization: Bearer {TOKEN}\r\n"

STREAM = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n{BEARER}{{}}\r\n"
BUSY = "too many requests at once: close other pages of this episode, or come back later\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An open kitchen that nobody runs yet, so that streams and messages wait."""
    return create(tmp_path / "run", OPEN)


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    """The port of the kitchen's page."""
    with listening(folder) as port:
        yield port


def browser(port: int, secret: str = "") -> httpx.Client:
    """A tab of a browser, which has a secret."""
    url = f"http://127.0.0.1:{port}"
    headers = {"origin": url, "authorization": f"Bearer {TOKEN}", guard.HEADER: secret}
    return httpx.Client(base_url=url, headers=headers, timeout=60)


@contextmanager
def asking(port: int, text: str) -> Iterator[socket.socket]:
    """A connection on which some text was sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(text.encode())
        yield connection


def answer(connection: socket.socket) -> str:
    """All that comes until the other side closes."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(4096):
            said += part
    return said.decode()


def is_open(connection: socket.socket) -> bool:
    connection.settimeout(0.2)
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        return True
    return False


def status(connection: socket.socket, body: str = "") -> int:
    """The status of an answer, once this body has come."""
    said = b""
    while not said or body.encode() not in said:
        part = connection.recv(4096)
        assert part, said
        said += part
    return int(said.split()[1])


def secret_of(number: int) -> str:
    return f"{guard.HEADER}: {number:043d}\r\n"


def test_each_visitor_is_a_sender_of_their_own(port: int, folder: Path) -> None:
    order = {"kind": "order", "words": "1 Garden Salad"}
    secret = 43 * "a"
    with under_way(folder), browser(port, secret) as ann, browser(port, 43 * "b") as bob:
        for guest in (ann, bob, ann):
            assert guest.post("/messages", json=order).json()["status"] == "taken"
        assert not ann.cookies
    senders = senders_of(folder)
    assert senders[0] == senders[2] != senders[1]
    assert all(name.startswith("page-") for name in senders)
    written = b"".join(each.read_bytes() for each in folder.iterdir() if each.is_file())
    assert secret.encode() not in written


def test_a_visitor_has_a_bounded_number_of_streams(port: int) -> None:
    ours = STREAM.format(secret_of(1))
    with ExitStack() as opened:
        streams = [opened.enter_context(asking(port, ours)) for _ in range(guard.EACH)]
        assert {status(stream) for stream in streams} == {200}
        with asking(port, ours) as refused:
            assert status(refused, BUSY) == 503
        with asking(port, STREAM.format(secret_of(2))) as other:
            assert status(other) == 200
        streams[0].close()
        until = time.monotonic() + 60
        while True:
            with asking(port, ours) as again:
                if status(again) == 200:
                    break
            assert time.monotonic() < until


def test_all_visitors_have_a_bounded_number_of_streams(port: int) -> None:
    with ExitStack() as opened:
        streams = [
            opened.enter_context(asking(port, STREAM.format(secret_of(n // guard.EACH))))
            for n in range(guard.AT_ONCE)
        ]
        assert {status(stream) for stream in streams} == {200}
        with browser(port) as late:
            refused = late.get("/")
        assert (refused.status_code, refused.text) == (503, BUSY)


def test_without_a_secret_requests_are_counted_by_address(port: int) -> None:
    with ExitStack() as opened:
        for _ in range(guard.EACH):
            assert status(opened.enter_context(asking(port, STREAM.format("")))) == 200
        with asking(port, STREAM.format(f"{guard.HEADER}: mine\r\n")) as refused:
            assert status(refused) == 503
        with browser(port) as program:
            for path in ("/health", "/metrics"):
                assert BUSY not in program.get(path).text


@pytest.mark.parametrize(
    ("begun", "said"),
    [
        ("", "HTTP/1.1 408 "),
        ("GET / HTTP/1.1\r\nHost: 127", "HTTP/1.1 408 "),
        ("POST /messages HTTP/1.1\r\nHost: {0}\r\n" + BEARER + "Origin: http://{0}\r\n"
         "Content-Length: 9\r\n\r\n{{", ""),
    ],
    ids=["nothing", "header", "body"],
)  # fmt: skip
def test_who_asks_too_slowly_is_sent_away(
    begun: str, said: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with asking(port, STREAM.format("")) as stream:
        assert status(stream) == 200
        monkeypatch.setattr(serve, "REQUEST_SECONDS", 0.5)
        with asking(port, begun.format(f"127.0.0.1:{port}")) as slow:
            began = time.monotonic()
            slow.settimeout(0.1)
            heard = b""
            with contextlib.suppress(ConnectionError):
                while time.monotonic() < began + 30:
                    try:
                        if not (part := slow.recv(4096)):
                            break
                        heard += part
                    except TimeoutError:
                        slow.sendall(b"x" if begun else b"")
            assert time.monotonic() < began + 30
        assert heard.decode().startswith(said)
        assert bool(heard) is bool(said)
        assert is_open(stream)


def test_connections_that_ask_for_nothing_make_room_for_those_that_ask(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "MOST_CONNECTIONS", 8)
    with ExitStack() as opened:
        idle = [opened.enter_context(asking(port, "")) for _ in range(8)]
        with browser(port) as program:
            assert program.get("/health").status_code in (200, 503)
            assert program.get("/metrics").status_code == 200
        (silent,), _, _ = select.select(idle, [], [], 30)
        said = answer(silent)
        assert said.startswith("HTTP/1.1 503 ")
        assert said.endswith("\r\n\r\ntoo many connections: come back later\n")
        assert all(is_open(each) for each in idle if each is not silent)


def test_connections_that_are_answered_are_bounded(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "MOST_CONNECTIONS", 3)
    with ExitStack() as opened:
        for _ in range(3):
            assert status(opened.enter_context(asking(port, STREAM.format("")))) == 200
        with asking(port, "") as late:
            assert answer(late).startswith("HTTP/1.1 503 ")
    with browser(port) as guest:
        until = time.monotonic() + 60
        code = 503
        while code != 200:
            assert time.monotonic() < until
            with contextlib.suppress(httpx.TransportError):  # It may be refused while it asks.
                code = guest.get("/").status_code


def test_nothing_of_a_guest_reaches_the_terminal(
    capfd: pytest.CaptureFixture[str], port: int
) -> None:
    here = f"127.0.0.1:{port}"
    head = f"Host: {here}\r\n{BEARER}Origin: http://{here}\r\nConnection: close\r\n"
    odd = [
        ("GET / HTTP/1.1\r\nCookie: a/b=1; a{b=2; =\r\n" + head + "\r\n", 200),
        ("\x01\x02 nonsense\r\n\r\n", 400),
        ("GET /\r\n\r\n", 400),
        ("GET /" + "x" * 100_000 + " HTTP/1.1\r\n\r\n", 400),
        ("POST /messages HTTP/1.1\r\nContent-Length: -1\r\n" + head + "\r\n", 400),
        ("GET / HTTP/1.1\r\nUpgrade: websocket\r\n" + head + "\r\n", 200),
        ("GET /%00%ff?token=%ff HTTP/1.1\r\n" + head + "\r\n", 404),
        ("GET /events HTTP/1.1\r\nLast-Event-ID: ²-\x80\r\n" + head + "\r\n", 200),
    ]
    for text, code in odd:
        with asking(port, text) as connection:
            assert status(connection) == code, text[:60]
    with asking(port, f"POST /messages HTTP/1.1\r\nContent-Length: 999\r\n{head}\r\n{{"):
        pass
    with browser(port) as guest:
        assert guest.get("/").status_code == 200
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.parametrize(
    ("house", "proxy", "sender"),
    [(True, {}, "house"), (True, {"X-Forwarded-For": "10.0.0.7"}, None), (False, {}, None)],
)
def test_the_house_speaks_only_on_this_machine(
    folder: Path, proxy: dict[str, str], sender: str | None, *, house: bool
) -> None:
    with listening(folder, house=house) as port:
        here, body = f"127.0.0.1:{port}", '{"kind": "instruct", "words": "x"}'
        headers = {"Host": here, "Origin": f"http://{here}", "Content-Length": len(body), **proxy}
        lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
        asked = ["POST /messages HTTP/1.1\r\n", BEARER, *lines, "\r\n", body]
        with asking(port, "".join(asked)):
            until = time.monotonic() + 60
            while not (found := senders_of(folder)):
                assert time.monotonic() < until
                time.sleep(0.02)
    assert (found == ["house"]) is (sender == "house")


def senders_of(folder: Path) -> list[str]:
    """Return the senders of the messages of an episode, in their order."""
    with contextlib.closing(sqlite3.connect(folder / MAILBOX)) as box:
        return [name for (name,) in box.execute("SELECT sender FROM messages ORDER BY rowid")]


@pytest.mark.parametrize(
    ("worker", "house"), [(None, True), ("orchestrator", True), ("worker_1", False)]
)
async def test_the_page_of_one_worker_never_speaks_for_the_house(
    folder: Path, monkeypatch: pytest.MonkeyPatch, worker: str | None, *, house: bool
) -> None:
    told: list[bool] = []

    def keep(*given: Any, **more: Any) -> Any:
        told.append(more["house"])
        return live_app(*given, **more)

    monkeypatch.setattr(serve, "live_app", keep)
    run = ShownRun.of(folder, judge_run)
    async with serve.serve_beside(run, "127.0.0.1", 0, worker=worker):
        assert told == [house]
