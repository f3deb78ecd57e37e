"""Serving a run that is going on: no gaps, nobody from elsewhere, nothing that is no good."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

import cookmas
from cookmas.api import aplay, create
from cookmas.display.live.app import ShownRun, live_app
from cookmas.display.live.guard import Guard, is_loopback
from cookmas.display.live.serve import LOOPBACK
from cookmas.display.live.stream import Stream
from cookmas.display.page.show import films
from cookmas.episodes.trace import Chain
from cookmas.replaying import judge_run
from tests.cookmas.display.conftest import TRACES
from tests.cookmas.display.underway import OPEN

LINES = (TRACES / "level1-01.jsonl").read_text(encoding="utf-8").splitlines()


async def told(
    stream: Stream, last: str | None = None, most: int = 10_000
) -> AsyncIterator[tuple[str | None, str, Any]]:
    """Events of a stream as a browser reads them: id, kind, data."""
    async for text in stream.events(last):
        for event in text.decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)
            if "event" in fields:
                yield fields.get("id"), fields["event"], json.loads(fields["data"])
                most -= 1
                if not most:
                    return


async def test_a_page_that_connects_again_gets_what_it_does_not_have(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    stream = Stream(trace, partial(judge_run, trace))
    await stream.read()
    whole = [each async for each in told(stream)]
    assert [entry for _, kind, entry in whole if kind == "entry"] == list(
        map(json.loads, films([judge_run(trace)]))
    )
    restarted = Stream(trace, partial(judge_run, trace))
    await restarted.read()
    for place in (0, 7, len(whole) - 2):
        last = whole[place][0]
        assert [each async for each in told(restarted, last)] == whole[place + 1 :]
    for foreign in ("3-0123456789abcdef", "999999-0", "x", "-1"):
        again = [each async for each in told(restarted, foreign)]
        assert again[0][1] == "again"
        assert again[1:] == whole


async def test_what_is_written_comes_and_a_kill_leaves_neither_gap_nor_repetition(
    tmp_path: Path,
) -> None:
    trace = tmp_path / "trace.jsonl"
    stream = Stream(trace, partial(judge_run, trace))
    task = asyncio.create_task(stream.read())
    heard: list[tuple[str | None, str, Any]] = []

    async def listen() -> None:
        async for each in told(stream):
            heard.append(each)

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0.2)
    trace.write_text("\n".join(LINES[:20]) + "\n" + LINES[20][:30], encoding="utf-8")
    await _heard(heard, 8)
    draft = tmp_path / "trace.new"
    draft.write_text("\n".join(LINES[:8]) + "\n", encoding="utf-8")
    os.replace(draft, trace)
    await asyncio.sleep(0.3)
    with trace.open("a", encoding="utf-8") as file:
        file.write("\n".join(LINES[8:]) + "\n")
    await asyncio.wait_for(listening, 60)
    await task
    assert [kind for _, kind, _ in heard].count("again") == 0
    entries = [entry for _, kind, entry in heard if kind == "entry"]
    assert entries == list(map(json.loads, films([judge_run(trace)])))


async def _heard(heard: list[Any], number: int) -> None:
    until_then = time.monotonic() + 60
    while len(heard) < number:
        assert time.monotonic() < until_then
        await asyncio.sleep(0.02)


async def test_a_run_that_goes_on_otherwise_is_told_again(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text("\n".join(LINES[:12]) + "\n", encoding="utf-8")
    stream = Stream(trace, partial(judge_run, trace))
    task = asyncio.create_task(stream.read())
    heard: list[tuple[str | None, str, Any]] = []

    async def listen() -> None:
        async for each in told(stream):
            heard.append(each)

    listening = asyncio.create_task(listen())
    await _heard(heard, 5)
    other = list((await aplay("level1/01", "naive")).trace.lines())
    draft = tmp_path / "trace.new"
    draft.write_text("\n".join(other) + "\n", encoding="utf-8")
    os.replace(draft, trace)
    await asyncio.wait_for(listening, 60)
    await task
    kinds = [kind for _, kind, _ in heard]
    assert kinds.count("again") == 1
    after = heard[kinds.index("again") + 1 :]
    entries = [entry for _, kind, entry in after if kind == "entry"]
    assert entries == list(map(json.loads, films([judge_run(trace)])))


async def test_a_damaged_trace_ends_the_stream_in_one_line(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    chain = Chain("elsewhere")
    trace.write_text(chain.close('{"kind":"header"}') + "\n", encoding="utf-8")
    stream = Stream(trace, partial(judge_run, trace))
    await stream.read()
    [(_, kind, said)] = [each async for each in told(stream)]
    assert kind == "over"
    assert "damaged" in said["why"]


TOKEN = "secret"

BEARER = {"authorization": f"Bearer {TOKEN}"}


def guarded(names: tuple[str, ...] = LOOPBACK, **more: Any) -> TestClient:
    async def ok(request: Any) -> PlainTextResponse:
        return PlainTextResponse("ok")

    paths = ("/events", "/health", "/metrics")
    routes = [Route("/", ok, methods=["GET", "POST"]), *(Route(path, ok) for path in paths)]
    guard = Guard(Starlette(routes=routes), names, TOKEN)
    return TestClient(guard, base_url="http://127.0.0.1:8088", **more)


@pytest.mark.parametrize(
    ("method", "headers", "code"),
    [
        ("GET", {}, 200),
        ("GET", {"host": "localhost:8088"}, 200),
        ("GET", {"host": "[::1]:8088"}, 200),
        ("GET", {"host": "evil.example:8088"}, 421),
        ("GET", {"host": "127.0.0.1.evil.example"}, 421),
        ("GET", {"host": ""}, 421),
        ("GET", {"origin": "http://evil.example"}, 403),
        ("POST", {}, 403),
        ("POST", {"origin": "null"}, 403),
        ("POST", {"origin": "http://localhost:8088"}, 403),
        ("POST", {"origin": "http://127.0.0.1:9999"}, 403),
        ("POST", {"origin": "http://127.0.0.1:8088"}, 200),
    ],
)
def test_host_and_origin_are_checked(method: str, headers: dict[str, str], code: int) -> None:
    answer = guarded().request(method, "/", headers={**BEARER, **headers})
    assert answer.status_code == code
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("client", "headers", "metrics"),
    [
        (("127.0.0.1", 5), {}, 200),
        (("::1", 5), {}, 200),
        (("10.0.0.7", 5), {}, 401),
        (("127.0.0.1", 5), {"x-forwarded-for": "10.0.0.7"}, 401),
        (("127.0.0.1", 5), {"forwarded": "for=10.0.0.7"}, 401),
        (("127.0.0.1", 5), {"via": "1.1 proxy"}, 401),
    ],
)
def test_programs_of_this_machine_may_read_the_numbers_without_a_token(
    client: tuple[str, int], headers: dict[str, str], metrics: int
) -> None:
    page = guarded(client=client)
    assert page.get("/metrics", headers=headers).status_code == metrics
    assert page.get("/health", headers=headers).status_code == 200
    assert page.get("/events", headers=headers).status_code == 401


@pytest.mark.parametrize("names", [LOOPBACK, ()])
def test_the_token_is_needed_on_the_loopback_and_elsewhere(names: tuple[str, ...]) -> None:
    client = guarded(names)
    assert client.get("/").status_code == 401
    assert client.get("/", headers={"cookie": "a/b=1"}).status_code == 401
    assert client.get("/", headers={"cookie": "token=secret"}).status_code == 401
    assert client.get("/?token=wrong").status_code == 401
    assert client.get("/events", headers={"authorization": "Bearer secret"}).status_code == 200
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    for path in ("/", "/events"):
        entered = client.get(f"{path}?token=secret")
        assert (entered.status_code, "set-cookie" in entered.headers) == (200, False)
        assert client.get(path).status_code == 401
    own = {"origin": str(client.base_url).rstrip("/")}
    assert client.post("/messages?token=secret", headers=own).status_code == 401
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::")] == [
        True, True, True, False, False,
    ]  # fmt: skip


@contextmanager
def client_of(folder: Path) -> Iterator[TestClient]:
    """A page of a run, which has the token."""
    app = live_app(ShownRun.of(folder, judge_run), LOOPBACK, TOKEN)
    here = "http://127.0.0.1:8088"
    with TestClient(app, base_url=here, headers={**BEARER, "origin": here}) as client:
        yield client


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("nonsense", 400),
        ('{"kind": "fault", "station": "grill_1"}', 400),
        ('{"kind": "order"}', 400),
        ('{"kind": "order", "words": 7}', 400),
        ('{"kind": "order", "words": "1 Garden Salad", "more": 1}', 400),
        ('{"kind": "order", "words": "%s"}' % ("x" * 20_000), 413),
    ],
)
def test_messages_that_are_no_good_are_refused(body: str, code: int, tmp_path: Path) -> None:
    with client_of(create(tmp_path / "run", OPEN)) as client:
        answer = client.post("/messages", content=body)
    assert answer.status_code == code
    assert answer.json()["status"] == "refused"


def test_a_run_that_takes_no_messages_has_no_counter(tmp_path: Path) -> None:
    cookmas.play("corridor/one", folder=tmp_path / "run")
    with client_of(tmp_path / "run") as client:
        assert client.post("/messages", content="{}").status_code == 404
        assert client.get("/").text.startswith("<!doctype html>")
        assert '"kind":"verdict"' in client.get("/events").text
