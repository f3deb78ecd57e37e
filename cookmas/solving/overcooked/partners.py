"""Cooks without a model, as partners: each is a few rules over what the kitchen needs.

They are deterministic; what a cook draws depends on its seed, its name and the timestep alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cookmas.orchestrator.planner import Observation
from cookmas.solving.overcooked.greedy import choose_greedily
from cookmas.solving.overcooked.needs import CookNeeds
from cookmas.solving.policies import ErringPolicy, NamedPolicy
from cookmas.worlds.overcooked.rules.actions import MediumAction
from cookmas.worlds.overcooked.rules.kitchen import ACTS, POT, STAY
from cookmas.worlds.overcooked.rules.state import OvercookedState
from cookmas.worlds.overcooked.world import OvercookedWorld

Seen = Observation[OvercookedState]


def needs_in(observation: Seen) -> CookNeeds:
    """Return the needs of the kitchen as the cook of an observation sees them."""
    world = observation.world
    assert isinstance(world, OvercookedWorld)
    return CookNeeds.of(world, observation.state, observation.agent or world.workers[0])


def _do(choose: Callable[[CookNeeds], MediumAction | None]) -> Callable[[Seen], str]:
    """Return the function by which a cook does what is chosen, or stays if that is nothing."""
    return lambda observation: str(choose(needs_in(observation)) or STAY)


def bring_onions(needs: CookNeeds) -> MediumAction | None:
    """Return the next action with an onion."""
    if needs.held:
        return needs.fill() or (None if needs.reaches(POT) else needs.lay_down())
    return needs.fetch("onion") if needs.lacking("onion") else None


def bring_dishes(needs: CookNeeds) -> MediumAction | None:
    """Return the next action with a dish or a soup."""
    if needs.held == "soup":
        return needs.deliver() or needs.lay_down()
    if needs.held:
        return needs.plate() or (None if needs.reaches(POT) else needs.lay_down())
    return needs.start() or needs.fetch("dish")


act_greedily = _do(choose_greedily)

GREEDY = partial(NamedPolicy, "greedy", act_greedily)
"""The cook that always does the most urgent thing, action by action."""

ONION_ONLY = partial(NamedPolicy, "onion-only", _do(bring_onions))
"""The cook that only brings onions to the pots."""

PLATE_ONLY = partial(NamedPolicy, "plate-only", _do(bring_dishes))
"""The cook that only brings dishes, and delivers soups."""

LAZY = partial(ErringPolicy, "lazy", 0.75, GREEDY(), lambda observation, draw: STAY)
"""The greedy cook that rests at most of its moves."""

CLUMSY = partial(ErringPolicy, "clumsy", 0.2, GREEDY())
"""The greedy cook that does some legal action at every fifth move, on average."""

HALF_RANDOM = partial(
    ErringPolicy, "half-random", 0.5, GREEDY(), lambda observation, draw: draw.choice(ACTS)
)
"""The greedy cook that does a random low-level act at half of its moves."""
