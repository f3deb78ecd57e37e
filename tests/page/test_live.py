"""The page of an open kitchen in a browser: a guest orders, and sees it served."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette

from cookmas.api import aresume, create
from cookmas.client import Client
from cookmas.live.app import live_app
from cookmas.live.serve import LOOPBACK
from cookmas.page.show import films
from tests.page.conftest import NASTY, look, until


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """The application at a free port of the loopback; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: server.run(sockets=[listener]))
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        server.should_exit = True
        thread.join()


@contextmanager
def open_kitchen(folder: Path) -> Iterator[Path]:
    """A small kitchen that is open, and closed in the end."""
    create(folder, "open", "embedded", pace=0.0, settings={"kitchen": "small"})
    thread = threading.Thread(target=lambda: asyncio.run(aresume(folder)))
    thread.start()
    yield folder
    close(folder)
    thread.join()


def close(folder: Path) -> None:
    """Close a kitchen, from a thread, since the browser has the event loop of this one."""

    def client() -> None:
        with Client(folder, patience=0) as kitchen:
            kitchen.close()

    thread = threading.Thread(target=client)
    thread.start()
    thread.join()


def order(page: Page, words: str) -> None:
    page.get_by_label("Order, in words").fill(words)
    page.get_by_role("button", name="Order", exact=True).click()


def test_a_guest_orders_changes_and_cancels_and_sees_it_served(
    browser: Browser, tmp_path: Path
) -> None:
    with open_kitchen(tmp_path / "run") as folder, served(live_app(folder, LOOPBACK)) as address:
        page = browser.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        until(page, "Boolean(window.cookmas)")
        order(page, f"1 Garden Salad: {NASTY}")
        expect(page.locator(".answered")).to_have_text("taken: live1")
        expect(page.locator("#orders .order.served")).to_contain_text("live1.1", timeout=30_000)
        expect(page.locator("#orders q")).to_have_text(NASTY)
        assert page.evaluate("window.struck") is None
        assert look(page, "film.verdict") is None
        order(page, "1 Unicorn Steak")
        expect(page.locator(".answered")).to_contain_text("not on the menu")
        assert look(page, "player.t === player.length")
        close(folder)
        expect(page.locator("header .outcome")).to_contain_text("not scored", timeout=30_000)
        expect(page.locator("#guest")).to_contain_text("The kitchen is closed.")
        told = look(page, "film.entries")
        page.reload()
        until(page, f"window.cookmas?.player.films[0].entries === {told}")
        page.close()
        assert wrong == []
    assert len(list(films([folder]))) == told
