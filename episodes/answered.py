"""What a world may answer: an answer that it may not give is a failure of the world, named."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from episodes.failure import WorldFailedError, naming
from episodes.world import Outcome, Tally, World

ENDINGS = ("won", "lost", "over")


def check_movers(world: Any, found: Any) -> Sequence[str]:
    """Return whose move it is, in the order of the workers. Raise WorldFailedError."""
    workers = world.workers
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise _failed(world, f"movers answers {type(found).__name__}; expected a list of workers")
    if strangers := [name for name in found if name not in workers]:
        raise _failed(world, f"movers names {strangers[0]!r}, who is no worker")
    return [name for name in workers if name in found]


def check_ending(world: Any, found: Any) -> None:
    """Raise WorldFailedError for what is no ending: won, lost or over, and why."""
    how, why = getattr(found, "how", None), getattr(found, "why", None)
    if how not in ENDINGS or not isinstance(why, str):
        raise _failed(world, f"ending answers {found!r:.80}; expected won, lost or over, and why")


def tally_of(world: World[Any], state: Any) -> Tally:
    """Return how an episode stands. Raise WorldFailedError for a score that is no number."""
    tally = world.tally(state)
    if tally.score is not None:
        check_number(world, "the score of tally", tally.score)
    return tally


def rewards_of(
    world: Any, before: Any, after: Any, outcomes: Mapping[str, Outcome]
) -> Mapping[str, float]:
    """Return what a world rewards each worker with. Raise WorldFailedError for no number."""
    with naming(world):
        rewards: Mapping[str, float] = world.rewards(before, after, outcomes)
        given = list(rewards.items())
    for worker, reward in given:
        check_number(world, f"the reward of {worker}", reward)
    return rewards


def check_number(world: Any, what: str, found: Any) -> None:
    """Raise WorldFailedError for what is no finite number."""
    if not isinstance(found, int | float) or not math.isfinite(found):
        raise _failed(world, f"{what} is {found!r:.80}; expected a finite number")


def _failed(world: Any, what: str) -> WorldFailedError:
    return WorldFailedError(f"world {world.name} failed: {what}")
