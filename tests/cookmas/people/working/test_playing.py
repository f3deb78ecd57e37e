"""People who play workers: what they are asked, what is recorded, and how it goes on without."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.api import aplay, aresume
from cookmas.commands.cli import app
from cookmas.episodes.trace import StepRecord, Trace, TriggerRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError
from cookmas.orchestrator.runs.folder import RunFolder, read_run
from cookmas.people.playing import episode, run_beside, seats_of
from cookmas.people.working.asked import MoveQuestion
from cookmas.people.working.questionnaire import Questionnaire, read_questionnaire
from cookmas.people.working.seat import PersonSeat
from cookmas.people.working.study import RefusedError, StudyFile, create_study
from cookmas.people.working.view import View
from cookmas.workers.person import Asked, Person
from cookmas.world_names import domain_of
from tests.cookmas.people.working.conftest import follow, play, play_until, prepared


def trace_of(folder: Path) -> Trace:
    return read_trace(folder / "trace.jsonl")


def steps(trace: Trace) -> list[StepRecord]:
    return list(trace.of(StepRecord))


async def test_who_follows_the_schedule_cooks_what_it_says_and_it_replays(tmp_path: Path) -> None:
    asked: list[Asked] = []

    def choose(move: MoveQuestion) -> str:
        asked.append(move.asked)
        return follow(move)

    folder = prepared(tmp_path / "run", "level1/01", "worker_2")
    await play(folder, worker_2=choose)
    trace, alone = trace_of(folder), (await aplay("level1/01")).trace
    assert trace.records[1:] == alone.records[1:]
    assert (trace.header.planner_class, trace.header.people) == ("human", ["worker_2"])
    frames = list(cookmas.replay(trace))
    assert all(frame.equal for frame in frames)
    world = domain_of("restaurant").world(trace.header.setup)
    for frame, each in zip(frames, asked, strict=True):
        legal = world.legal(world.observe(frame.before, "worker_2"), "worker_2")
        commands = dict(frame.commands)
        assert each == {
            "timestep": frame.timestep,
            "worker": "worker_2",
            "assignment": commands["worker_2"],
            "legal": list(legal),
        }
    [session] = json.loads((folder / "measurements.json").read_text())["sessions"]
    assert len(session["people_seconds"]["worker_2"]) == len(frames)


async def test_who_does_otherwise_is_recorded_and_the_orchestrator_called_when_it_fails(
    tmp_path: Path,
) -> None:
    def dawdle(move: MoveQuestion) -> str:
        return "wait" if move.asked["timestep"] == 0 else follow(move)

    folder = prepared(tmp_path / "run", "level1/01", "worker_1")
    await play(folder, worker_1=dawdle)
    trace = trace_of(folder)
    assert dict(steps(trace)[0].commands)["worker_1"] == "wait"
    assert [t.trigger for t in trace.of(TriggerRecord)][:2] == ["new_order", "failure"]
    assert trace.end
    assert trace.end.termination == "finished"
    assert all(frame.equal for frame in cookmas.replay(trace))


async def test_who_takes_too_long_is_away_for_that_timestep(tmp_path: Path) -> None:
    def slow(move: MoveQuestion) -> str | None:
        return None if move.asked["timestep"] == 1 else follow(move)

    folder = prepared(tmp_path / "run", "level1/01", "worker_1", limit=2.0)
    await play(folder, worker_1=slow)
    trace = trace_of(folder)
    assert steps(trace)[1].fails["worker_1"].why == "worker_1 did not answer within 2 s."
    triggers = [(t.timestep, t.trigger) for t in trace.of(TriggerRecord)]
    assert triggers[:3] == [(0, "new_order"), (2, "failure"), (3, "back")]
    assert trace.end
    assert trace.end.termination == "finished"
    assert all(frame.equal for frame in cookmas.replay(trace))


async def test_a_pair_thinks_at_the_same_time_and_one_answer_is_kept_while_the_other_thinks(
    tmp_path: Path,
) -> None:
    undisturbed = await play(
        prepared(tmp_path / "undisturbed", "corridor/two", "walker_1", "walker_2"),
        walker_1=follow,
        walker_2=follow,
    )
    folder = prepared(tmp_path / "run", "corridor/two", "walker_1", "walker_2")
    thinking = asyncio.Event()
    again: list[int] = []

    def ann(move: MoveQuestion) -> str:
        again.append(move.asked["timestep"])
        return follow(move)

    def bob(move: MoveQuestion) -> str | None:
        if move.asked["timestep"] < 2:
            return follow(move)
        asyncio.get_running_loop().call_later(3.0, thinking.set)
        return None

    await play_until(folder, thinking, walker_1=ann, walker_2=bob)
    assert again == [0, 1, 2]
    again.clear()
    assert await play(folder, walker_1=ann, walker_2=follow) == undisturbed
    assert again[0] == 3


async def test_it_goes_on_without_the_person_as_it_is_scheduled(tmp_path: Path) -> None:
    undisturbed = await play(
        prepared(tmp_path / "undisturbed", "corridor/one", "walker_1"), walker_1=follow
    )
    folder = prepared(tmp_path / "run", "corridor/one", "walker_1")
    gone = asyncio.Event()

    def leave(move: MoveQuestion) -> str | None:
        if move.asked["timestep"] == 1:
            gone.set()
            return None
        return follow(move)

    await play_until(folder, gone, walker_1=leave)
    assert (await aresume(folder)).success
    assert (folder / "trace.jsonl").read_bytes() == undisturbed


async def test_agent_0_of_cuisineworld_is_played_by_a_person(tmp_path: Path) -> None:
    alone = {"agents": "2", "tau": "1.5"}
    prepared(tmp_path, "cuisineworld/level_0", "agent0", settings=alone)
    seen: list[str] = []

    def choose(move: MoveQuestion) -> str:
        seen.extend(move.asked["legal"])
        return "noop" if move.asked["timestep"] == 3 else follow(move)

    await play(tmp_path, agent0=choose)
    trace = trace_of(tmp_path)
    assert dict(steps(trace)[3].commands)["agent0"] == "noop"
    assert all(frame.equal for frame in cookmas.replay(trace))
    assert "goto_storage0" in seen


async def test_only_what_can_be_done_is_an_answer_and_only_to_what_is_asked() -> None:
    seat = PersonSeat("walker_1", View("walker_1"))
    seat.offer(Asked(timestep=0, worker="walker_1", assignment="go", legal=["left", "right"]))
    number = int(await seat.assign(0, "go"))
    for said in ("up", 3, None, ["left"]):
        with pytest.raises(InputError, match="is not what walker_1 can do now"):
            seat.answer(number, said)
    with pytest.raises(InputError, match="this question was withdrawn"):
        seat.answer(number - 1, "left")
    seat.answer(number, "left")
    with pytest.raises(InputError, match="this question was withdrawn"):
        seat.answer(number, "right")


def test_nobody_plays_without_checkpoints_and_only_who_is_there(tmp_path: Path) -> None:
    scenario = cookmas.load_scenario("corridor/one")
    planner = cookmas.load_planner("embedded", scenario)
    person = Person(PersonSeat("walker_1", View("walker_1")))
    with pytest.raises(ValueError, match="needs a checkpointer"):
        cookmas.episode_of(scenario, planner, workers={"walker_1": person})
    with pytest.raises(InputError, match="worker cook: expected one of walker_1, walker_2"):
        prepared(tmp_path, "corridor/one", "cook")


async def test_without_consent_nothing_is_played(tmp_path: Path) -> None:
    prepared(tmp_path, "corridor/one", "walker_1")
    file = StudyFile(consent="Agreed?")
    create_study(tmp_path, file)
    [seat] = seats_of(read_run(tmp_path))

    async def say_no() -> None:
        await seat.wait_for_change(0)
        seat.answer(1, False)
        await asyncio.Event().wait()

    with pytest.raises(RefusedError, match="does not agree; the episode is not played"):
        await run_beside(episode(RunFolder(tmp_path), [seat]), [say_no()])
    assert (
        json.loads((tmp_path / "people.json").read_text())["people"]["walker_1"]["agreed"] is False
    )
    assert not (tmp_path / "trace.jsonl").exists()


ASKED = {
    "questions": [
        {"name": "trust", "kind": "scale", "ask": "Trust?", "low": "none", "high": "full"},
        {"name": "how", "kind": "choice", "ask": "How?", "of": ["well", "badly"]},
        {"name": "more", "kind": "text", "ask": "More?", "most": 5},
    ]
}
ANSWERS = {"trust": 5, "how": "well", "more": ""}


@pytest.mark.parametrize(
    "wrong",
    [
        {"trust": 6},
        {"trust": True},
        {"trust": "5"},
        {"how": "so so"},
        {"more": "xxxxxx"},
        {"more": 3},
        {"else": 1},
    ],
)
def test_answers_that_are_none_are_refused(wrong: dict[str, object]) -> None:
    questionnaire = Questionnaire.model_validate(ASKED)
    assert questionnaire.check(ANSWERS) == ANSWERS
    with pytest.raises(InputError, match="expected"):
        questionnaire.check({**ANSWERS, **wrong})


def test_the_questionnaire_in_the_docs_is_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[4] / "docs" / "how-to" / "play.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```yaml\n(title: .*?)```", page, re.DOTALL)
    (tmp_path / "after.yaml").write_text(block)
    found = read_questionnaire(tmp_path / "after.yaml")
    assert [question.kind for question in found.questions] == ["scale", "choice", "text"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("questions: []", "expected at least 1 of them"),
        ("questions: [{name: a, kind: rating, ask: How?}]", "expected one of 'scale'"),
        ("questions: [{name: a, kind: scale, ask: How?, least: 5}]", "most should be more"),
        ("questions: [{name: A b, kind: text, ask: How?}]", "should match pattern"),
        (
            "questions: [{name: a, kind: text, ask: 1?}, {name: a, kind: text, ask: 2?}]",
            "two questions have the same name",
        ),
    ],
)
def test_what_is_no_questionnaire_is_refused_in_one_line(
    text: str, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "after.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=problem) as refused:
        read_questionnaire(path)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("corridor/one", "--as", "cook"), "or some of walker_1, walker_2"),
        (("corridor/one", "--as", "walker_1", "--limit", "0s"), "expected a time such as"),
        (("corridor/one", "--as", "walker_1", "--draft"), "--draft: is not for the place"),
        (
            ("collab-overcooked/level_1/03", "--draft"),
            "--draft: the planner embedded of this world",
        ),
        (("corridor/one", "--as", "walker_1", "--questionnaire", "none.yaml"), "no such file"),
        (("begun", "--as", "walker_1"), "continues with its own options"),
        (("begun", "--draw-seed", "1"), "continues with its own options"),
        (("corridor/one", "--as", "walker_1", "--draw-seed", "1"), "leaves nothing to chance"),
    ],
)
def test_mistakes_are_said_in_one_line(
    arguments: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prepared(tmp_path / "begun", "corridor/one", "walker_1")
    done = CliRunner().invoke(app, ["play", *arguments])
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_what_is_left_to_chance_is_drawn_anew_for_people_too(tmp_path: Path) -> None:
    dice = ["six", "--world", "tests.worlds.base.dice:DOMAIN", "--as", "ann", "--draw-seed", "5"]
    CliRunner().invoke(app, ["play", *dice, "-p", "random", "--runs", str(tmp_path)], input="")
    [folder] = tmp_path.iterdir()
    assert read_run(folder).seed == 5
