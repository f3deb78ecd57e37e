"""A browser, runs to display, and their pages."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect, sync_playwright

import cookmas
from cookmas.display.page.show import page as page_of
from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.replaying import judge_run

TRACES = Path(__file__).parents[2] / "traces"

expect.set_options(timeout=60_000)

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]

NASTY = "</script><script>window.struck=1</script><img src=x onerror='window.struck=1'>{{7*7}}"
"""Text with an attack."""


@dataclass(frozen=True)
class Chromium:
    """A browser for all tests of a process, and the pages that they use one after the other.

    Between the tests its event loop waits, and does not run in the thread of the tests.
    """

    browser: Browser
    loop: asyncio.AbstractEventLoop
    pages: list[Page] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)

    @contextmanager
    def emptied(self, number: int) -> Iterator[Page]:
        """Yield a page of this number, each in a context of its own, for a third of the cost."""
        while len(self.pages) <= number:
            self.pages.append(self.browser.new_page())
            collect_errors(self.pages[-1], self.errors)
            self.pages[-1].on("request", lambda asked: self.fetched.append(asked.url))
        page = self.pages[number]
        page.set_viewport_size({"width": 1366, "height": 900})
        yield page
        leave(page)
        page.emulate_media(color_scheme="null")
        page.unroute_all()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("there is no chromium here, so nothing is looked at in a browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        loop = asyncio.get_running_loop()
        with beside_the_browser():
            yield Chromium(browser, loop)
        browser.close()


@contextmanager
def beside_the_browser() -> Iterator[None]:
    """Let this thread run other event loops within the block, as if the browser had none."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Browser]:
    """Yield the browser; what a test opens in it, it closes."""
    asyncio._set_running_loop(chromium.loop)
    yield chromium.browser
    asyncio._set_running_loop(None)


@pytest.fixture
def page(browser: Browser, chromium: Chromium) -> Iterator[Page]:
    """Yield an empty page; errors on it, and on another page of the test, fail the test."""
    chromium.errors.clear()
    chromium.fetched.clear()
    with chromium.emptied(0) as page:
        yield page
    assert chromium.errors == []


@pytest.fixture
def other_page(page: Page, chromium: Chromium) -> Iterator[Page]:
    with chromium.emptied(1) as other:
        yield other


@pytest.fixture
def refusals(page: Page, chromium: Chromium) -> Iterator[None]:
    """Let the server refuse what a page sends, as the console tells."""
    yield
    refused = "Failed to load resource: the server responded with a status of 4"
    chromium.errors[:] = [each for each in chromium.errors if not each.startswith(refused)]


def leave(page: Page) -> None:
    """Leave what a page shows, so that it fetches nothing more."""
    page.goto("about:blank")


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Return a function that writes the page of runs, and returns its address."""
    folder = tmp_path_factory.mktemp("pages")

    @cache
    def write(*runs: Path, world: str | None) -> str:
        file = folder / f"{len(list(folder.iterdir()))}.html"
        file.write_text(page_of([judge_run(run, world) for run in runs], world), encoding="utf-8")
        return file.as_uri()

    return write


Opened = Callable[..., Page]
"""Opens the page of runs, with a fragment of the address."""


@pytest.fixture
def opened(page: Page, chromium: Chromium, documents: Callable[..., str]) -> Iterator[Opened]:
    """Yield a function that opens pages from disk; errors and network requests fail the test."""

    def open_page(runs: Sequence[Path], at: str = "", world: str | None = None) -> Page:
        leave(page)
        page.goto(documents(*runs, world=world) + at)
        until(page, "Boolean(window.cookmas)")
        return page

    yield open_page
    assert [url for url in chromium.fetched if not url.startswith(OWN)] == []


OWN = ("file:", "data:", "about:")
"""Beginnings of the addresses at which a page from disk looks."""


def collect_errors(page: Page, wrong: list[str]) -> None:
    """Add to `wrong` the errors of the page's scripts, and those that its console shows."""
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)


def until(page: Page, condition: str) -> None:
    """Wait until a script returns True; poll it, since the page's policy forbids `eval`."""
    deadline = time.monotonic() + 60
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(50)


def look(page: Page, script: str) -> Any:
    """Return a script's result on the page's first film (`film`) or its player (`player`)."""
    return page.evaluate(
        f"() => {{ const player = cookmas.player, film = player.films[0]; return {script}; }}"
    )


def box_of(element: Locator) -> FloatRect:
    """Return where an element is drawn."""
    box = element.bounding_box()
    assert box is not None
    return box


def played(folder: Path, scenario: str, planner: Any, world: str | None = None) -> Path:
    """Return the trace of a run that is played in this thread, which the browser uses too."""
    with beside_the_browser():
        run = cookmas.play(scenario, planner, world=world)
    trace = folder / f"{len(list(folder.iterdir()))}.jsonl"
    trace.write_text("\n".join(run.trace.lines()) + "\n", encoding="utf-8")
    return trace


TOAST = {"item": "Buttered Toast", "note": NASTY}


class Nasty:
    """A planner whose every text has an attack."""

    name = f"nasty {NASTY}"
    planner_class: PlannerClass = "fixed"

    async def plan(self, observation: Observation[Any]) -> Plan:
        understood, doubts = {"o1.1": [NASTY]}, [f"o1.1: {NASTY}"]
        if observation.timestep > 1:
            return Plan(
                schedule=(), reasoning=NASTY, understood=understood, doubts=doubts, gave_up=NASTY
            )
        schedule = [{"worker_1": f"pick({NASTY.replace('(', '').replace(')', '')})"}]
        return Plan(schedule=schedule, reasoning=NASTY, understood=understood, doubts=doubts)


@pytest.fixture(scope="session")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a trace in which the guest's, the planner's and the recipes' texts have attacks."""
    folder = tmp_path_factory.mktemp("nasty")
    scenario = folder / "nasty.yaml"
    order = {"at": 0, "kind": "new_order", "order": "o1", "lines": [TOAST]}
    data = {"title": NASTY, "level": 1, "kitchen": "small", "events": [order]}
    scenario.write_text(yaml.safe_dump(data))
    return played(folder, str(scenario), Nasty())


@pytest.fixture(scope="session")
def naive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of level 2 by another planner."""
    return played(tmp_path_factory.mktemp("naive"), "level2/01", "naive")


@pytest.fixture(scope="session")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of level 3, with orders that come and go during the episode."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cookmas.solving.restaurant.planners.EmbeddedPlanner.effort", 1)
        return played(tmp_path_factory.mktemp("changing"), "level3/12", "embedded")
