"""What langgraph.json names can be imported and run with nothing but a scenario's name."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph

ROOT = Path(__file__).parents[3]
Graph = CompiledStateGraph[Any, Any, Any, Any]


@pytest.fixture
def graph() -> Graph:
    named = json.loads((ROOT / "langgraph.json").read_text())["graphs"]["cookmas"]
    file, _, variable = named.partition(":")
    spec = importlib.util.spec_from_file_location("studio_graph", ROOT / file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["studio_graph"] = module
    spec.loader.exec_module(module)
    found: Graph = getattr(module, variable)
    return found


@pytest.fixture
def schedule(tmp_path: Path) -> str:
    path = tmp_path / "walk.yaml"
    path.write_text(yaml.safe_dump([{"worker_1": "navigate(fridge)"}] * 5))
    return str(path)


async def test_the_graph_runs_with_a_scenario_and_a_planner(graph: Graph, schedule: str) -> None:
    state = await graph.ainvoke({}, context={"scenario": "level1/01", "planner": schedule})
    assert (state["ended"], state["timestep"]) == ("gave_up", 5)
    assert state["world"]["workers"]["worker_1"][0] == "fridge"


async def test_a_thread_can_be_rewound_and_goes_the_same_way(graph: Graph, schedule: str) -> None:
    graph.checkpointer = InMemorySaver()
    what = {"scenario": "level1/01", "planner": schedule}
    end = await graph.ainvoke({}, {"configurable": {"thread_id": "1"}}, context=what)
    history = [s async for s in graph.aget_state_history({"configurable": {"thread_id": "1"}})]
    middle = next(s for s in history if s.values.get("timestep") == 2)
    assert await graph.ainvoke(None, middle.config, context=what) == end


def test_the_graph_names_what_it_takes(graph: Graph) -> None:
    schema = graph.get_context_jsonschema()
    assert schema
    assert set(schema["properties"]) == {"scenario", "planner", "world"}


async def test_the_graph_plays_a_world_of_a_user(graph: Graph) -> None:
    laboratory = "tests.worlds.laboratory.domain:DOMAIN"
    state = await graph.ainvoke({}, context={"scenario": "monday", "world": laboratory})
    assert state["ended"] == "finished"
    assert {job["status"] for job in state["world"]["jobs"].values()} == {"reported", "cancelled"}
    with pytest.raises(ValueError, match="there is no scenario"):
        await graph.ainvoke({}, context={"scenario": "sunday", "world": laboratory})


async def test_a_thread_plays_what_is_asked_for(graph: Graph) -> None:
    graph.checkpointer = InMemorySaver()
    for scenario, end in (("level1/01", 14), ("level1/05", 19), ("level1/05", 19)):
        done = await graph.ainvoke(
            {}, {"configurable": {"thread_id": "1"}}, context={"scenario": scenario}
        )
        assert (done["ended"], done["timestep"]) == ("finished", end)


@pytest.mark.parametrize(
    ("name", "near"), [("scenari", "scenario"), ("planer", "planner"), ("World", "world")]
)
async def test_a_misspelt_name_is_told_with_the_nearest(graph: Graph, name: str, near: str) -> None:
    with pytest.raises(ValueError, match=f"context, {name}: .* is it '{near}'\\?$"):
        await graph.ainvoke({}, context={name: "level1/05"})
