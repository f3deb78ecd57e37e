"""The page of an open kitchen in a browser: a guest orders, and sees it served."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from urllib.parse import unquote, urlsplit

import pytest
import typer
from playwright.sync_api import Page, expect

import cookmas
from cookmas.commands.live import live
from cookmas.display.live.app import ShownRun
from cookmas.display.page.show import films
from cookmas.files.errors import TraceError
from cookmas.replaying import judge_run
from tests.cookmas.display.conftest import NASTY, beside_the_browser, leave, look, until
from tests.cookmas.display.underway import OPEN, close, send, served, under_way, watch
from tests.rechained import rechained, write_trace

pytestmark = pytest.mark.usefixtures("least_effort")


SLOW = OPEN.model_copy(update={"pace": 0.4})
"""A kitchen that a chicken takes a quarter minute."""


def order(page: Page, words: str) -> None:
    page.get_by_label("Order, in words").fill(words)
    page.get_by_role("button", name="Order", exact=True).press("Enter")


@pytest.mark.usefixtures("refusals")
def test_a_scenario_is_opened_and_shown_in_one_step(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: Queue[str] = Queue()
    monkeypatch.setattr("webbrowser.open", addresses.put)
    folder = tmp_path / "level1-03-embedded"
    with ThreadPoolExecutor(1) as apart:
        playing = apart.submit(live, "level1/03", port=0, pace="0s", runs=tmp_path)
        opened = addresses.get(timeout=60)
        assert "token" not in opened
        assert Path(unquote(urlsplit(opened).path)).stat().st_mode & 0o077 == 0
        page.goto(opened)
        expect(page.locator("#goals .goal.reached")).to_contain_text("Garden Salad")
        close(folder)
        expect(page.locator("header .outcome")).to_have_text("✓ success")
        leave(page)
        with pytest.raises(typer.Exit) as ended:
            playing.result(timeout=60)
    assert ended.value.exit_code == 0


@pytest.mark.usefixtures("refusals")
def test_the_token_stays_in_its_tab(page: Page, other_page: Page, tmp_path: Path) -> None:
    with under_way(tmp_path / "run", SLOW) as folder, served(folder) as address:
        origin, _, _ = address.partition("/?")
        watch(page, address)
        assert page.url.partition("#")[0] == f"{origin}/"
        assert page.context.cookies() == []
        page.reload()  # It is sent on to the address with the token.
        expect(page.locator("#guest")).to_be_visible()
        other_page.goto(origin)
        expect(other_page.locator("body")).to_contain_text("open the address that was printed")
        other_page.goto(f"{origin}/?token=of-an-earlier-start")
        expect(other_page.locator("body")).to_contain_text("of an earlier start")
        for each in (page, other_page):
            leave(each)


@pytest.mark.usefixtures("refusals")
def test_a_guest_orders_changes_and_cancels_and_sees_it_served(page: Page, tmp_path: Path) -> None:
    with under_way(tmp_path / "run", SLOW) as folder, served(folder) as address:
        watch(page, address)
        said = page.locator(".answered")
        order(page, f"1 Buttered Toast: {NASTY.replace(';', '')}; 1 Roast Chicken Dinner")
        expect(said).to_have_text("taken: live1")
        page.locator("summary", has_text="Add to, change or cancel").press("Enter")
        send(page, "Change", {"Line": "live1.2", "New words": "no peas"})
        expect(said).to_have_text("taken: live1.2")
        expect(page.locator("#goals .goal", has_text="live1.2")).to_contain_text("no peas")
        send(page, "Cancel", {"Order or line": "live1.2"})
        expect(page.locator("#goals .goal.dropped")).to_contain_text("live1.2")
        send(page, "Add", {"Order": "live1", "What": "1 Garden Salad"})
        expect(said).to_have_text("taken: live1.3")
        page.locator("summary", has_text="Be the supervisor").press("Enter")
        send(page, "Instruct", {"To the orchestrator, in plain words": f"Toast first! {NASTY}"})
        expect(said).to_have_text("taken")
        expect(page.locator("#goals .goal.reached").first).to_be_visible()
        expect(page.locator("#goals q").filter(has_text="struck")).to_have_count(1)
        assert page.evaluate("window.struck") is None
        assert look(page, "film.verdict") is None
        order(page, "1 Unicorn Steak")
        expect(said).to_contain_text("not on the menu")
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
        leave(page)
    assert len(list(films([judge_run(folder)]))) == told


def test_a_run_that_does_not_replay_is_not_said_to_be_under_way(page: Page, tmp_path: Path) -> None:
    with beside_the_browser():
        cookmas.play("corridor/two", folder=tmp_path / "run")
    path = tmp_path / "run" / "trace.jsonl"
    lines = path.read_text().splitlines()
    third = [number for number, line in enumerate(lines) if '"kind":"step"' in line][2]
    digest = json.loads(lines[third])["digest"]
    lines[third] = lines[third].replace(digest, digest[::-1])
    write_trace(path, rechained(lines))
    with served(path.parent) as address:
        for _ in range(2):
            watch(page, address)
            expect(page.locator("header .outcome")).to_have_text("cannot be read")
            expect(page.locator("header .why")).to_contain_text("does not replay at timestep 2")
            expect(page.locator("header .state")).to_contain_text("does not replay at timestep 2")
            leave(page)
    damaged = ShownRun.of(path.parent, judge_run)
    path.write_text("this is no trace\n")
    with pytest.raises(TraceError, match="is no trace"):
        ShownRun.of(path.parent, judge_run)
    with served(damaged) as address:
        page.goto(address)
        expect(page.locator(".waiting")).to_contain_text("The run cannot be shown: ")
        leave(page)
