"""The hybrid planner: the model reads, each line once; the scheduler does the rest."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from cookmas.episodes.trace import ModelCall, PlanRecord
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.scenarios.scenario import scenario_names
from cookmas.solving.restaurant.asking import HybridPlanner
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from tests.sampling import CONFORMANCE
from tests.solving.restaurant.planners.asked import play

SCENARIOS = scenario_names()[::10] if CONFORMANCE else ["level1/01", "level3/05"]

pytestmark = pytest.mark.usefixtures("searched_once")


@pytest.mark.parametrize("name", SCENARIOS)
def test_perfect_readings_give_the_embedded_planners_schedules(name: str, models: Any) -> None:
    trace, _ = play(HybridPlanner(models.Scripted()), name)
    embedded, _ = play(EmbeddedPlanner(), name)
    assert [(p.schedule, p.search) for p in trace.of(PlanRecord)] == [
        (p.schedule, p.search) for p in embedded.of(PlanRecord)
    ]
    assert all(p.search and p.search.bound for p in trace.of(PlanRecord))
    assert trace.header.planner_class == "hybrid"


def test_a_line_is_read_once_and_again_when_its_words_change(models: Any) -> None:
    model = models.Scripted()
    trace, verdict = play(HybridPlanner(model), "level3/07")
    assert verdict.success
    asked = [json.loads(_block(request, "ORDERS")) for request in model.requests]
    assert [[entry["line"] for entry in orders] for orders in asked] == [
        ["o1.1", "o1.2"],
        ["o2.1"],
        ["o1.2"],
        ["o1.3"],
    ]
    assert {call.purpose for call in trace.of(ModelCall)} == {"read"}
    assert len({request.messages[0] for request in model.requests}) == 1, "a reusable prefix"
    names = {tuple(parse_blocks(request.messages[1].content)) for request in model.requests}
    assert names == {("KITCHEN", "RECIPES", "ORDERS", "CALL")}


def _block(request: Any, name: str) -> str:
    text: str = request.messages[1].content
    return text.split(f"### {name}\n```json\n")[1].split("\n```")[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ({}, "lines: o1.1 is missing"),
        ({"o1.1": []}, "no component was understood"),
        ({"o1.1": ["moon > slice 1"]}, "moon is in no dispenser"),
        ({"o1.1": ["tomato > fly 2"]}, "fly"),
        ({"o1.1": ["tomato > slice"]}, "needs minutes"),
        ({"o1.1": ["(tomato"]}, "expected"),
    ],
)
def test_a_reading_that_cannot_be_is_sent_back(
    lines: dict[str, list[str]], expected: str, models: Any
) -> None:
    model = models.Scripted([json.dumps({"lines": lines})])
    plan = asyncio.run(HybridPlanner(model).plan(models.observe("level1/01")))
    assert plan.gave_up is None
    assert expected in model.requests[1].messages[-1].content


def test_it_gives_up_where_nothing_can_be_read(models: Any) -> None:
    trace, _ = play(HybridPlanner(models.Scripted(["?"] * 3)), "level1/01")
    assert trace.end.termination == "gave_up"


def test_the_model_may_look_the_recipes_up(models: Any) -> None:
    planner = HybridPlanner(models.Scripted(), Prompting(recipes="tool"))
    _, verdict = play(planner, "level2/06")
    assert verdict.success
