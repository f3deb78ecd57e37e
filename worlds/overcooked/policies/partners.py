"""Cooks without a model, as partners: each is a few rules over what the kitchen needs.

They are deterministic; what a cook draws depends on its seed, its name and the timestep alone.
"""

from __future__ import annotations

from random import Random

from episodes.trace import PlannerClass
from orchestrator.planner import Observation
from worlds.overcooked.actions import MediumAction
from worlds.overcooked.kitchen import ACTS, POT, STAY
from worlds.overcooked.policies.greedy import choose_greedily
from worlds.overcooked.policies.needs import CookNeeds
from worlds.overcooked.state import OvercookedState
from worlds.overcooked.world import OvercookedWorld

Seen = Observation[OvercookedState]

LAZY = 0.75
"""Share of the moves at which `Lazy` does nothing."""

CLUMSY = 0.2
"""Share of the moves of `Clumsy` that are drawn from the actions that it can do."""

HALF = 0.5
"""Share of the moves of `HalfRandom` that are low-level acts drawn by chance."""


class OvercookedPartner:
    """A cook that does something useful; the base of all others."""

    name = "greedy"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, observation: Seen) -> str:
        """Return the action of the cook, or `stay` if it has none."""
        world = observation.world
        assert isinstance(world, OvercookedWorld)
        needs = CookNeeds.of(world, observation.state, observation.agent or world.workers[0])
        return str(self.choose(needs) or STAY)

    def choose(self, needs: CookNeeds) -> MediumAction | None:
        """Return the next action; None if the cook has none."""
        return choose_greedily(needs)

    def draw(self, observation: Seen) -> Random:
        """Return the source of all that the cook draws at this timestep."""
        return Random(f"{self.seed}/{observation.timestep}/{observation.agent}")


class Greedy(OvercookedPartner):
    """The cook that always does the most urgent thing, action by action."""


class OnionOnly(OvercookedPartner):
    """The cook that only brings onions to the pots."""

    name = "onion-only"

    def choose(self, needs: CookNeeds) -> MediumAction | None:
        """Return the next action with an onion."""
        if needs.held:
            return needs.fill() or (None if needs.reaches(POT) else needs.lay_down())
        return needs.fetch("onion") if needs.lacking("onion") else None


class PlateOnly(OvercookedPartner):
    """The cook that only brings dishes, and delivers soups."""

    name = "plate-only"

    def choose(self, needs: CookNeeds) -> MediumAction | None:
        """Return the next action with a dish or a soup."""
        if needs.held == "soup":
            return needs.deliver() or needs.lay_down()
        if needs.held:
            return needs.plate() or (None if needs.reaches(POT) else needs.lay_down())
        return needs.start() or needs.fetch("dish")


class Lazy(OvercookedPartner):
    """The greedy cook that rests at most of its moves."""

    name = "lazy"

    def act(self, observation: Seen) -> str:
        """Return `stay`, or sometimes the greedy action."""
        rests = self.draw(observation).random() < LAZY
        return STAY if rests else super().act(observation)


class Clumsy(OvercookedPartner):
    """The greedy cook that does something else at every fifth move, on average."""

    name = "clumsy"

    def act(self, observation: Seen) -> str:
        """Return the greedy action, or one that is drawn."""
        draw, worker = self.draw(observation), observation.agent or observation.world.workers[0]
        if draw.random() < CLUMSY:
            return draw.choice([*observation.world.legal(observation.state, worker)])
        return super().act(observation)


class HalfRandom(OvercookedPartner):
    """The greedy cook that does a random low-level act at half of its moves."""

    name = "half-random"

    def act(self, observation: Seen) -> str:
        """Return the greedy action, or a low-level act that is drawn."""
        draw = self.draw(observation)
        return draw.choice(ACTS) if draw.random() < HALF else super().act(observation)
