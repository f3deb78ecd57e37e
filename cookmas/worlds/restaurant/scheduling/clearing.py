"""Clearing: the drafts of modes in which a useless thing is removed.

| constraint | method |
|---|---|
| a thing in the way goes to the bin | `clear` |
| foods that lie together in a tool leave it joined | `clear` joins them by the `process` first |
| a hand must be empty before it takes up a thing | `put_down`, a draft for each time of waiting |
"""

from __future__ import annotations

from typing import Literal

from cookmas.worlds.restaurant.scheduling.draft import (
    GatheringArrival,
    ModeDraft,
    Op,
    Spot,
    Verb,
    Visit,
)
from cookmas.worlds.restaurant.scheduling.reuse import Clear

WAITED_TIMESTEPS = 24
"""With a thing in its hand, a worker waits for fewer timesteps than this."""


def clear(clear: Clear, t: int) -> ModeDraft:
    """Return a draft in which a worker carries a thing to the bin.

    The worker's first action other than walking is at `t`.
    """
    draft = ModeDraft()
    spot = Spot(station=clear.station)
    draft.walks(t, spot)
    if clear.process:
        verb: Verb = "start" if clear.process == "start" else "work"
        draft.ops.append(Op(t, 0, verb, spot, clear.process))
        t += 1
        draft.lifted.append((clear.station, clear.slot, t))
    elif clear.stage is not None:
        draft.arrivals.append(GatheringArrival(clear.stage, t))
    else:
        draft.lifted.append((clear.station, clear.slot, t))
    draft.ops.append(Op(t, 0, "pick", spot, slot=clear.slot))
    draft.visits.append(Visit(spot, 0, t + 1))
    _get_rid(draft, "discard", Spot(kind="bin"), t + 1)
    return draft


def put_down(worker: int, place: str, counter: str | None) -> list[ModeDraft]:
    """Return drafts in which a worker at `place` puts the thing in its hand on a counter, or in the
    bin if `counter` is None.

    The drafts differ in how long the worker waits first.
    """
    spot = Spot(station=counter) if counter else Spot(kind="bin")
    modes = []
    for delay in range(-1, WAITED_TIMESTEPS):
        draft = ModeDraft(hands=[(0, worker)])
        if delay > 0:
            draft.ops.append(Op(0, 0, "aside", Spot(station=place)))
        _get_rid(draft, "place" if counter else "discard", spot, delay)
        if delay < 0:
            draft.ops = [op for op in draft.ops if op.verb != "nav"]
            draft.on_spot = worker
        modes.append(draft)
    return modes


def _get_rid(draft: ModeDraft, verb: Literal["place", "discard"], spot: Spot, t: int) -> None:
    """End a draft of one block: the worker walks to a spot at `t`, then puts its thing down."""
    draft.ops += (Op(t, 0, "nav", spot), Op(t + 1, 0, verb, spot))
    draft.visits.append(Visit(spot, max(0, t), t + 2))
    draft.blocks.append((0, t + 2))
