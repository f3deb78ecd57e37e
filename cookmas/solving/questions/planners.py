"""Planners that answer questions without a model: as the world's planners act, or by computing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import digest
from cookmas.orchestrator.planner import Observation, Plan, commands_of
from cookmas.sandbox.importing import import_named
from cookmas.worlds.questions.world import ANSWERER, QuestionWorld
from cookmas.worlds.shipped import import_world


class WorldAnswerer:
    """A planner that answers with the action of the world's own planner of the same name.

    If that action is no option, such as in a question about a distance, it draws an option.
    """

    planner_class: PlannerClass = "embedded"

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self._seed = seed

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the answer."""
        world = observation.world
        assert isinstance(world, QuestionWorld)
        action = await self._act(world, observation)
        options = world.level.options
        if action in options:
            return Plan(schedule=[{ANSWERER: action}], reasoning=f"{self.name} does so")
        drawn = Random(f"{self._seed}/{digest(world.setup())}").choice(options)
        return Plan(schedule=[{ANSWERER: drawn}], reasoning="drawn")

    async def _act(self, world: QuestionWorld, observation: Observation[Any]) -> str | None:
        """Return what the seat does now; None if the world has no such planner."""
        level = world.level
        spec = None if level.told else import_world(level.of).planners.get(self.name)
        if spec is None:
            return None
        found = import_named(spec, self.name)()
        there = replace(
            observation,
            world=world.source,
            state=world.source.load(level.state),
            agent=level.seat,
            timestep=level.state.get("timestep", 0),
            texts={},
        )
        if hasattr(found, "act"):
            action: str = found.act(there)
            return action
        plan = await found.plan(there)
        rows = [dict(commands_of(entry)) for entry in plan.schedule[:1]]
        return rows[0].get(level.seat, world.source.idle) if rows else None


EMBEDDED = partial(WorldAnswerer, "embedded")
GREEDY = partial(WorldAnswerer, "greedy")


def compute_right(world: QuestionWorld) -> Sequence[str]:
    """Return the right options, as the world of the state computes them; none without a world."""
    level = world.level
    if level.told:
        return []
    questioner = import_world(level.of).questioner
    state = world.source.load(level.state)
    for question in questioner.ask_all(
        world.source, state, level.seat, level.kind, Random(level.draw)
    ):
        if question.text == level.question:
            return question.right
    return []
