"""A browser, runs to display, and their pages."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Page, expect, sync_playwright

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("there is no chromium here, so nothing is looked at in a browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


Opened = Callable[..., Page]
"""Opens the page of runs, with a fragment of the address."""


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Yield a function that opens pages from disk; errors and network requests fail the test."""
    wrong: list[str] = []
    context = browser.new_context(viewport={"width": 1366, "height": 900})

    def listen(page: Page) -> Page:
        collect_errors(page, wrong)
        page.on("request", lambda asked: None if _own(asked.url) else wrong.append(asked.url))
        return page

    def open_page(runs: Sequence[Path], at: str = "", world: str | None = None) -> Page:
        file = tmp_path / "page.html"
        file.write_text(page_of([judge_run(run, world) for run in runs], world), encoding="utf-8")
        page = listen(context.new_page())
        page.goto(file.as_uri() + at)
        until(page, "Boolean(window.cookmas)")
        return page

    yield open_page
    context.close()
    assert wrong == []


def collect_errors(page: Page, wrong: list[str]) -> None:
    """Add to `wrong` the errors of the page's scripts, and those that its console shows."""
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)


def _own(url: str) -> bool:
    return url.startswith(("file:", "data:"))


def until(page: Page, condition: str) -> None:
    """Wait until a script returns True; poll it, since the page's policy forbids `eval`."""
    deadline = time.monotonic() + 60
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(25)


def look(page: Page, script: str) -> Any:
    """Return a script's result on the page's first film (`film`) or its player (`player`)."""
    return page.evaluate(
        f"() => {{ const player = cookmas.player, film = player.films[0]; return {script}; }}"
    )


def played(folder: Path, scenario: str, planner: Any, world: str | None = None) -> Path:
    """Return the trace of a run, played in a thread, since the browser uses this thread's event
    loop.
    """
    with ThreadPoolExecutor(1) as apart:
        run = apart.submit(cookmas.play, scenario, planner, world=world).result()
    trace = folder / "trace.jsonl"
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
    return played(tmp_path_factory.mktemp("changing"), "level3/08", "embedded")
