"""Runs that are under way while a test looks at their pages, and the pages' servers."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

from cookmas.api import aresume, create
from cookmas.client import Client
from cookmas.display.live.app import ShownRun, live_app
from cookmas.display.live.serve import LOOPBACK, PageServer
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.replaying import judge_run
from tests.cookmas.display.conftest import beside_the_browser, until

TOKEN = "t0ken"

OPEN = RunRequest(scenario="open", planner="embedded", pace=0.0, settings={"kitchen": "small"})
"""A small kitchen that is open."""


@contextmanager
def under_way(folder: Path, request: RunRequest | None = None) -> Iterator[Path]:
    """Play an open run in a thread, and close it in the end. It is made if it is requested."""
    if request:
        create(folder, request)
    thread = threading.Thread(target=lambda: asyncio.run(aresume(folder)))
    thread.start()
    try:
        yield folder
    finally:
        close(request.redis.address() if request and request.redis else folder)
        thread.join()


def close(kitchen: Path | str) -> None:
    """Close a kitchen, so that its run ends."""
    with beside_the_browser(), Client(kitchen, patience=0) as client:
        client.close()


@contextmanager
def served(run: ShownRun | Path, *, house: bool = True) -> Iterator[str]:
    """Serve the page of a run at a free port of the loopback; yield its address, with the token."""
    with listening(run, house=house) as port:
        yield f"http://127.0.0.1:{port}/?token={TOKEN}"


@contextmanager
def listening(run: ShownRun | Path, *, house: bool = False) -> Iterator[int]:
    """Serve the page of a run to who has the token; yield the port."""
    shown = run if isinstance(run, ShownRun) else ShownRun.of(run, judge_run)
    server = PageServer(live_app(shown, LOOPBACK, TOKEN, house=house))
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        thread = threading.Thread(target=lambda: server.run(sockets=[listener]))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def watch(page: Page, address: str) -> None:
    """Open the page of a run, and wait until it shows the run."""
    page.goto(address)
    until(page, "Boolean(window.cookmas)")


def send(page: Page, title: str, words: dict[str, str]) -> None:
    """Send the form whose button has this title, with words in its fields."""
    button = page.get_by_role("button", name=title, exact=True)
    form = page.locator("form", has=button)
    for label, text in words.items():
        form.get_by_label(label, exact=True).fill(text)
    button.press("Enter")
