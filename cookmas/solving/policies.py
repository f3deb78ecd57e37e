"""The common parts of partners without a model: functions with a name, and teams of one kind.

A world has a row for each planner that is one function: `partial(NamedPolicy, "greedy", act)`. A
row is called like a planner's class, with the parameters that are left, such as the seed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.member import ROUNDS, Member, Policy, Team
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.naming import RATE_MARK
from cookmas.worlds.base.planner import DrawnAct, draw_for, draw_legal

Act = Callable[[Any], str]
"""A function that chooses an action by an observation."""


class NamedPolicy:
    """A policy that is a function with a name."""

    planner_class: PlannerClass = "embedded"

    def __init__(self, name: str, choose: Act) -> None:
        self.name = name
        self._choose = choose

    def act(self, observation: Observation[Any]) -> str:
        return self._choose(observation)


class DrawingPolicy:
    """A policy that is a function with a name, and that draws."""

    planner_class: PlannerClass = "embedded"

    def __init__(self, name: str, choose: DrawnAct, seed: int = 0) -> None:
        self.name = name
        self._choose = choose
        self._seed = seed

    def act(self, observation: Observation[Any]) -> str:
        return self._choose(observation, draw_for(self._seed, observation))


class ErringPolicy:
    """A policy that follows another one, but errs at a share `rate` of its moves.

    The name has the rate if it is not the usual one. By default an error is a legal action.
    """

    planner_class: PlannerClass = "embedded"

    def __init__(
        self,
        name: str,
        usual: float,
        followed: Policy,
        err: DrawnAct = draw_legal,
        seed: int = 0,
        rate: float | None = None,
    ) -> None:
        self._rate = usual if rate is None else rate
        self.name = name if self._rate == usual else f"{name}{RATE_MARK}{self._rate:g}"
        self._followed = followed
        self._err = err
        self._seed = seed

    def act(self, observation: Observation[Any]) -> str | Awaitable[str]:
        draw = draw_for(self._seed, observation)
        errs = draw.random() < self._rate
        return self._err(observation, draw) if errs else self._followed.act(observation)


def make_team(
    name: str, member: Callable[[], Member], workers: Sequence[str], rounds: int = ROUNDS
) -> Team:
    """Return a team whose members are of one kind."""
    members = {worker: member() for worker in workers}
    return Team(name=name, planner_class="embedded", members=members, rounds=rounds)
