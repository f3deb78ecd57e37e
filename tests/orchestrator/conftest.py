"""A toy world: walkers in a corridor who must each reach the goals that come in.

It knows nothing of kitchens, and runs through the same graph, trace and replay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from episodes.errors import InfrastructureError, InputError
from episodes.trace import Header, PlannerClass
from episodes.world import DONE, Commands, Json, Outcome, Ruling, Tally, Trigger, digest
from orchestrator.planner import Observation, Plan
from orchestrator.runner import Episode

Corridor = dict[str, Any]
"""`places` of the walkers, and `goals` (name to place) that nobody has touched yet."""


class CorridorWorld:
    """Walkers step left and right from 0 to `length`; a goal is met by standing on it."""

    name = "corridor"
    rules = "toy"
    idle = "stay"

    def __init__(self, walkers: int = 2, length: int = 9) -> None:
        self.workers: Sequence[str] = [f"walker_{n}" for n in range(1, walkers + 1)]
        self.length = length

    def setup(self) -> dict[str, Any]:
        return {"workers": list(self.workers), "length": self.length}

    def start(self) -> Corridor:
        return {"places": dict.fromkeys(self.workers, 0), "goals": {}, "secret": 42}

    def apply(self, state: Corridor, event: Json) -> tuple[Corridor, Ruling]:
        match event:
            case {"kind": "goal", "name": str(name), "place": int(place)}:
                if place > self.length:
                    return state, Ruling(refused="beyond the corridor")
                new = {**state, "goals": {**state["goals"], name: place}}
                trigger = Trigger(kind="new_goal", cause=f"goal {name} came in")
                return new, Ruling(trigger=trigger)
            case {"kind": "weather"}:
                return state, Ruling()
        raise InputError("event", "expected a goal with a name and a place")

    def step(
        self, state: Corridor, commands: Commands
    ) -> tuple[Corridor, Mapping[str, Outcome], Sequence[Trigger]]:
        actions = dict(commands)
        places = dict(state["places"])
        outcomes = {}
        for worker in self.workers:
            move = {"left": -1, "right": 1, "stay": 0}.get(actions.get(worker, ""))
            if move is None:
                outcomes[worker] = Outcome("no_action", f"{worker} gave no action.")
            elif not 0 <= places[worker] + move <= self.length:
                outcomes[worker] = Outcome("wall", "There is a wall.")
            else:
                places[worker] += move
                outcomes[worker] = DONE
        goals = {n: p for n, p in state["goals"].items() if p not in places.values()}
        return {**state, "places": places, "goals": goals}, outcomes, ()

    def legal(self, state: Corridor, worker: str) -> Sequence[str]:
        return ["stay"]

    def refusal(self, commands: Commands) -> str | None:
        for worker, action in commands:
            if action not in ("left", "right", "stay"):
                return f"{worker}: {action!r} is no action"
        return None

    def finished(self, state: Corridor) -> bool:
        return not state["goals"]

    def lookups(self, state: Corridor) -> Sequence[str]:
        return sorted(state["goals"])

    def tally(self, state: Corridor) -> Tally:
        return Tally(done=0, lost=0)

    def observe(self, state: Corridor, worker: str | None = None) -> Corridor:
        return {**state, "secret": None}

    def dump(self, state: Corridor) -> dict[str, Any]:
        return state

    def load(self, data: Json) -> Corridor:
        return dict(data)


@dataclass
class Walk:
    """Sends the first walker to the goals, one after the other, and keeps what it was shown."""

    name: str = "walk"
    planner_class: PlannerClass = "embedded"
    seen: list[Observation[Corridor]] = field(default_factory=list)

    async def plan(self, observation: Observation[Corridor]) -> Plan:
        self.seen.append(observation)
        walker = observation.world.workers[0]
        place = observation.state["places"][walker]
        schedule = []
        for goal in observation.state["goals"].values():
            step = "right" if goal > place else "left"
            schedule += [{walker: step}] * abs(goal - place)
            place = goal
        return Plan(schedule=schedule, reasoning=f"walk from {place}")


@dataclass
class Answers:
    """Gives the answers it was made with, one after the other; an exception is raised."""

    answers: list[Plan | Exception]
    name: str = "answers"
    planner_class: PlannerClass = "fixed"

    async def plan(self, observation: Observation[Any]) -> Plan:
        answer = self.answers.pop(0) if self.answers else InfrastructureError("no more answers")
        if isinstance(answer, Exception):
            raise answer
        return answer


async def fetch(key: str) -> str:
    """What the toy library says about a key."""
    await asyncio.sleep(0)
    return f"about {key}"


def goal(name: str, place: int) -> dict[str, Any]:
    """The event that a goal comes in."""
    return {"kind": "goal", "name": name, "place": place}


def header(world: CorridorWorld, planner: Any, horizon: int = 40) -> Header:
    """The header of a toy episode."""
    return Header(
        world=world.name,
        rules=world.rules,
        workers=list(world.workers),
        seed=0,
        horizon=horizon,
        planner=planner.name,
        planner_class=planner.planner_class,
        scenario_name="toy",
        scenario_digest=digest({}),
        scenario={},
        setup=world.setup(),
    )


def corridor(planner: Any, *events: tuple[int, dict[str, Any]], **more: Any) -> Episode:
    """An episode in a corridor."""
    world: CorridorWorld = more.pop("world", None) or CorridorWorld()
    return Episode(
        world=world,
        header=header(world, planner, more.pop("horizon", 40)),
        events=events,
        planner=planner,
        fetch=fetch,
        **more,
    )


@pytest.fixture
def toy() -> Any:
    """This module's helpers, for tests in other files."""
    from types import SimpleNamespace

    return SimpleNamespace(
        World=CorridorWorld, Walk=Walk, Answers=Answers, goal=goal, corridor=corridor, header=header
    )
