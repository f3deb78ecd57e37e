"""The graph in which an episode runs: the world, the planner or team, and the workers.

    START -> world -> planner (if there is a trigger) -> worker -> world -> ...

One timestep is two supersteps: first the workers together, then the node `world`. A call of the
planner is a superstep of its own. The graph is the same for all worlds. A topology says how
planning is organised (`cookmas.orchestrator.graph.planning`): by one central planner, as drawn
here, or by a team. An open episode with nothing to do waits in the node `door` for a message.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import cache, partial
from typing import Any, cast

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from cookmas.episodes.trace import Superstep
from cookmas.orchestrator.checkpoints.sqlite import Checkpoints
from cookmas.orchestrator.graph.bookkeeping import write
from cookmas.orchestrator.graph.checkpoint import thread_of
from cookmas.orchestrator.graph.context import Context, Node, run_node
from cookmas.orchestrator.graph.messages import publish_status, tell_durable
from cookmas.orchestrator.graph.planning import CENTRAL, Topology, topology_of
from cookmas.orchestrator.graph.plans import StrandedError
from cookmas.orchestrator.graph.recorder import Batch
from cookmas.orchestrator.graph.state import (
    DOOR,
    WORKER,
    WORLD,
    Assignment,
    Opened,
    State,
    Together,
    is_behind,
    must_plan,
    trigger_data,
)
from cookmas.orchestrator.graph.timestep import advance
from cookmas.orchestrator.graph.workers import (
    People,
    recoveries,
    tasks,
    then_assign,
    wait_for_news,
    worker,
)
from cookmas.orchestrator.langsmith import langsmith_context

Graph = CompiledStateGraph[Any, Any, Any, Any]

NO_LIMIT = 10**12
"""Greatest number of supersteps of an open episode, which in practice it never reaches."""

INTERRUPT = "__interrupt__"
"""The key under which LangGraph streams its interrupts."""

_OVER = object()


async def door(state: State, context: Context) -> State:
    """Wait for a message or a recovered worker.

    Meanwhile the trace and the checkpoints do not grow.
    """
    before = state["away"]
    back = await wait_for_news(context, state["cursor"], before, state["running"])
    away = {worker: why for worker, why in before.items() if worker not in back}
    state = write(state, Superstep(timestep=state["timestep"], nodes=[DOOR]), context.conditions)
    news = [trigger_data(trigger) for trigger in recoveries(before, away)]
    return {**state, "away": away, "news": [*state["news"], *news]}


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
            if is_behind(opened):
                return WORLD
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

    async def run(node: Node, state: State, context: Context, runtime: Runtime[Any]) -> State:
        after = await run_node(node, state, context)
        if context.streams:
            for record in context.recorder.fresh():
                runtime.stream_writer(record.model_dump(mode="json", exclude_none=True))
        return after

    async def world_node(state: State, runtime: Runtime[Any]) -> State:
        return await run(advancing, state, await context_of(runtime.context), runtime)

    async def decide_node(state: State, runtime: Runtime[Any]) -> State:
        context = await context_of(runtime.context)
        await publish_status(context, state)
        return await run(deciding, state, context, runtime)

    async def door_node(state: State, runtime: Runtime[Any]) -> State:
        return await run(door, state, await context_of(runtime.context), runtime)

    async def worker_node(given: Assignment | Together, runtime: Runtime[Any]) -> State:
        return await worker(given, await context_of(runtime.context))

    route = _Route(decide)
    graph: StateGraph[State, Any, State, State] = StateGraph(State, context_schema=context_schema)
    graph.add_node(WORLD, world_node)
    graph.add_node(decide, decide_node)
    graph.add_node(DOOR, door_node)
    graph.add_node(WORKER, cast("Any", worker_node), input_schema=Assignment)
    graph.add_edge(START, WORLD)
    graph.add_conditional_edges(WORLD, route, [decide, WORLD, WORKER, DOOR, END])
    again = [decide] if topology.repeats else []
    graph.add_conditional_edges(decide, route, [*again, WORKER, DOOR, END])
    graph.add_edge(WORKER, WORLD)
    graph.add_edge(DOOR, WORLD)
    return graph.compile()


async def play_in_graph(
    context: Context,
    start: State | None,
    saver: BaseCheckpointSaver[Any] | None,
    *,
    langsmith: bool = False,
) -> AsyncIterator[Batch]:
    """Play an episode from the state `start` to its end; yield the records of each superstep.

    If `start` is None, continue from the last checkpoint of `saver`; without a checkpoint, play
    from the beginning. `langsmith` says whether LangSmith gets the supersteps and the model calls
    in them. Finally close the recorder.
    """
    recorder = context.recorder
    config = RunnableConfig(
        configurable={"thread_id": thread_of(saver)} if saver else {},
        recursion_limit=_most_supersteps(context),
    )
    if isinstance(saver, Checkpoints):
        saver.call_when_durable(partial(tell_durable, context))
    graph = build_graph(saver, topology=topology_of(context.planner))
    people = People(context.workers)
    given: State | Command[None] | None = start
    try:
        await recorder.write()
        if start is None and context.people:
            with langsmith_context(enabled=langsmith):
                left = await graph.aget_state(config)
            people.ask(left.interrupts)
        while True:
            if people.open:
                given = await people.answers()
            supersteps = graph.astream(
                given,
                config,
                context=context,
                stream_mode="values",
                output_keys="records",
                durability="sync" if saver else None,
            )
            async for output in _in_langsmith_context(supersteps, enabled=langsmith):
                yield recorder.fresh()
                if isinstance(output, Mapping):
                    people.ask(output.get(INTERRUPT, ()))
            if not people.open:
                break
        await context.jobs.end()
        yield recorder.fresh()
    except StrandedError:
        await recorder.write()
        yield recorder.fresh()
    finally:
        await people.withdraw()
        await context.jobs.close()
        await context.thought.close()
        recorder.close()


def _most_supersteps(context: Context) -> int:
    if context.horizon is None:
        return NO_LIMIT
    turns: int = getattr(context.planner, "most_turns", 1)
    return (2 + turns) * context.horizon + 10


async def _in_langsmith_context(
    supersteps: AsyncIterator[Any], *, enabled: bool
) -> AsyncIterator[Any]:
    """Yield the number of records after each superstep that changes it, and mappings of interrupts.

    Only the supersteps run in the context, not the consumer of this generator.
    """
    while True:
        with langsmith_context(enabled=enabled):
            output = await anext(supersteps, _OVER)
        if output is _OVER:
            return
        yield output
