"""Play in one way, as a user's program: python -m tests.orchestrator.langsmith_app WAY

Print which modules of LangChain an episode that needs no graph has imported.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypedDict

import cookmas
from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan

SCENARIO = "corridor/one"

NEEDS_NO_GRAPH = "corridor/two"
"""A scenario whose second bell is blue; the first scenario has none that is."""

PROMPT, ANSWER, OWN = "a prompt with an order", "an answer of a model", "what the app itself asks"


async def ask() -> str:
    """Ask a chat model of LangChain as CookMAS does."""
    from langchain_core.language_models import FakeListChatModel

    from cookmas.orchestrator.models.langchain_model import ChatModel
    from cookmas.orchestrator.models.message import Message, Request

    model = ChatModel(FakeListChatModel(responses=[ANSWER]))
    answer, _ = await model.answer(Request(messages=(Message(role="user", content=PROMPT),)))
    return answer.text


class ChattingPlanner:
    """Asks a chat model, and gives up."""

    name = "chatting"
    planner_class: PlannerClass = "pure"

    async def plan(self, observation: Observation[Any]) -> Plan:
        return Plan(schedule=(), gave_up=await ask())


class OwnState(TypedDict, total=False):
    """The state of the user's own graph."""

    said: str
    verdict: str


async def in_own_node(*, langsmith: bool) -> None:
    """Play in a node of the user's own graph, which has checkpoints."""
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, StateGraph

    async def node(state: OwnState) -> OwnState:
        with TemporaryDirectory() as folder:
            await cookmas.aplay(SCENARIO, folder=Path(folder, "run"), langsmith=langsmith)
        run = await cookmas.aplay(SCENARIO, ChattingPlanner(), langsmith=langsmith)
        return {"verdict": str(run.success)}

    graph = StateGraph(OwnState)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    app = graph.compile(checkpointer=InMemorySaver())
    done = await app.ainvoke({"said": OWN}, {"configurable": {"thread_id": "1"}})
    assert set(done) == {"said", "verdict"}


async def embedded_graph() -> None:
    """Run the graph of CookMAS as part of the user's program."""
    from cookmas.bridges.studio import graph

    await graph.ainvoke({}, context={"scenario": SCENARIO})


def without_option() -> None:
    """Play in the loop and in the graph, with and without a folder; ask a model outside a run."""
    cookmas.play(SCENARIO)
    print([each for each in ("langsmith", "langgraph", "langchain_core") if each in sys.modules])
    cookmas.play(SCENARIO, ChattingPlanner())
    with TemporaryDirectory() as folder:
        cookmas.play(SCENARIO, folder=Path(folder, "run"))
    asyncio.run(ask())


def with_option() -> None:
    """Play what needs the graph and what does not."""
    cookmas.play(SCENARIO, ChattingPlanner(), langsmith=True)
    cookmas.play(NEEDS_NO_GRAPH, langsmith=True)


WAYS: Mapping[str, Callable[[], Any]] = {
    "without": without_option,
    "with": with_option,
    "in a node without": lambda: asyncio.run(in_own_node(langsmith=False)),
    "in a node with": lambda: asyncio.run(in_own_node(langsmith=True)),
    "embedded": lambda: asyncio.run(embedded_graph()),
}


if __name__ == "__main__":
    WAYS[sys.argv[1]]()
