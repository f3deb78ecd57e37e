"""Checks of the values that a world returns: an invalid value is a failure of the world."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.episodes.failure import WorldFailedError, boundary
from cookmas.episodes.world import Outcome, Tally
from cookmas.files.plain import pack_to_store

MOST_PAYLOAD = 100_000
"""Maximum length of the data that go with an assignment, in characters of JSON."""

ENDINGS = ("won", "lost", "over")


def check_movers(world: Any, movers: Any) -> Sequence[str]:
    """Return the workers whom the world's `movers` names, in the world's order.

    Raise WorldFailedError if `movers` is not a list of the world's workers.
    """
    workers = world.workers
    if not isinstance(movers, Sequence) or isinstance(movers, str):
        raise _failure_of(
            world, f"movers answers {type(movers).__name__}; expected a list of workers"
        )
    if strangers := [name for name in movers if name not in workers]:
        raise _failure_of(world, f"movers names {strangers[0]!r}, who is no worker")
    return [name for name in workers if name in movers]


def check_payload(world: Any, payload: Any, action: str) -> Any:
    """Return the data of an assignment as `json` reads them.

    Raise WorldFailedError if they are no plain JSON that can be stored, or too long.
    """
    try:
        stored = json.loads(pack_to_store(payload))
    except ValueError as error:
        raise _failure_of(world, f"payload for {action!r} is no plain JSON: {error}") from None
    if len(json.dumps(stored)) > MOST_PAYLOAD:
        why = f"payload for {action!r} has more than {MOST_PAYLOAD} characters of JSON"
        raise _failure_of(world, why)
    return stored


def check_ending(world: Any, ending: Any) -> None:
    """Raise WorldFailedError if `ending` is not an ending: won, lost or over, with a reason."""
    how, why = getattr(ending, "how", None), getattr(ending, "why", None)
    if how not in ENDINGS or not isinstance(why, str):
        raise _failure_of(
            world, f"ending answers {ending!r:.80}; expected won, lost or over, and why"
        )


def tally_of(world: Any, state: Any) -> Tally:
    """Return the score counters of a state.

    Raise WorldFailedError if the score is neither None nor a finite number.
    """
    tally: Tally = world.tally(state)
    if tally.score is not None:
        check_number(world, "the score of tally", tally.score)
    return tally


def rewards_of(
    world: Any, before: Any, after: Any, outcomes: Mapping[str, Outcome]
) -> Mapping[str, float]:
    """Return each worker's reward for the timestep between two states.

    Raise WorldFailedError if the world fails or a reward is not a finite number.
    """
    with boundary(world=world):
        rewards: Mapping[str, float] = world.rewards(before, after, outcomes)
        given = list(rewards.items())
    for worker, reward in given:
        check_number(world, f"the reward of {worker}", reward)
    return rewards


def check_number(world: Any, what: str, value: Any) -> None:
    """Raise WorldFailedError if `value` is not a finite number. `what` names the value."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise _failure_of(world, f"{what} is {value!r:.80}; expected a finite number")


def _failure_of(world: Any, what: str) -> WorldFailedError:
    return WorldFailedError(f"world {world.name} failed: {what}")
