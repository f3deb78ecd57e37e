"""Questions in a browser: the state is drawn, and the proof comes with the verdict alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cookmas.display.page.feed import entries
from cookmas.replaying import judge_run
from cookmas.worlds.base.question_suite import QuestionLine, SuiteLine, write_suite
from cookmas.worlds.questions.domain import DOMAIN, find_question
from tests.cookmas.display.conftest import Opened, played
from tests.cookmas.display.seats import actions, sitting
from tests.cookmas.people.working.conftest import prepared

DRAWN = {
    "overcooked": ".grid",
    "collab-capture": ".rooms",
    "collab-escape": ".rooms",
    "hanabi": "dl.plain",
}
"""An element of the drawing of each world."""


def _first(world: str, kind: str) -> tuple[str, QuestionLine]:
    """Return the first question about a world of a kind in our suite, and its scenario's name."""
    name = next(name for name in DOMAIN.names("ours") if f"{world}-{kind}" in name)
    return f"questions/{name}", find_question(name)


def _wrong(line: QuestionLine) -> str:
    return next(option for option in line.options if option not in line.right)


def _opened_at_start(opened: Opened, world: str, folder: Path) -> tuple[Page, QuestionLine]:
    """Open the page of a run in which a question has got a wrong answer, at its beginning."""
    name, line = _first(world, "planning")
    schedule = folder / "answer.yaml"
    schedule.write_text(f"- answerer: {_wrong(line)!r}\n")
    return opened([played(folder, name, str(schedule))], at="#t=0"), line


@pytest.mark.parametrize("world", DRAWN)
def test_the_state_is_drawn_as_its_world_draws_it(
    world: str, opened: Opened, tmp_path: Path
) -> None:
    page, line = _opened_at_start(opened, world, tmp_path)
    expect(page.locator(".question .asked")).to_contain_text(line.question)
    expect(page.locator(f".question .asked-about {DRAWN[world]}").first).to_be_visible()
    expect(page.locator(".question .option .what")).to_have_text(line.options)


def expect_proof(page: Page, line: QuestionLine) -> None:
    """Expect that a page shows the proof, which option was right, and the wrong answer."""
    options = page.locator(".question .option")
    expect(options.locator(".proof")).to_have_count(len(line.options))
    right = [each for each in line.options if each in line.right]
    expect(page.locator(".question .option.good .what")).to_have_text(right)
    expect(page.locator(".question .option.answered .what")).to_have_text([_wrong(line)])


def test_the_proof_is_shown_once_the_question_is_answered(opened: Opened, tmp_path: Path) -> None:
    page, line = _opened_at_start(opened, "collab-capture", tmp_path)
    options = page.locator(".question .option")
    expect(options).to_have_count(len(line.options))
    expect(options.locator(".proof")).to_have_count(0)
    page.keyboard.press("End")
    expect_proof(page, line)
    proof = page.locator(".question .option.answered .proof")
    expect(proof).to_contain_text(line.proof[_wrong(line)])


def _asked_with(folder: Path, *proof: str) -> tuple[QuestionLine, str]:
    """Return a question with another proof for each option, and the name of its scenario."""
    _, line = _first("collab-escape", "planning")
    line = line.model_copy(update={"proof": dict(zip(line.options, proof, strict=False))})
    write_suite(folder / "own.jsonl", SuiteLine(suite="own", seed=1), [line])
    return line, f"questions/{folder}/own.jsonl/{line.name}"


def test_no_entry_before_the_verdict_has_the_key(tmp_path: Path) -> None:
    line, name = _asked_with(tmp_path, *["THE PROOF"] * 99)
    judged = judge_run(played(tmp_path, name, "random"))
    assert judged.verdict
    proof = [check.reason for check in judged.verdict.of("proof")]
    assert proof == ["THE PROOF"] * len(line.options)
    told = str(list(entries(judged.trace)))
    assert line.question in told
    assert "THE PROOF" not in told
    assert "'right':" not in told


def test_a_person_at_a_seat_sees_the_proof_only_after_the_answer(
    page: Page, tmp_path: Path
) -> None:
    line, name = _asked_with(tmp_path, *(f"THE PROOF {n}" for n in range(99)))
    folder = prepared(tmp_path / "run", name, "answerer")
    with sitting(folder, page):
        expect(page.locator(".question .option")).to_have_count(len(line.options))
        buttons = actions(page).get_by_role("button")
        expect(buttons).to_have_count(len(line.options))
        expect(page.locator(".question .proof")).to_have_count(0)
        assert "THE PROOF" not in page.content()
        buttons.nth(line.options.index(_wrong(line))).click()
        expect_proof(page, line)
