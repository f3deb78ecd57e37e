"""A worker played on a page of one's own: by keyboard alone, and nothing there that tells more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cookmas.episodes.trace import StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.people.working.questionnaire import Questionnaire
from cookmas.people.working.study import StudyFile, Taking, create_study
from tests.cookmas.display.conftest import NASTY, look, until
from tests.cookmas.display.seats import actions, sitting, status
from tests.cookmas.people.working.conftest import prepared
from tests.cookmas.people.working.test_playing import ANSWERS, ASKED
from tests.worlds.hands.cards import dealt
from tests.worlds.hands.test_knowing import CARDS


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def steps_of(folder: Path) -> list[StepRecord]:
    return list(read_trace(folder / "trace.jsonl").of(StepRecord))


def test_a_worker_is_played_to_the_end_by_keyboard(page: Page, tmp_path: Path) -> None:
    folder = prepared(tmp_path / "run", "corridor/one", "walker_1", limit=60.0)
    questionnaire = Questionnaire.model_validate(ASKED)
    create_study(folder, StudyFile(consent=f"I agree. {NASTY}", questionnaire=questionnaire))
    with sitting(folder, page):
        expect(page.locator(".seat blockquote")).to_contain_text("I agree. </script>")
        expect(page.get_by_role("button", name="I agree")).to_be_focused()
        press(page, "Enter")
        for timestep in range(4):
            expect(status(page)).to_contain_text(f"Timestep {timestep}: what do you do?")
            suggested = page.locator(".seat .suggested")
            expect(suggested).to_be_focused()
            expect(page.get_by_role("timer")).to_contain_text("seconds left")
            until(page, "Boolean(window.cookmas)")
            assert look(page, "film.verdict") is None
            press(page, "Tab")
            expect(suggested).not_to_be_focused()
            expect(actions(page).get_by_role("button").first).to_be_focused()
            press(page, "Shift+Tab", "Enter")
        expect(page.get_by_role("group", name="Trust?").get_by_role("radio").first).to_be_focused()
        press(page, "Space", *["ArrowRight"] * 4, "Tab", "Space", "Tab", "Tab", "Enter")
        expect(status(page)).to_have_text("It is over. Thank you.")
        expect(page.locator("header .outcome")).to_contain_text("success", ignore_case=True)
    assert page.evaluate("window.struck") is None
    taken = StudyFile.model_validate_json((folder / "people.json").read_bytes()).people
    assert taken == {"walker_1": Taking(agreed=True, answers=ANSWERS)}


@pytest.mark.usefixtures("refusals")
def test_who_misses_a_timestep_is_told_so_and_asked_the_next(page: Page, tmp_path: Path) -> None:
    folder = prepared(tmp_path / "run", "corridor/one", "walker_1", limit=1.5)
    with sitting(folder, page):
        expect(status(page)).to_contain_text("went by without you.")
        press(page, "Enter")
        expect(page.get_by_role("timer")).to_be_visible()
        page.wait_for_timeout(600)
        for _ in range(600):
            if "It is over" in status(page).inner_text():
                break
            press(page, "Enter")
            page.wait_for_timeout(100)
        expect(status(page)).to_contain_text("It is over.")
    failed = [step for step in steps_of(folder) if step.fails]
    assert failed
    for step in failed:
        assert step.fails["walker_1"].why == "walker_1 did not answer within 1.5 s."


def test_where_nothing_is_simulated_an_action_is_written(page: Page, tmp_path: Path) -> None:
    seed = next(seed for seed in range(99) if 1 in dealt(seed)["cards"][4:])
    told: dict[str, Any] = {"world": CARDS, "settings": {"seed": seed}, "limit": 60.0}
    careful = "alice=careful,bob=careful"
    folder = prepared(tmp_path / "run", "six", "alice", planner=careful, **told)
    with sitting(folder, page):
        field = page.get_by_role("textbox", name="an action")
        expect(field).to_be_visible()
        expect(actions(page)).to_have_count(0)
        field.fill(" play(9) ")
        field.press("Enter")
        expect(status(page)).to_contain_text("Timestep 1: what do you do?")
        expect(page.locator("body")).to_contain_text("not that")
        field.fill("pass")
        field.press("Enter")
        expect(status(page)).to_have_text("It is over. Thank you.")
    said = [command.action for step in steps_of(folder) for command in step.commands]
    assert said == ["play(9)", "pass", "pass"]


def test_a_player_of_hanabi_sees_the_cards_of_others_and_moves_by_a_button(
    page: Page, tmp_path: Path
) -> None:
    folder = prepared(tmp_path / "run", "hanabi/small", "alice", planner="bob=random", seed=3)
    with sitting(folder, page, to_the_end=False):
        expect(status(page)).to_contain_text("Timestep 0: what do you do?")
        own = page.locator("section", has=page.get_by_role("heading", name="cards of alice"))
        other = page.locator("section", has=page.get_by_role("heading", name="cards of bob"))
        expect(own.last).to_contain_text("not seen")
        expect(other.last).not_to_contain_text("not seen")
        expect(page.get_by_role("heading", name="Fireworks")).to_be_visible()
        actions(page).get_by_role("button", name="tells bob which cards are").first.click()
        expect(status(page)).to_contain_text("Timestep 2: what do you do?")
    assert dict(steps_of(folder)[0].commands)["alice"].startswith("clue(bob,")
