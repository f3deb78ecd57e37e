"""People who talk on their pages: two in two browsers, and one with a scripted cook."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from cookmas.episodes.conversation import END
from cookmas.episodes.trace import StepRecord
from cookmas.people.working.questionnaire import Questionnaire
from cookmas.people.working.study import StudyFile, create_study
from tests.cookmas.display.conftest import NASTY
from tests.cookmas.display.seats import actions, sitting, status
from tests.cookmas.people.working.talking import BOTH, PAIR, made, said, trace_of


def field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Say")


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="What has been said")


def choose(page: Page, words: str) -> None:
    actions(page).get_by_role("button", name=words).click()


def test_two_people_talk_in_two_browsers_and_answer_the_questionnaire(
    page: Page, other_page: Page, tmp_path: Path
) -> None:
    bob, alice = page, other_page
    folder = made(tmp_path / "run", PAIR, *BOTH, limit=60.0, settings={"gamma": "0.13"})
    question = {"name": "fun", "kind": "choice", "ask": "Again?", "of": ["yes", "no"]}
    after = Questionnaire.model_validate({"questions": [question]})
    create_study(folder, StudyFile(questionnaire=after))
    with sitting(folder, bob, alice):
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
        for each in (bob, alice):
            each.get_by_role("radio", name="yes").check()
            each.get_by_role("button", name="Send").click()
        for each in (bob, alice):
            expect(status(each)).to_have_text("It is over. Thank you.")
            assert each.evaluate("window.struck") is None
    assert [(who, text) for _, who, text in said(trace_of(folder))] == [
        ("bob", f"Hello. {NASTY}"),
        ("alice", "What shall I do?"),
        ("bob", f"Just that. {END}"),
        ("bob", "Have you got it?"),
        ("alice", "Soon."),
    ]


def test_a_person_asks_a_scripted_cook_by_request(page: Page, tmp_path: Path) -> None:
    lineup = "bob=person,alice=obedient"
    folder = made(tmp_path / "run", lineup, "bob", settings={"gamma": "0.07"})
    wish = "pickup(bell_pepper,ingredient_dispenser)"
    with sitting(folder, page):
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
