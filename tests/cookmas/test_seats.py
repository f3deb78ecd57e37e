"""Seats from the command line and from Python: any planner beside any other, in one run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import aresume, create
from cookmas.commands.options.model import by_seat
from cookmas.episodes.trace import ForkRecord, ModelCall, SeatRecord, StepRecord, TriggerRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.runs.consent import find_named_code
from cookmas.orchestrator.runs.folder import read_run
from cookmas.orchestrator.runs.request import RunRequest
from tests.cookmas.commands.calling import cookmas as run
from tests.modelserver.hosting import Hosted

PAIR = "walker_1=embedded,walker_2=team"

OWN = """
from cookmas.orchestrator.models.message import Message, Request
from cookmas.orchestrator.planner import Plan
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.worlds.corridor.voice import VOICE

class Right:
    def act(self, observation):
        return "right" if observation.agent == "walker_2" else "stay"

class Loose(SchedulingPlanner):
    voice = VOICE

    def __init__(self, model, **options):
        super().__init__(model, **options)

class Direct:
    name, planner_class = "direct", "pure"

    def __init__(self, model):
        self.model = model

    async def plan(self, observation):
        for number in range(13):
            said = (Message(role="user", content=f"call {number}"),)
            await self.model.answer(Request(messages=said))
        return Plan(schedule=[{}])
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = Hosted()
    yield server.url
    server.stop()


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("seated.py").write_text(OWN)
    return tmp_path


def test_a_run_says_in_every_place_who_has_which_seat(tmp_path: Path) -> None:
    done = run("run", "corridor/halves", "-p", PAIR, "--runs", str(tmp_path), "--quiet")
    assert "halves, walker_1=embedded, walker_2=team (embedded)" in done.output
    [folder] = tmp_path.iterdir()
    assert folder.name == "corridor-halves-walker_1-embedded-walker_2-team"
    header = read_trace(folder / "trace.jsonl").header
    assert header.seats == {
        "walker_1": SeatRecord(planner="embedded", planner_class="embedded"),
        "walker_2": SeatRecord(planner="team", planner_class="embedded"),
    }
    assert read_run(folder).planner == PAIR
    [listed] = json.loads(run("runs", "--runs", str(tmp_path), "--json").stdout)
    assert listed["planner"] == "walker_1=embedded, walker_2=team"


async def test_a_run_that_was_stopped_goes_on_with_its_seats(tmp_path: Path) -> None:
    whole = create(tmp_path / "whole", RunRequest(scenario="corridor/halves", planner=PAIR))
    await aresume(whole)
    stopped, seen = (
        create(tmp_path / "stopped", RunRequest(scenario="corridor/halves", planner=PAIR)),
        0,
    )

    def stop(record: Any) -> None:
        nonlocal seen
        seen += isinstance(record, StepRecord)
        if seen == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await aresume(stopped, stop)
    await aresume(stopped)
    traces = [(each / "trace.jsonl").read_bytes() for each in (whole, stopped)]
    assert traces[0] == traces[1]


def test_a_fork_goes_on_with_its_seats_or_with_others(tmp_path: Path) -> None:
    folder = tmp_path / "pair"
    parent = cookmas.play("corridor/halves", PAIR, folder)
    same = cookmas.fork(folder, 2)
    assert same.trace.planners == ("walker_1=embedded, walker_2=team",) * 2
    assert same.trace.line_up == parent.trace.line_up
    other = cookmas.fork(folder, 2, planner="walker_1=team,walker_2=team")
    [record] = other.trace.of(ForkRecord)
    assert (record.planner, other.trace.planner_class) == ("team", "embedded")
    assert record.seats == {
        walker: SeatRecord(planner="team", planner_class="embedded")
        for walker in ("walker_1", "walker_2")
    }
    assert other.folder
    again = cookmas.fork(other.folder, 4)
    assert again.trace.line_up == other.trace.line_up == ("team", record.seats)
    tail = [r for r in again.trace.records if not isinstance(r, ForkRecord)]
    assert tail == [r for r in other.trace.records if not isinstance(r, ForkRecord)]


def test_a_fork_from_one_planner_to_seats_of_its_name_is_a_handover(tmp_path: Path) -> None:
    cookmas.play("corridor/two", "embedded", tmp_path / "one")
    other = cookmas.fork(tmp_path / "one", 2, planner="walker_1=embedded,walker_2=embedded")
    assert other.trace.planners == ("embedded", "embedded")
    assert any(each.trigger == "handover" for each in other.trace.of(TriggerRecord))


def test_another_users_run_asks_for_consent_to_the_code_of_every_seat(tmp_path: Path) -> None:
    folder = create(tmp_path / "run", RunRequest(scenario="corridor/halves", planner=PAIR))
    file = read_run(folder)
    assert find_named_code(file) == {}
    for planner in ("walker_1=mine:Class,walker_2=x.yaml", "walker_1=team,walker_2=mine:Class"):
        named = find_named_code(file.model_copy(update={"planner": planner}))
        assert named == {"--planner": planner}


def test_what_a_seat_is_asked_goes_to_its_own_model_within_its_own_budget(
    url: str, tmp_path: Path
) -> None:
    done = run(
        *("run", "corridor/halves", "--runs", str(tmp_path), "--json"),
        *("-p", "walker_1=llm,walker_2=llm", "--base-url", "http://127.0.0.1:9/v1,walker_2=" + url),
        *("--model", "nobody,walker_2=scripted", "--deadline", "0.2"),
    )
    why = json.loads(done.stdout)["verdict"]["why"]
    assert "walker_1: " in why, "nobody answers at the endpoint of this seat"
    done = run(
        *("run", "corridor/halves", "--runs", str(tmp_path), "--json"),
        *("-p", "walker_1=team,walker_2=llm", "--base-url", url, "--model", "scripted"),
        *("--budget-calls", "9,walker_2=1"),
    )
    verdict = json.loads(done.stdout)["verdict"]
    assert verdict["termination"] == "budget"
    assert "walker_2: The budget of walker_2 is used up: 1 of 1 model calls" in verdict["why"]
    trace = read_trace(Path(json.loads(done.stdout)["folder"]) / "trace.jsonl")
    assert [(call.agent, call.model) for call in trace.of(ModelCall)] == [("walker_2", "scripted")]
    assert trace.header.planner_class == "mixed"


@pytest.mark.parametrize("planner", ["seated:Loose", "seated:Direct"])
def test_a_budget_holds_for_constructors_that_take_none(planner: str, url: str, own: Path) -> None:
    model = ModelOptions(model="scripted", base_url=url, budget_calls=0)
    made = cookmas.play("corridor/halves", planner, model=model)
    assert made.trace.end
    assert made.trace.end.termination == "budget"
    assert made.trace.end.why.endswith("The budget is used up: 0 of 0 model calls are made.")


def test_code_of_ones_own_has_a_process_for_each_seat(own: Path) -> None:
    made = cookmas.play("corridor/halves", {"walker_1": "seated:Right", "walker_2": "seated:Right"})
    assert made.trace.header.planner == "Right"
    first = next(iter(made.trace.of(StepRecord)))
    assert dict(first.commands) == {"walker_1": "stay", "walker_2": "right"}


class Partner:
    """Always goes right."""

    name = "partner"

    def act(self, observation: Observation[Any]) -> str:
        return "right"


class Planner:
    name, planner_class = "own", "fixed"

    async def plan(self, observation: Observation[Any]) -> Plan:
        return Plan(schedule=[{"walker_1": "right", "walker_2": "stay"}] * 3)


def test_objects_and_names_have_seats_side_by_side() -> None:
    played = cookmas.play("corridor/halves", {"walker_2": Partner(), "walker_1": Planner()})  # type: ignore[dict-item]
    assert played.trace.header.planner == "walker_1=own, walker_2=partner"
    assert played.trace.header.planner_class == "mixed"
    played = cookmas.play("corridor/halves", {"walker_1": "embedded", "walker_2": Partner()})
    assert played.trace.header.planner == "walker_1=embedded, walker_2=partner"
    assert cookmas.play("corridor/halves", Partner()).trace.header.planner == "partner"
    with pytest.raises(InputError, match="seat 'walker_2' has no planner"):
        cookmas.play("corridor/halves", {"walker_1": Partner()})


def test_the_prompt_of_every_seat_that_asks_a_model_is_shown() -> None:
    done = run("prompt", "corridor/halves", "-p", "walker_1=llm,walker_2=llm")
    assert [line for line in done.stdout.splitlines() if line.startswith("=====")] == [
        "===== seat walker_1 =====",
        "===== seat walker_2 =====",
    ]
    done = run("prompt", "corridor/halves", "-p", "walker_1=team,walker_2=llm", "--json")
    assert json.loads(done.stdout)["seat"] == "walker_2"


def test_an_option_is_said_for_all_seats_and_for_single_ones() -> None:
    assert by_seat("--model", "big") == ("big", {})
    assert by_seat("--model", "one,other") == ("one,other", {})
    assert by_seat("--model", "big, bob = small") == ("big", {"bob": "small"})
    url = "http://host/v1?version=1"
    assert by_seat("--base-url", f"{url},bob={url}") == (url, {"bob": url})
    with pytest.raises(InputError, match="--model: has two values for seat 'bob'"):
        by_seat("--model", "bob=a,bob=b")


def test_a_person_in_a_seat_is_refused_where_nobody_sits(tmp_path: Path) -> None:
    pair = "walker_1=person,walker_2=team"
    done = run("run", "corridor/halves", "-p", pair, "--runs", str(tmp_path))
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
    assert "seat 'walker_1', which belongs to a person: nobody sits there" in done.output
    assert not list(tmp_path.iterdir())


def test_a_run_without_its_person_waits_for_one(tmp_path: Path) -> None:
    folder = create(
        tmp_path / "run",
        RunRequest(scenario="corridor/halves", planner="walker_2=team", people=("walker_1",)),
    )
    done = run("resume", str(folder))
    assert "nobody sits there" in done.output
    assert f"'cookmas play {folder}' continues it" in done.output


def test_a_seat_has_its_own_preset_and_its_own_key(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-walker-2-marker"
    monkeypatch.setenv("SECOND_KEY", key)
    seats = ("-p", "walker_1=llm,walker_2=llm", "--preset", "walker_2=cac", "--max-stalled", "1")
    model = ("--model", "scripted", "--base-url", url, "--key-from", "walker_2=SECOND_KEY")
    done = run("run", "corridor/halves", *seats, *model, "--runs", str(tmp_path), "--quiet")
    assert done.exit_code in (0, 1), done.output
    [folder] = tmp_path.iterdir()
    header = read_trace(folder / "trace.jsonl").header
    assert {seat: each.planner for seat, each in (header.seats or {}).items()} == {
        "walker_1": "llm (scripted)",
        "walker_2": "llm:cac (scripted)",
    }
    assert "SECOND_KEY" in (folder / "run.json").read_text()
    written = [path.read_bytes() for path in folder.iterdir()]
    assert key.encode() not in b"".join(written)
    assert key not in done.output


def test_a_preset_of_a_seat_needs_a_line_up() -> None:
    done = run("run", "corridor/halves", "-p", "llm-team", "--preset", "walker_2=cac")
    assert done.exit_code == 2
    assert "expected --planner SEAT=PLANNER" in done.stderr


def test_a_sweep_takes_a_preset_for_each_seat(url: str, tmp_path: Path) -> None:
    suite = tmp_path / "one.yaml"
    suite.write_text("title: one\nscenarios: [corridor/halves]\narms: [{planner: team}]\n")
    line = ("-p", "walker_1=team,walker_2=llm", "--preset", "walker_2=cac")
    model = ("--model", "scripted", "--base-url", url)
    done = run("bench", str(suite), *line, *model, "--folder", str(tmp_path / "swept"))
    assert done.exit_code == 0, done.output
    [trace] = (tmp_path / "swept" / "traces").glob("*.jsonl")
    assert (read_trace(trace).header.seats or {})["walker_2"].planner == "llm:cac (scripted)"
