"""Questions in a browser: the state is drawn, and the proof comes with the verdict alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cookmas.api import create
from cookmas.display.page.feed import entries
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.replaying import judge_run
from cookmas.worlds.base.question_suite import QuestionLine, SuiteLine, write_suite
from cookmas.worlds.questions.domain import DOMAIN, find_question
from tests.cookmas.display.conftest import Opened, collect_errors, played
from tests.cookmas.display.seats import playing

DRAWN = {
    "overcooked": ".grid",
    "collab-capture": ".rooms",
    "collab-escape": ".rooms",
    "hanabi": "dl.plain",
}
"""An element of the drawing of each world."""


def _first(world: str, kind: str) -> str:
    """Return the first question about a world of a kind in our suite."""
    return next(name for name in DOMAIN.names("ours") if f"{world}-{kind}" in name)


def _answer(name: str, option: str, folder: Path) -> Path:
    schedule = folder / "answer.yaml"
    schedule.write_text(f"- answerer: {option!r}\n")
    return played(folder, f"questions/{name}", str(schedule))


@pytest.mark.parametrize("world", DRAWN)
def test_the_state_is_drawn_as_its_world_draws_it(
    world: str, opened: Opened, tmp_path: Path
) -> None:
    name = _first(world, "planning")
    line = find_question(name)
    wrong = next(option for option in line.options if option not in line.right)
    page = opened([_answer(name, wrong, tmp_path)], at="#t=0")
    expect(page.locator(".question .asked")).to_contain_text(line.question)
    expect(page.locator(f".question .asked-about {DRAWN[world]}").first).to_be_visible()
    options = page.locator(".question .option")
    expect(options.locator(".what")).to_have_text(line.options)


def test_the_proof_is_shown_once_the_question_is_answered(opened: Opened, tmp_path: Path) -> None:
    name = _first("collab-capture", "planning")
    line = find_question(name)
    wrong = next(option for option in line.options if option not in line.right)
    page = opened([_answer(name, wrong, tmp_path)], at="#t=0")
    options = page.locator(".question .option")
    expect(options).to_have_count(len(line.options))
    expect(options.locator(".proof")).to_have_count(0)
    page.keyboard.press("End")
    expect(options.locator(".proof")).to_have_count(len(line.options))
    expect(page.locator(".question .option.good .what")).to_have_text(
        [each for each in line.options if each in line.right]
    )
    expect(page.locator(".question .option.answered .what")).to_have_text([wrong])
    expect(page.locator(".question .option.answered .proof")).to_contain_text(line.proof[wrong])


def test_no_entry_before_the_verdict_has_the_key(tmp_path: Path) -> None:
    name = _first("collab-escape", "planning")
    line: QuestionLine = find_question(name)
    line = line.model_copy(update={"proof": dict.fromkeys(line.options, "THE PROOF")})
    write_suite(tmp_path / "own.jsonl", SuiteLine(suite="own", seed=1), [line])
    judged = judge_run(played(tmp_path, f"questions/{tmp_path}/own.jsonl/{line.name}", "random"))
    assert judged.verdict
    proof = [check.reason for check in judged.verdict.of("proof")]
    assert proof == ["THE PROOF"] * len(line.options)
    told = str(list(entries(judged.trace)))
    assert line.question in told
    assert "THE PROOF" not in told
    assert "'right':" not in told


def test_a_person_at_a_seat_sees_the_proof_only_after_the_answer(
    browser: Browser, tmp_path: Path
) -> None:
    line = find_question(_first("collab-escape", "planning"))
    line = line.model_copy(
        update={"proof": {x: f"THE PROOF {n}" for n, x in enumerate(line.options)}}
    )
    write_suite(tmp_path / "own.jsonl", SuiteLine(suite="own", seed=1), [line])
    name = f"questions/{tmp_path}/own.jsonl/{line.name}"
    create(tmp_path / "run", RunRequest(scenario=name, people=("answerer",)))
    wrong = next(option for option in line.options if option not in line.right)
    errors: list[str] = []
    page = browser.new_page()
    collect_errors(page, errors)
    with playing(tmp_path / "run") as [address]:
        page.goto(address)
        options = page.locator(".question .option")
        expect(options).to_have_count(len(line.options))
        buttons = page.get_by_role("group", name="You can:").get_by_role("button")
        expect(buttons).to_have_count(len(line.options))
        expect(page.locator(".question .proof")).to_have_count(0)
        assert "THE PROOF" not in page.content()
        buttons.nth(line.options.index(wrong)).click()
        expect(options.locator(".proof")).to_have_count(len(line.options))
        expect(page.locator(".question .option.good .what")).to_have_text(
            [each for each in line.options if each in line.right]
        )
        expect(page.locator(".question .option.answered .what")).to_have_text([wrong])
    page.close()
    assert not errors
