"""A world whose every answer is random, and agents whose every action is random.

All draws follow from a seed and their subject, so that each can be repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import DONE, Commands, Ending, Json, Outcome, Ruling, Tally, Trigger
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation, Plan

Fickle = dict[str, Any]

ACTIONS = ("go", "fail", "wait")


class FickleWorld(World):
    """Moves, FAILs, audiences, outcomes and endings are all drawn."""

    name = "fickle"
    rules = "1"
    idle = "wait"

    def __init__(self, seed: int, workers: int) -> None:
        self.seed = seed
        self.workers: Sequence[str] = [f"w{number}" for number in range(workers)]

    def _draw(self, *about: Any) -> Random:
        return Random(repr((self.seed, *about)))

    def setup(self) -> dict[str, Any]:
        return {"seed": self.seed}

    def start(self) -> Fickle:
        return {"timestep": 0, "asked": 0, "made": 0}

    def apply(self, state: Fickle, event: Json) -> tuple[Fickle, Ruling]:
        draw = self._draw("apply", state, event)
        if draw.random() < 0.2:
            return state, Ruling(refused="not now")
        trigger = Trigger(kind="event", cause=str(event), to=self._some(draw))
        told = trigger if draw.random() < 0.7 else None
        return {**state, "asked": state["asked"] + draw.choice([0, 1, 2])}, Ruling(trigger=told)

    def _some(self, draw: Random) -> tuple[str, ...] | None:
        return (
            None if draw.random() < 0.3 else tuple(n for n in self.workers if draw.random() < 0.5)
        )

    def movers(self, state: Fickle) -> Sequence[str]:
        draw = self._draw("movers", state["timestep"])
        return [name for name in self.workers if draw.random() < 0.6]

    def step(
        self, state: Fickle, commands: Commands
    ) -> tuple[Fickle, Mapping[str, Outcome], Sequence[Trigger]]:
        draw = self._draw("step", state, [tuple(command) for command in commands])
        outcomes = dict.fromkeys(self.workers, DONE)
        made = state["made"]
        for name, action in commands:
            if action == "go":
                made += draw.random() < 0.3
            if action == "fail":
                outcomes[name] = Outcome("fail", f"{draw.random()}", self._some(draw) or ())
        triggers = [
            Trigger(kind="news", cause=f"{draw.random()}", to=self._some(draw))
            for _ in range(draw.choice([0, 0, 0, 1, 2]))
        ]
        after = {**state, "timestep": state["timestep"] + 1, "made": made}
        return after, outcomes, triggers

    def legal(self, state: Fickle, worker: str) -> Sequence[str]:
        return ["go", "wait"]

    def refusal(self, commands: Commands) -> str | None:
        return next((f"no {a}" for _, a in commands if a not in ACTIONS), None)

    def ending(self, state: Fickle) -> Ending | None:
        return Ending("won", "enough") if state["made"] >= 12 else None

    def is_finished(self, state: Fickle) -> bool:
        return bool(state["made"] >= state["asked"])

    def lookups(self, state: Fickle) -> Sequence[str]:
        return [f"text {number}" for number in range(state["asked"])]

    def tally(self, state: Fickle) -> Tally:
        return Tally(done=state["made"], lost=0, score=float(state["made"]))

    def progress_key(self, state: Fickle) -> Json:
        return {"made": state["made"]}

    def observe(self, state: Fickle, worker: str | None = None) -> Fickle:
        return state

    def dump(self, state: Fickle) -> dict[str, Any]:
        return state

    def load(self, data: Json) -> Fickle:
        return dict(data)


def known(observation: Observation[Any]) -> tuple[Any, ...]:
    """Return everything that an agent observes."""
    return (
        *(observation.agent, observation.timestep, observation.state, observation.triggers),
        *(observation.fails, observation.underway, observation.memory, observation.talk),
        *(observation.heard, observation.did, observation.movers, observation.rounds),
        *(dict(observation.decided), sorted(observation.texts), observation.instructions),
    )


@dataclass
class FickleAgent:
    """Draws its turn from its observation."""

    seed: int
    stepwise: bool = False

    async def turn(self, observation: Observation[Any]) -> Turn:
        draw = Random(repr((self.seed, known(observation))))
        actions = [draw.choice(ACTIONS) for _ in range(draw.randrange(0, 5))]
        return Turn(
            say=draw.choice(["", "", f"{draw.random()}"]),
            actions=draw.choice([actions, actions, None, ["fly"]]),
            memory={"kept": draw.randrange(9)} if draw.random() < 0.3 else None,
        )


@dataclass
class FicklePolicy:
    """Draws its action from its observation."""

    seed: int
    name: str = "policy"
    planner_class: PlannerClass = "fixed"

    def act(self, observation: Observation[Any]) -> str:
        return Random(repr((self.seed, known(observation)))).choice(ACTIONS)


@dataclass
class FicklePlanner:
    """Draws a schedule from its observation."""

    seed: int
    name: str = "planner"
    planner_class: PlannerClass = "fixed"

    async def plan(self, observation: Observation[Any]) -> Plan:
        draw = Random(repr((self.seed, known(observation))))
        workers = observation.world.workers
        schedule = [
            {name: draw.choice(ACTIONS) for name in workers if draw.random() < 0.7}
            for _ in range(draw.randrange(0, 6))
        ]
        memory = {"kept": draw.randrange(9)} if draw.random() < 0.3 else None
        return Plan(schedule=schedule, memory=memory)
