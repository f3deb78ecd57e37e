"""A LangGraph app with the graph of CookMAS as a subgraph, and a person who approves each plan.

    python examples/langgraph_app.py

The app has its own state, its own checkpointer and its own steps around the kitchen. It streams the
records of the trace, and stops at each plan until somebody approves it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

import cookmas
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.planners.approval import ApprovedPlanner


@dataclass(frozen=True)
class Evening:
    """The context of the app: what is cooked, and in which conversation."""

    scenario: str
    conversation: str


class App(TypedDict, total=False):
    """The state of the app. It shares the last three keys with the subgraph."""

    request: str
    answer: str
    world: dict[str, Any]
    timestep: int
    ended: str | None


def build(saver: BaseCheckpointSaver[Any], planner_of: Callable[[Any], Any]) -> Any:
    """Return the app. `planner_of` returns the planner for a scenario."""
    kept: dict[Evening, Context] = {}

    def open_context(evening: Evening) -> Context:
        if evening not in kept:
            scenario = cookmas.load_scenario(evening.scenario)
            kept[evening] = Context(
                world=scenario.world(),
                planner=ApprovedPlanner(planner_of(scenario)),
                fetch=scenario.look_up,
                mailbox=MemoryMailbox(scenario.events()),
                horizon=scenario.horizon or 1000,
                streams=True,
                episode=f"{evening.conversation}/{scenario.digest}",
            )
        return kept[evening]

    async def context_of(evening: Evening) -> Context:
        return await asyncio.to_thread(open_context, evening)

    async def intake(state: App) -> App:
        return {"request": state["request"].strip()}

    async def answer(state: App, runtime: Runtime[Evening]) -> App:
        kept.pop(runtime.context, None)
        return {"answer": f"{state['request']}: {state['ended']} at timestep {state['timestep']}"}

    app = StateGraph(App, context_schema=Evening)
    app.add_node("intake", intake)
    app.add_node("kitchen", build_graph(context_schema=Evening, context_of=context_of))
    app.add_node("answer", answer)
    app.add_edge(START, "intake")
    app.add_edge("intake", "kitchen")
    app.add_edge("kitchen", "answer")
    app.add_edge("answer", END)
    return app.compile(checkpointer=saver)


async def serve(
    app: Any, evening: Evening, given: Any, decide: Callable[[Any], Any]
) -> AsyncIterator[dict[str, Any]]:
    """Yield the records of the kitchen; call `decide` with each proposed plan."""
    config: Any = {
        "configurable": {"thread_id": evening.conversation},
        "recursion_limit": 10_000,
    }
    while given is not None:
        asked: tuple[Any, ...] = ()
        async for _, mode, part in app.astream(
            given, config, context=evening, subgraphs=True, stream_mode=["custom", "updates"]
        ):
            if mode == "custom":
                yield part
            elif "__interrupt__" in part:
                asked = part["__interrupt__"]
        given = Command(resume={each.id: decide(each.value) for each in asked}) if asked else None


async def main() -> None:
    """Cook one order, and approve every plan."""
    app = build(InMemorySaver(), lambda scenario: cookmas.load_planner("embedded", scenario))
    evening = Evening("level1/01", "table 4")

    def approve(proposal: Any) -> Any:
        length = len(proposal["schedule"])
        print(f"approved: {length} timesteps for {', '.join(proposal['triggers'])}")
        return {"approved": True}

    async for record in serve(app, evening, {"request": "dinner "}, approve):
        if record["kind"] in ("trigger", "end"):
            print(record["kind"], record.get("cause") or record["why"])
    state = await app.aget_state({"configurable": {"thread_id": evening.conversation}})
    print(state.values["answer"])


if __name__ == "__main__":
    asyncio.run(main())
