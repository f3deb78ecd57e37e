"""The common parts of partners without a model: policies that err, and teams of one kind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any, ClassVar

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.member import Member, Policy, Team
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.naming import RATE_MARK


def draw_for(seed: int, observation: Observation[Any]) -> Random:
    """Return the source of all that a policy draws at a timestep, which is the seat's own."""
    return Random(f"{seed}/{observation.timestep}/{observation.agent}")


class ErringPolicy:
    """A policy that follows another one, but errs at a share `rate` of its moves."""

    # What such a policy overrides

    name: str
    """Name under which results are reported; another rate than the usual one is added."""
    usual: float
    """The rate if none is given."""
    followed: Policy

    def err(self, observation: Observation[Any], draw: Random) -> str:
        """Return the action in the place of the right one; by default a legal one is drawn."""
        worker = observation.agent or observation.world.workers[0]
        return draw.choice([*observation.world.legal(observation.state, worker)])

    # The machinery

    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0, rate: float | None = None) -> None:
        self._seed = seed
        self._rate = self.usual if rate is None else rate
        if self._rate != self.usual:
            self.name = f"{self.name}{RATE_MARK}{self._rate:g}"

    def act(self, observation: Observation[Any]) -> str | Awaitable[str]:
        """Return the action of the policy that it follows, or an error."""
        draw = draw_for(self._seed, observation)
        errs = draw.random() < self._rate
        return self.err(observation, draw) if errs else self.followed.act(observation)


class UniformTeam(Team):
    """A team whose members are of one kind; a subclass has the `name`, and perhaps `rounds`."""

    member: ClassVar[Callable[[], Member]]

    def __init__(self, workers: Sequence[str]) -> None:
        members = {name: type(self).member() for name in workers}
        super().__init__(
            name=self.name, planner_class="embedded", members=members, rounds=self.rounds
        )
