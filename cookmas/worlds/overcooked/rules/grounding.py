"""Grounding: the low-level acts of a medium-level action, one for each timestep, until it is done.

This is the one place in which actions become acts: for planners, prompts and people alike.

In a stalemate cooks come no nearer to the places of their actions. Such a cook is asked again, then
steps away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cookmas.worlds.grids.grid import DIRECTIONS, neighbour
from cookmas.worlds.overcooked.rules.actions import AWAY, MediumAction, refusal, use_of
from cookmas.worlds.overcooked.rules.kitchen import INTERACT, MOVES, STAY
from cookmas.worlds.overcooked.rules.places import OvercookedSight, places_of

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


PATIENCE = 3
"""Timesteps after which a cook that comes no nearer is asked again.

After as many again it steps away.
"""


class Approach(NamedTuple):
    """How near a cook has come to the place of its medium-level action."""

    stuck: int = 0
    """For how many timesteps it has come no nearer."""
    left: int = 0
    """The fewest moves that were left so far."""


NO_APPROACH = Approach()
"""Stands for a cook that is at no action."""


class StepAway(NamedTuple):
    """A step of a cook away from the others, in place of its action."""

    number: int
    """Number of the cook."""
    act: str
    """Its step."""


def find_step_away(
    begun: Sequence[tuple[OvercookedSight, MediumAction, Approach | None]],
) -> StepAway | None:
    """Return which cook steps away; None if no cook does.

    It is the first of those that have come no nearer for too long. `begun` has what each cook at an
    action has before it, and its progress so far; None at a new action.
    """
    for sight, _, progress in begun:
        if progress is not None and progress.stuck >= 2 * PATIENCE:
            away = sight.step_away(anywhere=True)
            if away is not None:
                return StepAway(sight.number, away)
    return None


def measure_progress(
    before: OvercookedSight,
    after: OvercookedSight,
    action: MediumAction,
    last: Approach | None,
    away: StepAway | None,
) -> Approach:
    """Return the progress of a cook, by what it had before it before and after a timestep.

    `last` is its progress before; None for an action that began in the timestep. The cook that
    stepped `away` steps again if it comes no nearer in the next timestep.
    """
    now = _count_moves(after, action)
    if away is not None and after.number == away.number:
        return Approach(2 * PATIENCE - 1, now)
    stuck, left = last or Approach(left=_count_moves(before, action))
    nearer = not now or now < left
    return Approach(left=now) if nearer else Approach(stuck + 1, left)


def _count_moves(sight: OvercookedSight, action: MediumAction) -> int:
    """Return the moves that are left to the place of an action; 0 if it has none, or no way."""
    cell = places_of(sight.kitchen).get(action.place)
    return 0 if cell is None else len(sight.way_to(cell) or ())
