"""The events of a level: they come in their time, and nobody sees them beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import Field

import cookmas
from cookmas.episodes.base import NO_ACTION
from cookmas.episodes.trace import EventRecord, StepRecord, TriggerRecord
from cookmas.episodes.world import Json, Ruling, Trigger
from cookmas.files.errors import InputError
from cookmas.orchestrator.episode import episode_of
from cookmas.worlds.base import PLANNERS, Domain, Ending, Level, World
from cookmas.worlds.base.checking import faults_of

SPEC = "tests.worlds.base.test_events"


class Jobs(Level):
    """A level of jobs that come one by one; `jobs` is the trap: a field that planners see."""

    jobs: list[dict[str, Any]] = Field(default_factory=list)


class Desk(World):
    """Two clerks do what comes in."""

    name = "desk"
    workers = ("ann", "bob")
    actions = {"do(JOB)": "do a job."}  # noqa: RUF012

    def opening(self) -> dict[str, Any]:
        return {"open": [], "done": []}

    def receive(self, state: Any, event: Json) -> tuple[Any, Ruling]:
        match event:
            case {"kind": "job", "name": str(name)}:
                trigger = Trigger(kind="new_job", cause=f"{name} came in")
                return {**state, "open": [*state["open"], name]}, Ruling(trigger=trigger)
        return super().receive(state, event)

    def legal(self, state: Any, worker: str) -> Sequence[str]:
        return [self.idle, *(f"do({name})" for name in state["open"])]

    def advance(self, state: Any, actions: Mapping[str, str], draw: Random) -> Any:
        done = {action[3:-1] for action in actions.values() if action != self.idle}
        left = [name for name in state["open"] if name not in done]
        return {**state, "open": left, "done": [*state["done"], *sorted(done)]}

    def ending(self, state: Any) -> Ending | None:
        return Ending("won", "two jobs are done") if len(state["done"]) == 2 else None


class DeskDomain(Domain):
    """The desk, with levels in files of the tests."""

    world_type = Desk
    planners = {**PLANNERS, "one": f"{SPEC}:One"}  # noqa: RUF012


class Trap(Desk):
    """A desk whose levels have their events in a field that planners see."""

    name = "trap"
    level_type = Jobs


class TrapDomain(DeskDomain):
    """The domain of the trap."""

    world_type = Trap


class One:
    """Does what is open."""

    name, planner_class = "one", "embedded"

    def act(self, observation: Any) -> str:
        legal = observation.world.legal(observation.state, observation.agent)
        return str(legal[-1]) if observation.agent == "ann" else "wait"


class Lost:
    """A worker that does not answer."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        raise ConnectionError("the line is dead")


DESK, TRAP = DeskDomain(), TrapDomain()
EVENTS = """
events:
- {at: 0, kind: job, name: sort}
- {at: 3, kind: job, name: file}
"""


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "day.yaml"
    path.write_text(f"title: A day{EVENTS}")
    return path


def test_the_events_of_a_level_come_in_their_time(level: Path) -> None:
    run = cookmas.play(str(level), "one", world=f"{SPEC}:DESK")
    came = [(r.timestep, r.event) for r in run.trace.of(EventRecord) if r.event["kind"] == "job"]
    assert came == [(0, {"kind": "job", "name": "sort"}), (3, {"kind": "job", "name": "file"})]
    assert run.success
    assert all(frame.equal for frame in cookmas.replay(run.trace, f"{SPEC}:DESK"))


def test_no_setup_has_an_event_that_is_to_come(level: Path) -> None:
    scenario = DESK.scenario(str(level), {})
    assert scenario.world().setup() == {}
    assert "sort" not in str(
        cookmas.play(str(level), "one", world=f"{SPEC}:DESK").trace.header.setup
    )
    assert list(faults_of(DESK, scenario, [0])) == []


def test_a_check_finds_events_that_planners_see(tmp_path: Path) -> None:
    jobs = "jobs: [{at: 3, name: file}]"
    path = tmp_path / "day.yaml"
    path.write_text(f"{jobs}{EVENTS}")
    (fault,) = {str(fault) for fault in faults_of(TRAP, TRAP.scenario(str(path), {}), [0])}
    assert fault == (
        "the setup, which all planners see, has an event that is still to come: "
        "day: job at timestep 3"
    )


def test_an_event_that_the_world_does_not_know_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "day.yaml"
    path.write_text("events:\n- {at: 0, kind: rain}\n")
    with pytest.raises(InputError, match="the only event of desk"):
        cookmas.play(str(path), "one", world=f"{SPEC}:DESK")


async def test_a_worker_that_fails_is_a_fail_with_a_trigger(level: Path) -> None:
    scenario = DESK.scenario(str(level), {})
    planner = cookmas.load_planner("one", scenario, world=f"{SPEC}:DESK")
    trace = await episode_of(scenario, planner, workers={"ann": Lost()}, horizon=3).run()
    first, *_ = trace.of(StepRecord)
    assert first.fails["ann"].fail == NO_ACTION
    assert first.fails["ann"].why.startswith("ConnectionError: the line is dead")
    assert ("failure", 1) in [(t.trigger, t.timestep) for t in trace.of(TriggerRecord)]
