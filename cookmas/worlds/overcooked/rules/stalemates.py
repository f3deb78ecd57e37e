"""Stalemates: a cook that comes no nearer to the place of its action is asked, then steps away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cookmas.worlds.overcooked.rules.actions import MediumAction
from cookmas.worlds.overcooked.rules.places import OvercookedSight, places_of

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
