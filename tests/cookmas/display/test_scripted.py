"""Who plans, as it is shown: a run that the scripted model answered says so at every door."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

import cookmas
from cookmas.display.page.comparing import Film
from cookmas.display.page.feed import entries
from cookmas.display.page.show import page
from cookmas.display.watch.story import Story
from cookmas.episodes.trace import Header, ModelCall, Trace
from cookmas.evals.verdict import Judged
from cookmas.orchestrator.planners.llm import TalkingTeam
from cookmas.worlds.corridor.voice import VOICE
from tests.cookmas.display.conftest import Opened, look
from tests.worlds.recording import Recording


@pytest.fixture(scope="module")
def played() -> Trace:
    team = TalkingTeam([Recording()] * 2, ["walker_1", "walker_2"], voice=VOICE)
    return cookmas.play("corridor/halves", team).trace


def asked_as(trace: Trace, answered_by: str | None) -> Trace:
    """Return a trace of which a model "gpt-9" was asked, and which model answered."""
    records = [
        record.model_copy(update={"model": "gpt-9", "answered_by": answered_by})
        if isinstance(record, ModelCall)
        else record.model_copy(update={"planner": "gpt-9"})
        if isinstance(record, Header)
        else record
        for record in trace.records
    ]
    return replace(trace, records=tuple(records))


@pytest.mark.parametrize(
    ("answered_by", "shown"), [("scripted", "gpt-9 (scripted model)"), ("gpt-9-2026", "gpt-9")]
)
def test_the_name_of_a_planner_follows_from_what_answered(
    played: Trace, answered_by: str, shown: str
) -> None:
    trace = asked_as(played, answered_by)
    assert trace.planner == shown
    assert trace.answerers == (answered_by,)
    story = Story(trace.header)
    notes = [note.text for record in trace.records for note in story.take(record)]
    assert story.planner == shown
    assert any(f": {answered_by}, " in note for note in notes)
    found = list(entries(trace))
    assert {each["model"] for each in found if each["kind"] == "model_call"} == {answered_by}
    assert Film(found).about == f"halves by {shown}"
    assert f"<title>CookMAS: halves, {shown}</title>" in page(
        [Judged(path=Path("run"), trace=trace)]
    )


def test_the_page_says_who_planned(played: Trace, opened: Opened, tmp_path: Path) -> None:
    trace = asked_as(played, "scripted")
    file = tmp_path / "run.jsonl"
    file.write_text("".join(f"{line}\n" for line in trace.lines()), encoding="utf-8")
    page = opened([file])
    expect(page.locator("header")).to_contain_text("planned by gpt-9 (scripted model)")
    assert look(page, "film.name") == "halves, gpt-9 (scripted model)"
