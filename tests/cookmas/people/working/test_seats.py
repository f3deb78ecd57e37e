"""People in any seat beside any other: with suggestions where they are told, and with none."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import httpx
import pytest

from cookmas.episodes.trace import ModelCall, PlanRecord, SeatRecord, StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError, NobodyThereError
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.runs.folder import RunFolder, read_run
from cookmas.people.playing import at_pages, at_terminal, seats_of
from cookmas.people.working.asked import MoveQuestion
from cookmas.solving.corridor.planners import Walker
from tests.cookmas.people.working.conftest import follow, play, prepared
from tests.cookmas.people.working.test_page import asked, seats, served
from tests.warm import say

BOTH = ("walker_1", "walker_2")
ONE = BOTH[:1]


def right(move: MoveQuestion) -> str:
    legal = move.asked["legal"]
    return next((each for each in ("right", "stay") if each in legal), legal[0])


async def test_a_person_beside_a_planner_is_suggested_nothing(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "run", "corridor/halves", *ONE, planner="walker_2=team")
    seen: list[MoveQuestion] = []

    def choose(move: MoveQuestion) -> str:
        seen.append(move)
        return right(move)

    await play(folder, walker_1=choose)
    assert {move.suggested for move in seen} == {None}
    assert "suggested" not in seen[0].data()
    header = read_trace(folder / "trace.jsonl").header
    assert header.planner_class == "human"
    assert header.people == list(ONE)
    assert header.seats == {
        "walker_1": SeatRecord(planner="person", planner_class="human"),
        "walker_2": SeatRecord(planner="team", planner_class="embedded"),
    }
    done = [dict(step.commands) for step in read_trace(folder / "trace.jsonl").of(StepRecord)]
    assert done[0]["walker_1"] == "right"


async def test_a_seat_of_a_person_with_a_planner_has_its_suggestions(tmp_path: Path) -> None:
    both = "walker_1=team,walker_2=team"
    folder = prepared(tmp_path / "run", "corridor/halves", *ONE, planner=both)
    said: list[str | None] = []

    def choose(move: MoveQuestion) -> str:
        said.append(move.suggested)
        return follow(move)

    await play(folder, walker_1=choose)
    assert "right" in said


async def test_hidden_suggestions_are_no_answers_and_are_on_no_page(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "run", "corridor/two", *ONE, suggestions=False, limit=60.0)
    [seat] = seats_of(read_run(folder))
    assert not seat.suggests
    wish = {"timestep": 0, "worker": "walker_1", "assignment": "left", "legal": ["stay"]}
    move = MoveQuestion(asked=wish, until=None, words={}, suggests=False)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'left' is not what walker_1 can do"):
        move.check("left")
    async with seats(folder, to_the_end=False) as there:
        client = there["walker_1"]
        told = await asked(client, -1)
        assert "suggested" not in told
        answer = {"number": told["number"], "said": "stay"}
        assert (await client.post("/seat", json=answer)).json() == {}
        assert '"kind":"plan"' not in await served(client, '"kind":"event"')
    trace = read_trace(folder / "trace.jsonl")
    assert any(trace.of(PlanRecord)), "the others have a schedule"


@pytest.mark.parametrize("suggestions", [None, True])
async def test_a_member_is_asked_for_suggestions_only_where_told(
    suggestions: bool | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: set[str | None] = set()
    turn = Walker.turn

    async def watched(self: Walker, observation: Observation[object]) -> Turn:
        turns.add(observation.agent)
        return await turn(self, observation)

    monkeypatch.setattr(Walker, "turn", watched)
    folder = prepared(
        tmp_path / "run", "corridor/halves", *ONE, planner="team", suggestions=suggestions
    )
    assert read_run(folder).suggestions == bool(suggestions)
    await play(folder, walker_1=follow if suggestions else right)
    assert turns == (set(BOTH) if suggestions else {"walker_2"})
    assert not any(read_trace(folder / "trace.jsonl").of(ModelCall))


async def test_people_in_all_seats_need_no_planner(tmp_path: Path) -> None:
    lineup = "walker_1=person,walker_2=person"
    folder = prepared(tmp_path / "run", "corridor/halves", *BOTH, planner=lineup)
    moves: list[MoveQuestion] = []

    def choose(move: MoveQuestion) -> str:
        moves.append(move)
        return right(move)

    await play(folder, walker_1=choose, walker_2=choose)
    assert len(moves) > 2
    with pytest.raises(NobodyThereError, match="seat 'walker_2', which belongs to a person"):
        prepared(tmp_path / "other", "corridor/halves", *ONE, planner=lineup)


async def test_the_orchestrator_and_a_worker_are_people_in_one_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = prepared(tmp_path / "run", "corridor/one", *ONE, planner="person", max_stalled=99)
    typed = "walker_1: right; right; ring(red)\ndo\n\nstay\n\n"
    reading, writing = os.pipe()
    with os.fdopen(reading) as file:
        with os.fdopen(writing, "w") as keyboard:
            keyboard.write(typed)
        monkeypatch.setattr(sys, "stdin", file)
        run = await at_terminal(RunFolder(folder))
    assert run.trace.end
    shown = capsys.readouterr().out
    assert "The schedule suggests: right (goes right)" in shown
    steps = [dict(step.commands) for step in read_trace(folder / "trace.jsonl").of(StepRecord)]
    assert [step["walker_1"] for step in steps] == ["right", "stay", "ring(red)"]


async def test_everybody_has_a_page_that_nobody_else_can_open(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "run", "corridor/two", *BOTH, planner="person")
    pages: dict[str, str] = {}
    there = asyncio.Event()

    def ready(place: str, address: str) -> None:
        pages[place] = address
        if len(pages) == 3:
            there.set()

    playing = asyncio.create_task(at_pages(RunFolder(folder), "127.0.0.1", 0, ready))
    await asyncio.wait_for(there.wait(), 60)
    assert list(pages) == ["orchestrator", *BOTH]
    async with httpx.AsyncClient() as stranger:
        for address in pages.values():
            origin, _, token = address.partition("/?")
            assert token
            assert (await stranger.get(origin)).status_code == 401
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


def test_places_are_taken_together_from_the_command_line(tmp_path: Path) -> None:
    code, said = say(
        tmp_path, "", *("play", "corridor/two", "--as", "orchestrator", "--as", "walker_2")
    )
    assert code == 2
    folder = tmp_path / "runs" / "corridor-two-person"
    assert f"'cookmas play {Path('runs') / folder.name}' continues it" in said
    file = read_run(folder)
    assert (file.planner, file.people, file.suggestions) == ("person", ("walker_2",), True)
    for arguments, expected in (
        (("--as", "walker_3"), "--as: expected orchestrator, supervisor, or some of walker_1"),
        (("--as", "orchestrator", "--no-suggestions"), "--suggestions: is not for the place"),
        (("--as", "walker_1", "-p", "walker_3=team"), "there is no seat 'walker_3'"),
        (("--as", "walker_1", "-p", "walker_1=team"), "seat 'walker_2' has no planner"),
    ):
        code, said = say(tmp_path, "", "play", "corridor/two", *arguments)
        assert (code, expected in said) == (2, True), said


def test_where_nobody_plans_for_all_the_seats_that_are_left_are_to_be_named(tmp_path: Path) -> None:
    cards = ("play", "six", "--world", "tests.worlds.hands.cards:DOMAIN")
    code, said = say(tmp_path, "", *cards, "--as", "alice")
    assert code == 2
    assert "seat 'bob' has no planner; expected alice=...,bob=..." in said
    code, said = say(tmp_path, "", *cards, "--as", "supervisor", "-p", "alice=random,bob=random")
    assert (code, "has no central planner, and so nobody to instruct" in said) == (2, True)
    code, said = say(tmp_path, "", *cards, "--as", "alice", "--as", "bob")
    assert "alice at timestep 0 >" in said
    assert read_run(tmp_path / "runs" / "six-person").planner == "alice=person,bob=person"
