"""People who talk on their pages: two in two browsers, and one with a scripted cook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from cookmas.api import create
from cookmas.episodes.conversation import END
from cookmas.episodes.trace import StepRecord
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.working.questionnaire import Questionnaire
from cookmas.people.working.study import StudyFile, create_study
from tests.cookmas.display.conftest import NASTY, collect_errors
from tests.cookmas.display.seats import playing
from tests.cookmas.people.working.talking import TASK, said, trace_of


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """A browser of one person; errors on its page fail the test."""
    wrong: list[str] = []
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = context.new_page()
    collect_errors(page, wrong)
    page.goto(address)
    yield page
    assert page.evaluate("window.struck") is None
    context.close()
    assert wrong == []


def status(page: Page) -> Locator:
    return page.locator(".seat > [role=status]")


def field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Say")


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="What has been said")


def choose(page: Page, words: str) -> None:
    page.get_by_role("group", name="You can:").get_by_role("button", name=words).click()


def test_two_people_talk_in_two_browsers_and_answer_the_questionnaire(
    browser: Browser, tmp_path: Path
) -> None:
    folder = create(
        tmp_path / "run",
        RunRequest(
            scenario=TASK,
            planner="bob=person,alice=person",
            people=("bob", "alice"),
            limit=60.0,
            settings={"gamma": "0.13"},
        ),
    )
    question = {"name": "fun", "kind": "choice", "ask": "Again?", "of": ["yes", "no"]}
    after = Questionnaire.model_validate({"questions": [question]})
    create_study(folder, StudyFile(questionnaire=after))
    with (
        playing(folder) as [first, second],
        opened(browser, first) as bob,
        opened(browser, second) as alice,
    ):
        expect(status(bob)).to_contain_text("Timestep 0: what do you do?")
        expect(status(alice)).to_have_text("Wait for the others.")
        expect(bob.get_by_role("timer")).to_contain_text("seconds left")
        field(bob).fill(f"Hello. {NASTY}")
        field(bob).press("Enter")
        expect(status(alice)).to_contain_text("You are spoken to. Timestep 0: what do you do?")
        expect(log(alice)).to_contain_text("Hello. </script>")
        expect(log(alice).get_by_text("bob")).to_be_visible()
        expect(field(bob)).to_have_value("")
        expect(bob.locator(".talk")).not_to_contain_text("You can speak")
        field(alice).fill("What shall I do?")
        choose(alice, "takes bell pepper from ingredient dispenser")
        expect(log(bob)).to_contain_text("What shall I do?")
        expect(bob.locator(".talk")).to_contain_text("alice has decided on pickup(bell_pepper,")
        field(bob).fill("Just that.")
        bob.get_by_role("button", name="End the talk").click()
        expect(bob.get_by_role("button", name="Send")).to_be_disabled()
        expect(bob.locator(".talk")).to_contain_text("You say: Just that.")
        choose(bob, "waits")
        alice.get_by_role("button", name="Keep to it: takes bell pepper").click()
        expect(status(bob)).to_contain_text("Timestep 1: what do you do?")
        field(bob).fill("Have you got it?")
        bob.get_by_role("button", name="Send").click()
        expect(status(alice)).to_contain_text("You can answer while you work.")
        expect(field(alice)).to_be_focused()
        alice.keyboard.type("Soon.")
        alice.keyboard.press("Enter")
        expect(log(bob)).to_contain_text("Soon.")
        choose(bob, "waits")
        for page in (bob, alice):
            page.get_by_role("radio", name="yes").check()
            page.get_by_role("button", name="Send").click()
        for page in (bob, alice):
            expect(status(page)).to_have_text("It is over. Thank you.")
    assert [(who, text) for _, who, text in said(trace_of(folder))] == [
        ("bob", f"Hello. {NASTY}"),
        ("alice", "What shall I do?"),
        ("bob", f"Just that. {END}"),
        ("bob", "Have you got it?"),
        ("alice", "Soon."),
    ]


def test_a_person_asks_a_scripted_cook_by_request(browser: Browser, tmp_path: Path) -> None:
    folder = create(
        tmp_path / "run",
        RunRequest(
            scenario=TASK,
            planner="bob=person,alice=obedient",
            people=("bob",),
            settings={"gamma": "0.07"},
        ),
    )
    wish = "pickup(bell_pepper,ingredient_dispenser)"
    with playing(folder) as [address], opened(browser, address) as page:
        page.get_by_text("How to ask for an action").click()
        expect(page.locator(".talk .forms")).to_contain_text("pickup(FOOD,PLACE)")
        field(page).fill(f"request('{wish}')")
        page.get_by_text("Write an action").click()
        page.get_by_role("button", name="wait(N)").click()
        page.keyboard.type("3")
        page.keyboard.press("Enter")
        expect(status(page)).to_have_text("It is over. Thank you.")
    [step] = trace_of(folder).of(StepRecord)
    assert dict(step.commands) == {"bob": "wait(3)", "alice": wish}
