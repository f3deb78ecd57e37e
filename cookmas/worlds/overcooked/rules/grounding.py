"""Grounding: the low-level acts of a medium-level action, one for each timestep, until it is done.

This is the one place in which actions become acts: for planners, prompts and people alike.
"""

from __future__ import annotations

from typing import NamedTuple

from cookmas.worlds.grids.grid import DIRECTIONS, neighbour
from cookmas.worlds.overcooked.rules.actions import AWAY, MediumAction
from cookmas.worlds.overcooked.rules.kitchen import INTERACT, MOVES, STAY
from cookmas.worlds.overcooked.rules.places import OvercookedSight
from cookmas.worlds.overcooked.rules.verbs import refusal, use_of

ACT_OF = {letter: act for act, letter in MOVES.items()}
"""The act that moves a cook in a direction, by the letter of the direction."""


class Underway(NamedTuple):
    """How a medium-level action continues after a timestep."""

    action: MediumAction | None
    """The action; None if it is done or cannot be done any more."""
    given_up: str | None = None
    """The kind of FAIL for which the action is given up; None if it is not."""


def next_act(sight: OvercookedSight, action: MediumAction) -> str:
    """Return the next act of an action of a cook; `stay` if nothing leads on."""
    if action == AWAY:
        return sight.step_away() or STAY
    use, cell = use_of(sight.kitchen, action)
    way = sight.way_to(cell)
    if way is None:
        return STAY
    if way:
        return ACT_OF[way[0]]
    return INTERACT if use.is_ready(sight, cell) else STAY


def is_blocked(before: OvercookedSight, after: OvercookedSight, act: str) -> bool:
    """Return whether a cook wanted to walk in a timestep and another one kept it from walking."""
    if act not in MOVES:
        return False
    beside = neighbour(before.body.at, DIRECTIONS[MOVES[act]])
    return beside in before.grid.floor and after.body.at == before.body.at


def after_timestep(after: OvercookedSight, action: MediumAction, deed: str | None) -> Underway:
    """Return how an action of a cook continues after a timestep with this deed."""
    if deed is not None or action == AWAY:
        return Underway(None)
    kind = refusal(after, action)
    return Underway(None, kind) if kind else Underway(action)
