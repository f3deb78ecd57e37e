"""A worker played on a page of one's own: by keyboard alone, and nothing there that tells more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from cookmas.api import create
from cookmas.episodes.trace import StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.working.questionnaire import Questionnaire
from cookmas.people.working.study import StudyFile, Taking, create_study
from tests.cookmas.display.conftest import NASTY, collect_errors, look, until
from tests.cookmas.display.seats import playing
from tests.cookmas.people.working.test_playing import ANSWERS, ASKED
from tests.worlds.hands.cards import dealt
from tests.worlds.hands.test_knowing import CARDS


@contextmanager
def played(folder: Path) -> Iterator[str]:
    """A run that one person plays on a page; yields its address, and ends with the run."""
    with playing(folder) as [address]:
        yield address


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_worker_is_played_to_the_end_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    create(
        folder,
        RunRequest(scenario="corridor/one", planner="embedded", people=("walker_1",), limit=60.0),
    )
    study = StudyFile(
        consent=f"I agree. {NASTY}",
        questionnaire=Questionnaire.model_validate(ASKED),
    )
    create_study(folder, study)
    wrong: list[str] = []
    page = browser.new_page()
    collect_errors(page, wrong)
    status = page.locator(".seat").get_by_role("status")
    with played(folder) as address:
        page.goto(address)
        expect(page.locator(".seat blockquote")).to_contain_text("I agree. </script>")
        expect(page.get_by_role("button", name="I agree")).to_be_focused()
        press(page, "Enter")
        for timestep in range(4):
            expect(status).to_contain_text(f"Timestep {timestep}: what do you do?")
            suggested = page.locator(".seat .suggested")
            expect(suggested).to_be_focused()
            expect(page.get_by_role("timer")).to_contain_text("seconds left")
            until(page, "Boolean(window.cookmas)")
            assert look(page, "film.verdict") is None
            press(page, "Tab")
            expect(suggested).not_to_be_focused()
            group = page.get_by_role("group", name="You can:")
            expect(group.get_by_role("button").first).to_be_focused()
            press(page, "Shift+Tab", "Enter")
        expect(page.get_by_role("group", name="Trust?").get_by_role("radio").first).to_be_focused()
        press(page, "Space", *["ArrowRight"] * 4, "Tab", "Space", "Tab", "Tab", "Enter")
        expect(status).to_have_text("It is over. Thank you.")
        expect(page.locator("header .outcome")).to_contain_text("success", ignore_case=True)
    assert page.evaluate("window.struck") is None
    page.close()
    assert wrong == []
    taken = StudyFile.model_validate_json((folder / "people.json").read_bytes()).people
    assert taken == {"walker_1": Taking(agreed=True, answers=ANSWERS)}


def test_who_misses_a_timestep_is_told_so_and_asked_the_next(
    browser: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    create(
        folder,
        RunRequest(scenario="corridor/one", planner="embedded", people=("walker_1",), limit=2.5),
    )
    page = browser.new_page()
    with played(folder) as address:
        page.goto(address)
        status = page.locator(".seat").get_by_role("status")
        expect(status).to_contain_text("went by without you.")
        press(page, "Enter")
        expect(page.get_by_role("timer")).to_be_visible()
        page.wait_for_timeout(600)
        for _ in range(600):
            if "It is over" in status.inner_text():
                break
            press(page, "Enter")
            page.wait_for_timeout(100)
        expect(status).to_contain_text("It is over.")
    page.close()
    failed = [step for step in read_trace(folder / "trace.jsonl").of(StepRecord) if step.fails]
    assert failed
    for step in failed:
        assert step.fails["walker_1"].why == "walker_1 did not answer within 2.5 s."


def test_where_nothing_is_simulated_an_action_is_written(browser: Browser, tmp_path: Path) -> None:
    seed = next(seed for seed in range(99) if 1 in dealt(seed)["cards"][4:])
    folder = tmp_path / "run"
    planner, settings = "alice=careful,bob=careful", {"seed": seed}
    create(
        folder,
        RunRequest(
            scenario="six",
            planner=planner,
            world=CARDS,
            settings=settings,
            people=("alice",),
            limit=60.0,
        ),
    )
    page = browser.new_page()
    with played(folder) as address:
        page.goto(address)
        field = page.get_by_role("textbox", name="an action")
        expect(field).to_be_visible()
        expect(page.get_by_role("group", name="You can:")).to_have_count(0)
        field.fill(" play(9) ")
        field.press("Enter")
        status = page.locator(".seat").get_by_role("status")
        expect(status).to_contain_text("Timestep 1: what do you do?")
        expect(page.locator("body")).to_contain_text("not that")
        field.fill("pass")
        field.press("Enter")
        expect(status).to_have_text("It is over. Thank you.")
    page.close()
    trace = read_trace(folder / "trace.jsonl")
    said = [command.action for step in trace.of(StepRecord) for command in step.commands]
    assert said == ["play(9)", "pass", "pass"]


def test_a_player_of_hanabi_sees_the_cards_of_others_and_moves_by_a_button(
    browser: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    create(
        folder, RunRequest(scenario="hanabi/small", planner="bob=random", people=("alice",), seed=3)
    )
    page = browser.new_page()
    wrong: list[str] = []
    collect_errors(page, wrong)
    with playing(folder, to_the_end=False) as [address]:
        page.goto(address)
        status = page.locator(".seat").get_by_role("status")
        expect(status).to_contain_text("Timestep 0: what do you do?")
        own = page.locator("section", has=page.get_by_role("heading", name="cards of alice"))
        other = page.locator("section", has=page.get_by_role("heading", name="cards of bob"))
        expect(own.last).to_contain_text("not seen")
        expect(other.last).not_to_contain_text("not seen")
        expect(page.get_by_role("heading", name="Fireworks")).to_be_visible()
        group = page.get_by_role("group", name="You can:")
        button = group.get_by_role("button", name="tells bob which cards are").first
        button.click()
        expect(status).to_contain_text("Timestep 2: what do you do?")
        assert wrong == []
    page.close()
    [first, *_] = read_trace(folder / "trace.jsonl").of(StepRecord)
    assert dict(first.commands)["alice"].startswith("clue(bob,")
