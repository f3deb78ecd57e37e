"""The graph in which an episode runs: the world, who plans, and the workers.

    START -> kitchen -> planner (where something triggers it) -> worker -> kitchen -> ...

One timestep is two supersteps: the workers together, then the world in the node `kitchen`; a call
of the planner is one more. Nothing here knows which world it is. Who plans is an
arrangement of agents: one central planner, as drawn here, or a team (`orchestrator.graph.team`). An
open episode in which nothing is to be done waits at the `door` until somebody sends something.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, cast

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from orchestrator.graph.acting import assigning, sent, worker
from orchestrator.graph.arrangement import Arrangement
from orchestrator.graph.attendance import anything_new, backs
from orchestrator.graph.central import CENTRAL
from orchestrator.graph.keeping import publish
from orchestrator.graph.kitchen import kitchen
from orchestrator.graph.recording import noted, superstep
from orchestrator.graph.state import (
    Assignment,
    Context,
    Opened,
    State,
    Together,
    planning,
    trigger_data,
)

Graph = CompiledStateGraph[Any, Any, Any, Any]


async def door(state: State, context: Context) -> State:
    """Wait until somebody sends something or is back; trace and checkpoints do not grow."""
    away = state.get("away", {})
    back = await anything_new(context, state["cursor"], away)
    away = {worker: why for worker, why in away.items() if worker not in back}
    triggers = [trigger_data(trigger) for trigger in backs(state.get("away", {}), away)]
    superstep(context, state["timestep"], ["door"])
    count = context.recorder.count
    return State(asleep=False, away=away, triggers=triggers, records=count)


async def _itself(context: Any) -> Context:
    assert isinstance(context, Context)
    return context


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    context_schema: type = Context,
    context_of: Callable[[Any], Awaitable[Context]] = _itself,
    arrangement: Arrangement = CENTRAL,
) -> Graph:
    """The compiled graph. `context_of` makes the episode's context from what the graph is given.

    It is compiled once in a process, and copied for a checkpointer.
    """
    compiled = _compiled(context_schema, context_of, arrangement)
    return compiled.copy({"checkpointer": checkpointer}) if checkpointer else compiled


class _Route(RunnableLambda[Opened, str | list[Send]]):
    """Routes from a node to the next. Unlike a function, it costs neither a task nor callbacks.

    Of the state LangGraph reads what the function in it is annotated with, and no more.
    """

    def __init__(self, decide: str) -> None:
        def after(opened: Opened) -> str | list[Send]:
            if opened["ended"]:
                return END
            if opened["asleep"]:
                return "door"
            if planning(opened):
                return decide
            return [Send("worker", each) for each in sent(opened)]

        super().__init__(after)
        self._after = after

    def invoke(
        self,
        input: Opened,  # noqa: A002
        config: RunnableConfig | None = None,
        **_: Any,
    ) -> str | list[Send]:
        """What follows in this state."""
        return self._after(input)

    async def ainvoke(
        self,
        input: Opened,  # noqa: A002
        config: RunnableConfig | None = None,
        **_: Any,
    ) -> str | list[Send]:
        """The same."""
        return self._after(input)


@cache
def _compiled(
    context_schema: type,
    context_of: Callable[[Any], Awaitable[Context]],
    arrangement: Arrangement,
) -> Graph:
    decide, deciding = arrangement.name, assigning(arrangement.decide)
    opening = assigning(kitchen)

    async def kitchen_node(state: State, runtime: Runtime[Any]) -> State:
        context = await context_of(runtime.context)
        return await noted(opening, state, context)

    async def deciding_node(state: State, runtime: Runtime[Any]) -> State:
        context = await context_of(runtime.context)
        await publish(context, state)
        return await noted(deciding, state, context)

    async def door_node(state: State, runtime: Runtime[Any]) -> State:
        return await noted(door, state, await context_of(runtime.context))

    async def worker_node(given: Assignment | Together, runtime: Runtime[Any]) -> State:
        return await worker(given, await context_of(runtime.context))

    route = _Route(decide)
    graph: StateGraph[State, Any, State, State] = StateGraph(State, context_schema=context_schema)
    graph.add_node("kitchen", kitchen_node)
    graph.add_node(decide, deciding_node)
    graph.add_node("door", door_node)
    graph.add_node("worker", cast("Any", worker_node), input_schema=Assignment)
    graph.add_edge(START, "kitchen")
    graph.add_conditional_edges("kitchen", route, [decide, "worker", "door", END])
    again = [decide] if arrangement.repeats else []
    graph.add_conditional_edges(decide, route, [*again, "worker", END])
    graph.add_edge("worker", "kitchen")
    graph.add_edge("door", "kitchen")
    return graph.compile()
