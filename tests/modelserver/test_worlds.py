"""Worlds: each request is answered by the script of the world that it is of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cookmas.orchestrator.dialogue.blocks import block
from tests.loaded import loaded

if TYPE_CHECKING:
    from tests.modelserver.conftest import Wire

HARBOUR = "tests.modelserver.harbour:Harbour"
SEA = {"sea": "north", "timestep": 3}
CHARTS = {"north": "oslo bergen"}
SAILED = [{"boat_1": f"sail {port}", "boat_2": f"sail {port}"} for port in ("oslo", "bergen")]


def asking(task: str, *, harbour: Any = SEA, charts: Any = CHARTS, **call: Any) -> list[Any]:
    """A prompt about the harbour."""
    call = {"task": task, "workers": ["boat_1", "boat_2"], **call}
    given = {"HARBOUR": harbour, **({"CHARTS": charts} if charts else {}), "CALL": call}
    return [{"role": "user", "content": "\n\n".join(block(*one) for one in given.items())}]


@pytest.fixture(scope="module")
def url(wire: Wire) -> str:
    return wire.server("--world", HARBOUR)


async def said(wire: Wire, url: str, messages: list[Any], **more: Any) -> Any:
    return json.loads((await wire.ask(url, messages, **more)).message.content)


async def test_a_world_from_outside_is_answered_for_beside_the_others(wire: Wire, url: str) -> None:
    answer = {"reasoning": "by the chart", "schedule": SAILED}
    assert await said(wire, url, asking("schedule")) == answer
    assert (await said(wire, url, asking("step")))["schedule"] == SAILED[:1]
    assert (await said(wire, url, asking("read")))["lines"] == {"north": ["oslo", "bergen"]}
    right = await wire.right("level1/03")
    assert (await said(wire, url, wire.prompt("level1/03")))["schedule"] == right.schedule


async def test_it_has_its_own_tool_and_texts(wire: Wire, url: str) -> None:
    messages = asking("schedule", charts=None)
    choice = await wire.ask(url, messages)
    missing = "I cannot answer this: block ### CHARTS has no chart for north."
    assert choice.message.content == missing
    tool = {"type": "function", "function": {"name": "look_up_chart"}}
    choice = await wire.ask(url, messages, tools=[tool])
    (call,) = choice.message.tool_calls
    assert call.function.name == "look_up_chart"
    assert json.loads(call.function.arguments) == {"sea": "north"}
    found = {"role": "tool", "content": json.dumps({"sea": "north", "chart": "rome"})}
    answer = await said(wire, url, [*messages, found], tools=[tool])
    assert answer["schedule"] == [{"boat_1": "sail rome", "boat_2": "sail rome"}]
    empty = await wire.ask(url, asking("schedule", charts={"north": ""}))
    assert empty.message.content == "I cannot answer this: the chart is empty."


async def test_faults_are_in_its_notation(wire: Wire) -> None:
    url = wire.server("--world", HARBOUR, "--fault", "illegal=1")
    lost = [dict.fromkeys(entry, "sail nowhere") for entry in SAILED]
    assert (await said(wire, url, asking("schedule")))["schedule"] == lost
    answer = await said(wire, url, asking("turn", agent="boat_1"))
    assert answer["schedule"] == [{"boat_1": "sail nowhere"}] * 2


async def test_what_it_reads_and_hears_is_struck_too(wire: Wire, url: str) -> None:
    struck = wire.server(
        "--world", HARBOUR, "--fault", "wrong_item=1", "--fault", "dropped_customization=1"
    )
    read = await said(wire, struck, asking("read"))
    assert read["lines"] == {"north": ["atlantis", "atlantis"]}
    backwards = asking("schedule", harbour={**SEA, "wish": "backwards"})
    assert (await said(wire, url, backwards))["schedule"] == SAILED[::-1]
    assert (await said(wire, struck, backwards))["schedule"] == SAILED


async def test_a_request_of_no_world_or_of_several_is_answered_by_naming_the_marks(
    wire: Wire, url: str
) -> None:
    (message,) = asking("schedule")
    none = message["content"].replace("### HARBOUR\n", "### SOMETHING\n")
    both = message["content"] + "\n\n" + wire.prompt("level1/03")[0]["content"]
    for content, expected in ((none, "has no block ### "), (both, "has blocks of several worlds")):
        choice = await wire.ask(url, [{**message, "content": content}])
        assert choice.message.content.startswith(f"I cannot answer this: prompt: {expected}")
        assert "### KITCHEN" in choice.message.content
        assert "### HARBOUR" in choice.message.content


async def test_an_agent_in_its_turn_has_its_own_actions(wire: Wire, url: str) -> None:
    answer = await said(wire, url, asking("turn", agent="boat_2"))
    assert answer == {
        "reasoning": "ahoy",
        "say": "boat_2 sails",
        "schedule": [{"boat_2": "sail oslo"}, {"boat_2": "sail bergen"}],
    }
    properties = {"schedule": {"type": "array"}, "say": {"type": "string"}}
    asked = {"name": "turn", "schema": {"type": "object", "properties": properties}}
    shape = {"type": "json_schema", "json_schema": asked}
    answer = await said(wire, url, asking("turn", agent="boat_2"), response_format=shape)
    assert list(answer.items()) == [
        ("schedule", [{"boat_2": "sail oslo"}, {"boat_2": "sail bergen"}]),
        ("say", "boat_2 sails"),
    ]


async def test_the_workers_of_the_restaurant_do_what_the_embedded_planner_has_for_each(
    wire: Wire, url: str
) -> None:
    observation = wire.observed("level2/06")
    right = (await wire.right("level2/06")).schedule
    for agent in observation.world.workers:
        call = {"task": "turn", "agent": agent, "workers": [*observation.world.workers]}
        messages = [*wire.prompt(observation), {"role": "user", "content": block("CALL", call)}]
        answer = await said(wire, url, messages)
        assert answer["say"] == ""
        assert answer["schedule"] == [
            {agent: dict(entry).get(agent, observation.world.idle)} for entry in right
        ]


@pytest.mark.parametrize("call", [{}, {"agent": "boat_3"}, {"agent": 3}, {"workers": 5}])
async def test_a_turn_is_that_of_a_worker(wire: Wire, url: str, call: dict[str, Any]) -> None:
    choice = await wire.ask(url, asking("turn", **call))
    assert choice.message.content.startswith("I cannot answer this: prompt: block ### CALL")


@pytest.mark.parametrize(
    ("world", "expected"),
    [
        ("harbour", "expected restaurant"),
        ("tests.modelserver.harbour:Lagoon", "has no Lagoon"),
        ("tests.modelserver.lagoon:Harbour", "cannot be imported"),
        ("tests.modelserver.harbour:BOATS", "tuple does not inherit from"),
        ("tests.modelserver.harbour:Galley", "### KITCHEN"),
    ],
)
def test_a_world_that_cannot_be_served_is_refused_in_one_line(
    wire: Wire, world: str, expected: str
) -> None:
    assert expected in wire.refused("--port", "0", "--world", world)


def test_no_graph_is_loaded_to_serve_them() -> None:
    loads = "import cookmas.modelserver.serve; from cookmas.world_names import WORLDS"
    scripts = "from cookmas.modelserver.scripts import Scripts; Scripts(WORLDS)"
    assert loaded(f"{loads}; {scripts}", "langgraph", "langchain_core", "lemminflect") == []
