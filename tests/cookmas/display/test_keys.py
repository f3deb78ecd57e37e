"""A worker played by keys: one press for each timestep, or at a steady pace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cookmas.episodes.trace import MessageRecord, StepRecord
from cookmas.episodes.trace_file import read_trace
from tests.cookmas.display.conftest import look, until
from tests.cookmas.display.keyed import KEYED
from tests.cookmas.display.seats import sitting, status
from tests.cookmas.people.working.conftest import prepared

pytestmark = pytest.mark.usefixtures("refusals")

LENGTH = "film.length"


def keyed(folder: Path, scenario: str, *people: str, planner: str = "embedded") -> Path:
    told: dict[str, Any] = {"world": KEYED, "suggestions": False}
    return prepared(folder, scenario, *people, planner=planner, **told)


@contextmanager
def at_pads(folder: Path, *pages: Page, to_the_end: bool = True) -> Iterator[None]:
    """Play the run in a folder, with each person at a page that has keys."""
    with sitting(folder, *pages, to_the_end=to_the_end):
        for page in pages:
            expect(page.locator(".pad")).to_be_visible()
            until(page, "Boolean(window.cookmas)")
        yield


def acts_of(folder: Path, walker: str) -> list[str]:
    steps = read_trace(folder / "trace.jsonl").of(StepRecord)
    return [dict(step.commands)[walker] for step in steps]


def test_a_press_is_the_action_of_a_timestep(page: Page, tmp_path: Path) -> None:
    folder = keyed(tmp_path / "run", "one", "walker_1")
    with at_pads(folder, page):
        expect(page.locator(".pad")).to_be_focused()
        page.keyboard.press("ArrowLeft")
        expect(status(page)).to_have_text("Timestep 0: what do you do?")
        for timestep, key in enumerate(["ArrowRight", ".", "ArrowRight", "ArrowRight"]):
            expect(status(page)).to_have_text(f"Timestep {timestep}: what do you do?")
            page.keyboard.press(key)
        expect(status(page)).to_have_text("Timestep 4: what do you do?")
        used = page.get_by_label("use the keyboard")
        used.uncheck()
        page.locator(".pad").focus()
        page.keyboard.press(".")
        used.check()
        page.get_by_label("Timesteps a second").nth(0).focus()
        page.keyboard.press(".")
        expect(status(page)).to_have_text("Timestep 4: what do you do?")
        page.get_by_role("button", name="stays (.)").click()
        expect(status(page)).to_have_text("Timestep 5: what do you do?")
        expect(page.locator(".pad")).to_be_focused()
        page.keyboard.press(" ")
        expect(status(page)).to_have_text("It is over. Thank you.")
        expect(page.locator(".pad")).to_be_hidden()
        until(page, "cookmas.player.t === 6")
        page.keyboard.press("ArrowLeft")
        until(page, "cookmas.player.t === 5")
    assert acts_of(folder, "walker_1")[:5] == ["right", "stay", "right", "right", "stay"]
    assert acts_of(folder, "walker_1")[5].startswith("ring(")


def test_a_press_before_the_next_question_answers_it(
    page: Page, other_page: Page, tmp_path: Path
) -> None:
    folder = keyed(tmp_path / "run", "two", "walker_1", "walker_2")
    with at_pads(folder, page, other_page, to_the_end=False):
        page.keyboard.press("ArrowRight")
        page.keyboard.press(".")
        other_page.keyboard.press(".")
        expect(status(other_page)).to_have_text("Timestep 1: what do you do?")
        other_page.keyboard.press(".")
        until(page, "cookmas.player.films[0].length === 2")
    assert acts_of(folder, "walker_1") == ["right", "stay"]


def test_two_people_play_at_a_steady_pace(page: Page, other_page: Page, tmp_path: Path) -> None:
    folder = keyed(tmp_path / "run", "two", "walker_1", "walker_2")
    with at_pads(folder, page, other_page, to_the_end=False):
        for each in (page, other_page):
            each.locator(".keys select").select_option("5")
            each.get_by_role("button", name="Steady pace").click()
        page.keyboard.press("ArrowRight")
        other_page.keyboard.down("ArrowRight")
        until(other_page, "cookmas.player.films[0].length > 4")
        other_page.keyboard.up("ArrowRight")
        other_page.keyboard.press("Escape")
        expect(other_page.get_by_role("button", name="Steady pace")).to_be_visible()
        waited = -1
        while waited != (waited := look(page, LENGTH)):
            page.wait_for_timeout(1000)
        other_page.keyboard.press(".")
        until(page, f"cookmas.player.films[0].length > {waited}")
    mine, its = (acts_of(folder, walker) for walker in ("walker_1", "walker_2"))
    assert mine.count("right") == 1
    assert set(mine) == {"right", "stay"}
    assert its.count("right") >= 3
    assert its[-1] == "stay"


def test_who_writes_to_the_partner_plays_no_keys(page: Page, tmp_path: Path) -> None:
    lineup = "walker_1=person,walker_2=team"
    folder = keyed(tmp_path / "run", "two", "walker_1", planner=lineup)
    with at_pads(folder, page, to_the_end=False):
        page.get_by_role("textbox", name="Say").fill("I go.")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        assert look(page, LENGTH) == 0
        page.locator(".pad").focus()
        page.keyboard.press("ArrowRight")
        until(page, "cookmas.player.films[0].length === 1")
    messages = [each.text for each in read_trace(folder / "trace.jsonl").of(MessageRecord)]
    assert messages[0] == "I go."
    assert acts_of(folder, "walker_1") == ["right"]


def test_a_pace_is_kept(browser: Browser, tmp_path: Path) -> None:
    folder = keyed(tmp_path / "run", "two", "walker_1")
    page = browser.new_page()  # Its clock is another one from now on.
    with at_pads(folder, page, to_the_end=False):
        page.clock.install(time=0)
        page.clock.pause_at(3_600_000)
        page.locator(".keys select").select_option("4")
        page.get_by_role("button", name="Steady pace").click()
        page.clock.run_for(5)
        for timestep in range(5):
            until(page, f"ownSeat.keys.asked?.timestep === {timestep}")
            page.clock.run_for(240)
            assert look(page, LENGTH) == timestep
            page.clock.run_for(10)
            until(page, f"cookmas.player.films[0].length === {timestep + 1}")
    page.close()
