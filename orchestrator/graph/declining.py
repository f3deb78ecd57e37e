"""What a planner declines: an event of the world, which is in the trace like those from outside."""

from __future__ import annotations

from collections.abc import Mapping

from episodes.capabilities import Declining
from episodes.trace import EventRecord
from orchestrator.graph.state import Context, State


def decline(declined: Mapping[str, str], state: State, context: Context) -> State:
    """Decline what a planner says it will not do, each with why; what of the state it changes."""
    if not declined:
        return State()
    world = context.world
    assert isinstance(world, Declining)
    now = context.loaded(state)
    for name, why in declined.items():
        event = dict(world.declining(name, why))
        now, ruling = world.apply(now, event)
        context.recorder.append(
            EventRecord(timestep=state["timestep"], event=event, refused=ruling.refused)
        )
    return State(world=context.dumped(now))
