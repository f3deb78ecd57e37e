"""A plain loop in the place of the graph: the same nodes, one after the other.

There are no checkpoints, and the world's state is passed on as it is. The trace is that of the
graph, byte for byte, with the supersteps that the graph would have run.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from episodes.failure import naming
from episodes.trace import PlannerClass
from mailboxes.memory import MemoryMailbox
from orchestrator.graph.context import Context, complete_state, hold_references
from orchestrator.graph.graph import Topology
from orchestrator.graph.state import State, must_plan
from orchestrator.graph.timestep import advance
from orchestrator.graph.workers import act_as_assigned, assignments, make_shared_task
from workers.protocol import ScriptedWorker

UNAIDED: frozenset[PlannerClass] = frozenset({"embedded", "oracle", "fixed"})
"""The classes of planners that ask no model."""


def can_play(context: Context) -> bool:
    """Return whether the loop can play an episode that has no checkpoints.

    It can where nobody is waited for: no planner asks a model, every worker is scripted, and all
    events are known, or injected within the process.
    """
    return (
        context.desk is None
        and type(context.mailbox) is MemoryMailbox
        and not context.pace.seconds
        and context.planner.planner_class in UNAIDED
        and all(type(worker) is ScriptedWorker for worker in context.workers.values())
    )


async def supersteps(context: Context, topology: Topology, start: State) -> AsyncIterator[None]:
    """Play an episode to its end; yields behind each superstep."""
    context = replace(context, live=True)
    recorder = context.recorder
    if "world" in start:
        start = State(**{**start, "world": context.world.load(start["world"])})
    state = complete_state(start, context)
    await hold_references(state, context)
    with naming(context.world):
        while True:
            state.update(await advance(state, context))
            await recorder.write()
            yield
            while must_plan(state) and not state["ended"]:
                await asyncio.sleep(0)
                state.update(await topology.decide(state, context))
                await recorder.write()
                await hold_references(state, context)
                yield
            if state["ended"]:
                return
            state.update(assignments(state, context))
            state["acts"] = act_as_assigned(make_shared_task(state))
