"""The page of an open kitchen in a browser: a guest orders, and sees it served."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from urllib.parse import unquote, urlsplit

import pytest
import typer
import uvicorn
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette

from cookmas.api import aresume, create
from cookmas.client import Client
from cookmas.commands.live import live
from cookmas.display.live.app import ShownRun, live_app
from cookmas.display.live.serve import LOOPBACK
from cookmas.display.page.show import films
from cookmas.files.errors import TraceError
from cookmas.modelserver.listening import PromptServer
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.replaying import judge_run
from tests.cookmas.display.conftest import NASTY, look, until
from tests.rechained import rechained, write_trace

pytestmark = pytest.mark.usefixtures("least_effort")


TOKEN = "t0ken"


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """The application at a free port of the loopback; yields its address, with the token."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, log_level="error", ws="none")
        server = PromptServer(config)
        thread = threading.Thread(target=lambda: server.run(sockets=[listener]))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/?token={TOKEN}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def open_kitchen(folder: Path) -> Iterator[Path]:
    """A small kitchen that is open, and closed in the end; a chicken takes it a quarter minute."""
    create(
        folder,
        RunRequest(scenario="open", planner="embedded", pace=0.4, settings={"kitchen": "small"}),
    )
    thread = threading.Thread(target=lambda: asyncio.run(aresume(folder)))
    thread.start()
    try:
        yield folder
    finally:
        close(folder)
        thread.join()


def close(kitchen: Path | str) -> None:
    """Close a kitchen, from a thread, since the browser has the event loop of this one."""

    def ask() -> None:
        with Client(kitchen, patience=0) as client:
            client.close()

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()


def order(page: Page, words: str) -> None:
    page.get_by_label("Order, in words").fill(words)
    page.get_by_role("button", name="Order", exact=True).press("Enter")


def send(page: Page, title: str, words: dict[str, str]) -> None:
    button = page.get_by_role("button", name=title, exact=True)
    form = page.locator("form", has=button)
    for label, text in words.items():
        form.get_by_label(label, exact=True).fill(text)
    button.press("Enter")


def test_a_scenario_is_opened_and_shown_in_one_step(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: Queue[str] = Queue()
    monkeypatch.setattr("webbrowser.open", addresses.put)
    folder = tmp_path / "level1-03-embedded"
    with ThreadPoolExecutor(1) as apart:
        playing = apart.submit(live, "level1/03", port=0, pace="0s", runs=tmp_path)
        page = browser.new_page()
        opened = addresses.get(timeout=60)
        assert "token" not in opened
        assert Path(unquote(urlsplit(opened).path)).stat().st_mode & 0o077 == 0
        page.goto(opened)
        expect(page.locator("#goals .goal.reached")).to_contain_text("Garden Salad")
        close(folder)
        expect(page.locator("header .outcome")).to_have_text("✓ success")
        page.close()
        with pytest.raises(typer.Exit) as ended:
            playing.result(timeout=60)
    assert ended.value.exit_code == 0


def test_the_token_stays_in_its_tab(browser: Browser, tmp_path: Path) -> None:
    with (
        open_kitchen(tmp_path / "run") as folder,
        served(live_app(ShownRun.of(folder, judge_run), LOOPBACK, TOKEN, house=True)) as address,
    ):
        origin, _, _ = address.partition("/?")
        tab, other = browser.new_context().new_page(), browser.new_context().new_page()
        tab.goto(address)
        until(tab, "Boolean(window.cookmas)")
        assert tab.url.partition("#")[0] == f"{origin}/"
        assert tab.context.cookies() == []
        tab.reload()  # It is sent on to the address with the token.
        expect(tab.locator("#guest")).to_be_visible()
        other.goto(origin)
        expect(other.locator("body")).to_contain_text("open the address that was printed")
        other.goto(f"{origin}/?token=of-an-earlier-start")
        expect(other.locator("body")).to_contain_text("of an earlier start")
        close(folder)
        for page in (tab, other):
            page.context.close()


def test_a_guest_orders_changes_and_cancels_and_sees_it_served(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        open_kitchen(tmp_path / "run") as folder,
        served(live_app(ShownRun.of(folder, judge_run), LOOPBACK, TOKEN, house=True)) as address,
    ):
        page = browser.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        until(page, "Boolean(window.cookmas)")
        said = page.locator(".answered")
        order(page, f"1 Garden Salad: {NASTY.replace(';', '')}; 2 Roast Chicken Dinner")
        expect(said).to_have_text("taken: live1")
        page.locator("summary", has_text="Add to, change or cancel").press("Enter")
        send(page, "Change", {"Line": "live1.2", "New words": "no peas"})
        expect(said).to_have_text("taken: live1.2")
        expect(page.locator("#goals .goal", has_text="live1.2")).to_contain_text("no peas")
        send(page, "Cancel", {"Order or line": "live1.2"})
        expect(page.locator("#goals .goal.dropped")).to_contain_text("live1.2")
        send(page, "Add", {"Order": "live1", "What": "1 Buttered Toast"})
        expect(said).to_have_text("taken: live1.4")
        page.locator("summary", has_text="Be the supervisor").press("Enter")
        send(page, "Instruct", {"To the orchestrator, in plain words": f"Salad first! {NASTY}"})
        expect(said).to_have_text("taken")
        expect(page.locator("#goals .goal.reached").first).to_be_visible()
        expect(page.locator("#goals q").filter(has_text="struck")).to_have_count(1)
        assert page.evaluate("window.struck") is None
        assert look(page, "film.verdict") is None
        order(page, "1 Unicorn Steak")
        expect(page.locator(".answered")).to_contain_text("not on the menu")
        page.route("**/messages", lambda route: route.fulfill(json={"status": "withdrawn"}))
        order(page, "1 Garden Salad")
        expect(said).to_have_text("withdrawn")
        expect(said).to_have_class("answered bad")
        expect(page.get_by_label("Order, in words")).to_have_value("1 Garden Salad")
        until(page, "cookmas.player.t === cookmas.player.length")
        close(folder)
        expect(page.locator("header .outcome")).to_contain_text("not scored")
        expect(page.locator("#guest")).to_contain_text("It is over: nothing more is taken.")
        told = look(page, "film.entries")
        page.reload()
        until(page, f"window.cookmas?.player.films[0].entries === {told}")
        page.close()
        assert wrong == []
    assert len(list(films([judge_run(folder)]))) == told


def test_a_run_that_does_not_replay_is_not_said_to_be_under_way(
    browser: Browser, tmp_path: Path
) -> None:
    folder = create(tmp_path / "run", RunRequest(scenario="corridor/two", planner="embedded"))
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, aresume(folder)).result()
    path = folder / "trace.jsonl"
    lines = path.read_text().splitlines()
    third = [number for number, line in enumerate(lines) if '"kind":"step"' in line][2]
    digest = json.loads(lines[third])["digest"]
    lines[third] = lines[third].replace(digest, digest[::-1])
    write_trace(path, rechained(lines))
    with served(live_app(ShownRun.of(folder, judge_run), LOOPBACK, TOKEN, house=True)) as address:
        for _ in range(2):
            page = browser.new_page()
            page.goto(address)
            until(page, "Boolean(window.cookmas)")
            expect(page.locator("header .outcome")).to_have_text("cannot be read")
            expect(page.locator("header .why")).to_contain_text("does not replay at timestep 2")
            expect(page.locator("header .state")).to_contain_text("does not replay at timestep 2")
            page.close()
    damaged = ShownRun.of(folder, judge_run)
    (folder / "trace.jsonl").write_text("this is no trace\n")
    with pytest.raises(TraceError, match="is no trace"):
        ShownRun.of(folder, judge_run)
    with served(live_app(damaged, LOOPBACK, TOKEN, house=True)) as address:
        page = browser.new_page()
        page.goto(address)
        expect(page.locator(".waiting")).to_contain_text("The run cannot be shown: ")
        page.close()
