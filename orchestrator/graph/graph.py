"""The graph in which an episode runs: the world, the planner or team, and the workers.

    START -> world -> planner (if there is a trigger) -> worker -> world -> ...

One timestep is two supersteps: first the workers together, then the node `world`. A call of the
planner is a superstep of its own. The graph is the same for all worlds. A topology says how
planning is organised: by one central planner, as drawn here, or by a team
(`cookmas.orchestrator.graph.team`). An open episode with nothing to do waits in the node `door` for
a message.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, cast

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from cookmas.episodes.trace import Superstep
from cookmas.orchestrator.graph.central import planner
from cookmas.orchestrator.graph.context import Context, Node, run_node
from cookmas.orchestrator.graph.messages import publish_status
from cookmas.orchestrator.graph.state import (
    AGENT,
    DOOR,
    PLANNER,
    WORKER,
    WORLD,
    Assignment,
    Opened,
    State,
    Together,
    must_plan,
    trigger_data,
)
from cookmas.orchestrator.graph.team import agent
from cookmas.orchestrator.graph.timestep import advance
from cookmas.orchestrator.graph.workers import recoveries, tasks, then_assign, wait_for_news, worker

Graph = CompiledStateGraph[Any, Any, Any, Any]


class Topology(NamedTuple):
    """A way to organise planning: the node that asks the planner or team."""

    name: str
    """Name of the node."""
    decide: Node
    """The node's function."""
    repeats: bool = False
    """True if the node runs in superstep after superstep until no agent is to be called."""


CENTRAL = Topology(PLANNER, planner)

TOPOLOGIES: Mapping[str, Topology] = {
    "central": CENTRAL,
    "team": Topology(AGENT, agent, repeats=True),
}


def topology_of(planner: object) -> Topology:
    """Return the topology that the attribute `topology` of a planner names; the default is
    `central`.
    """
    return TOPOLOGIES[getattr(planner, "topology", "central")]


async def door(state: State, context: Context) -> State:
    """Wait for a message or a recovered worker.

    Meanwhile the trace and the checkpoints do not grow.
    """
    before = state["away"]
    back = await wait_for_news(context, state["cursor"], before)
    away = {worker: why for worker, why in before.items() if worker not in back}
    state = context.write(state, Superstep(timestep=state["timestep"], nodes=[DOOR]))
    news = [trigger_data(trigger) for trigger in recoveries(before, away)]
    return {**state, "away": away, "news": news}


async def _itself(context: Any) -> Context:
    assert isinstance(context, Context)
    return context


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    context_schema: type = Context,
    context_of: Callable[[Any], Awaitable[Context]] = _itself,
    topology: Topology = CENTRAL,
) -> Graph:
    """Return the compiled graph.

    `context_schema` is the type of the object that a caller passes to the graph as its context;
    `context_of` returns the episode's `Context` from this object. The graph is compiled once per
    process and copied for each checkpointer.
    """
    compiled = _compile(context_schema, context_of, topology)
    return compiled.copy({"checkpointer": checkpointer}) if checkpointer else compiled


class _Route(RunnableLambda[Opened, str | list[Send]]):
    """The routing from a node to the next one; `decide` is the name of the node that plans.

    Unlike a plain function, this object runs without a task of its own and without callbacks.
    LangGraph passes only the parts of the state that the annotation of the inner function names.
    """

    def __init__(self, decide: str) -> None:
        def route_after(opened: Opened) -> str | list[Send]:
            if opened["ended"]:
                return END
            if opened["asleep"]:
                return DOOR
            if must_plan(opened):
                return decide
            return [Send(WORKER, each) for each in tasks(opened)]

        super().__init__(route_after)
        self._after = route_after

    def invoke(
        self,
        input: Opened,  # noqa: A002
        config: RunnableConfig | None = None,
        **_: Any,
    ) -> str | list[Send]:
        """Return the next node, or the tasks of the workers."""
        return self._after(input)

    async def ainvoke(
        self,
        input: Opened,  # noqa: A002
        config: RunnableConfig | None = None,
        **_: Any,
    ) -> str | list[Send]:
        """Return the next node, or the tasks of the workers."""
        return self._after(input)


@cache
def _compile(
    context_schema: type,
    context_of: Callable[[Any], Awaitable[Context]],
    topology: Topology,
) -> Graph:
    decide, deciding = topology.name, then_assign(topology.decide)
    advancing = then_assign(advance)

    async def world_node(state: State, runtime: Runtime[Any]) -> State:
        context = await context_of(runtime.context)
        return await run_node(advancing, state, context)

    async def decide_node(state: State, runtime: Runtime[Any]) -> State:
        context = await context_of(runtime.context)
        await publish_status(context, state)
        return await run_node(deciding, state, context)

    async def door_node(state: State, runtime: Runtime[Any]) -> State:
        return await run_node(door, state, await context_of(runtime.context))

    async def worker_node(given: Assignment | Together, runtime: Runtime[Any]) -> State:
        return await worker(given, await context_of(runtime.context))

    route = _Route(decide)
    graph: StateGraph[State, Any, State, State] = StateGraph(State, context_schema=context_schema)
    graph.add_node(WORLD, world_node)
    graph.add_node(decide, decide_node)
    graph.add_node(DOOR, door_node)
    graph.add_node(WORKER, cast("Any", worker_node), input_schema=Assignment)
    graph.add_edge(START, WORLD)
    graph.add_conditional_edges(WORLD, route, [decide, WORKER, DOOR, END])
    again = [decide] if topology.repeats else []
    graph.add_conditional_edges(decide, route, [*again, WORKER, END])
    graph.add_edge(WORKER, WORLD)
    graph.add_edge(DOOR, WORLD)
    return graph.compile()
