"""Cooks without a model, as partners: each is a few rules over what the kitchen needs.

They are deterministic; what a cook draws depends on its seed, its name and the timestep alone.
"""

from __future__ import annotations

from random import Random

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.planners.partners import ErringPolicy
from cookmas.worlds.overcooked.actions import MediumAction
from cookmas.worlds.overcooked.kitchen import ACTS, POT, STAY
from cookmas.worlds.overcooked.policies.greedy import choose_greedily
from cookmas.worlds.overcooked.policies.needs import CookNeeds
from cookmas.worlds.overcooked.state import OvercookedState
from cookmas.worlds.overcooked.world import OvercookedWorld

Seen = Observation[OvercookedState]


def needs_in(observation: Seen) -> CookNeeds:
    """Return the needs of the kitchen as the cook of an observation sees them."""
    world = observation.world
    assert isinstance(world, OvercookedWorld)
    return CookNeeds.of(world, observation.state, observation.agent or world.workers[0])


class OvercookedPartner:
    """A cook that does something useful; the base of all others."""

    name = "greedy"
    planner_class: PlannerClass = "embedded"

    def act(self, observation: Seen) -> str:
        """Return the action of the cook, or `stay` if it has none."""
        return str(self.choose(needs_in(observation)) or STAY)

    def choose(self, needs: CookNeeds) -> MediumAction | None:
        """Return the next action; None if the cook has none."""
        return choose_greedily(needs)


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


class Lazy(ErringPolicy):
    """The greedy cook that rests at most of its moves."""

    name = "lazy"
    usual = 0.75
    followed = Greedy()

    def err(self, observation: Seen, draw: Random) -> str:
        """Return `stay`."""
        return STAY


class Clumsy(ErringPolicy):
    """The greedy cook that does some legal action at every fifth move, on average."""

    name = "clumsy"
    usual = 0.2
    followed = Greedy()


class HalfRandom(ErringPolicy):
    """The greedy cook that does a random low-level act at half of its moves."""

    name = "half-random"
    usual = 0.5
    followed = Greedy()

    def err(self, observation: Seen, draw: Random) -> str:
        """Return a low-level act that is drawn."""
        return draw.choice(ACTS)
