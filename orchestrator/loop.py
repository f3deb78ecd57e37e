"""A plain loop that plays an episode without the graph: it calls the same nodes in sequence.

There are no checkpoints, so the nodes pass on the state as it is, without dumping the world. The
trace is byte for byte the one that the graph would write, including its supersteps.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from cookmas.episodes.failure import boundary
from cookmas.episodes.trace import PlannerClass
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.graph.context import Context, complete_state, hold_references
from cookmas.orchestrator.graph.planning import topology_of
from cookmas.orchestrator.graph.recorder import Batch
from cookmas.orchestrator.graph.state import State, acts_of, must_plan
from cookmas.orchestrator.graph.timestep import advance
from cookmas.orchestrator.graph.workers import assign

UNAIDED: frozenset[PlannerClass] = frozenset({"embedded", "oracle", "fixed"})
"""The classes of planners that ask no model."""


def can_play(context: Context) -> bool:
    """Return whether the loop can play an episode that has no checkpoints.

    This is so if the episode waits for nothing outside the process: no planner asks a model, every
    worker is scripted, and all events are known or injected by this process.
    """
    return (
        context.desk is None
        and type(context.mailbox) is MemoryMailbox
        and not context.pace.seconds
        and context.planner.planner_class in UNAIDED
        and not context.unscripted
    )


async def play_in_loop(context: Context, start: State) -> AsyncIterator[Batch]:
    """Play an episode from the state `start` to its end; yield the records of each superstep.

    Finally close the recorder.
    """
    decide, recorder = topology_of(context.planner).decide, context.recorder
    try:
        await recorder.write()
        with boundary(world=context.world):
            state = complete_state(start, context)
            await hold_references(state, context)
            while True:
                state = await advance(state, context)
                await recorder.write()
                yield recorder.fresh()
                while must_plan(state) and not state["ended"]:
                    await asyncio.sleep(0)
                    state = await decide(state, context)
                    await recorder.write()
                    await hold_references(state, context)
                    yield recorder.fresh()
                if state["ended"]:
                    return
                state = assign(state, context)
                state["acts"] = acts_of(state["timestep"], state["commands"])
    finally:
        recorder.close()
