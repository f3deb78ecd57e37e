"""What a model is told about the schedule under way is what comes of it in the simulator."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from cookmas.api import aplay
from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import Command
from cookmas.kitchen.actions import Serve, parse_action
from cookmas.kitchen.foods import PLATE, Food
from cookmas.kitchen.state import Content, WorkerState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.worlds.restaurant.voice.underway import describe_schedule

pytestmark = pytest.mark.usefixtures("searched_once", "least_effort")

_Spans = dict[str, dict[int, str]]


class Watching:
    """The embedded planner, which keeps what it observes on replans."""

    name = "watching"
    planner_class: PlannerClass = "embedded"

    def __init__(self) -> None:
        self.seen: list[Observation[Any]] = []
        self._planner = EmbeddedPlanner()

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen += [observation] if observation.underway else []
        return await self._planner.plan(observation)


@pytest.fixture(scope="module")
def replans() -> list[Observation[Any]]:
    planner = Watching()
    asyncio.run(aplay("level3/05", planner))
    return planner.seen


def _by_timestep(said: dict[str, list[str]]) -> _Spans:
    """At which timesteps somebody or something is busy, and for which line."""
    spans: _Spans = {}
    for name, stretches in said.items():
        for stretch in stretches:
            times, _, line = stretch.partition(" ")
            first, _, last = times.partition("-")
            for now in range(int(first), int(last or first) + 1):
                assert now not in spans.setdefault(name, {})
                spans[name][now] = line
    return spans


def test_every_action_is_for_the_line_that_it_is_served_to(
    replans: list[Observation[Any]],
) -> None:
    assert len(replans) > 1
    for observation in replans:
        lines = _by_timestep(describe_schedule(observation)["lines"])
        served = set()
        for now, entry in enumerate(observation.underway, start=observation.timestep):
            for worker, action in entry:
                line = lines[worker].get(now)
                parsed = parse_action(action)
                if isinstance(parsed, Serve):
                    assert line == parsed.line
                    served.add(line)
                if action not in ("wait", "navigate(aisle)"):
                    assert line
                if action == "wait":
                    assert not line
        assert served == set(observation.state.open_lines()) & served
        assert served == {line for spans in lines.values() for line in spans.values()}


def test_what_is_booked_holds_something_or_has_a_worker(replans: list[Observation[Any]]) -> None:
    for observation in replans:
        booked = _by_timestep(describe_schedule(observation)["booked"])
        world, state = observation.world, observation.state
        assert isinstance(world, Restaurant)
        for entry in observation.underway:
            busy = {*state.contents, *(place.station for place in state.workers)}
            busy = {name for name in busy if world.kitchen.stations[name].kind.exclusive}
            assert busy == {name for name, times in booked.items() if state.timestep in times}
            state, _, _ = world.step(state, entry)


def test_what_cooks_has_its_minutes(replans: list[Observation[Any]]) -> None:
    (second,) = replans[1:2]
    cooked = describe_schedule(second)["cooked"]
    assert cooked
    for station, minutes in cooked.items():
        for slot, so_far in minutes:
            (content,) = [c for c in second.state.contents[station] if c.slot == slot]
            assert content.since == second.timestep - so_far


def test_foods_that_meet_are_followed_by_their_slots(models: Any) -> None:
    """Two foods of one name, for two lines, at one counter, taken by two workers at once."""
    observation = models.observe("level2/01")
    lines = list(observation.state.open_lines())[:2]
    counter = observation.world.kitchen.of_kind("counter")[0]
    first, second = observation.world.kitchen.of_kind("plating")[:2]
    state = observation.state._replace(
        workers=tuple(WorkerState(counter) for _ in observation.world.workers),
        contents={
            counter: (Content(1, Food("bread")), Content(2, Food("bread"))),
            first: (Content(1, PLATE),),
            second: (Content(1, PLATE),),
        },
    )
    ends = ((first, lines[1], "pick"), (second, lines[0], "pick(slot 2)"))
    finish = ["place", "assemble", "pick", "navigate(pass)"]
    columns = [
        [pick, f"navigate({place})", *finish, f"serve({line})"] for place, line, pick in ends
    ]
    underway = [
        [Command(f"worker_{n}", action) for n, action in enumerate(actions, 1)]
        for actions in zip(*columns, strict=True)
    ]
    said = describe_schedule(replace(observation, state=state, underway=underway))
    assert said["lines"] == {"worker_1": [f"0-6 {lines[1]}"], "worker_2": [f"0-6 {lines[0]}"]}
    assert said["booked"] == {first: [f"0-5 {lines[1]}"], second: [f"0-5 {lines[0]}"]}


def test_what_is_for_no_line_or_fails_is_left_out(models: Any) -> None:
    fail = [Command("worker_1", "chop"), Command("worker_2", "navigate(pantry)")]
    observation = models.observe("level1/01", underway=[fail, [Command("worker_2", "pick(onion)")]])
    assert describe_schedule(observation) == {"unserved": ["o1.1"]}
