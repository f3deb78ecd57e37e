"""Planners by name, by class and by file; what is none is said in one line."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import cookmas
from cookmas import load_planner
from cookmas.files.errors import CookMASError
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.scenarios.scenario import load_scenario
from cookmas.worlds.restaurant.domain import DOMAIN

SCENARIO = load_scenario("level1/01")


class Good:
    name = "good"
    planner_class = "pure"

    async def plan(self, observation: Any) -> None: ...


class Silent:
    name = "silent"
    planner_class = "pure"


class Odd(Good):
    planner_class = "magic"


class Nameless:
    planner_class = "pure"

    async def plan(self, observation: Any) -> None: ...


class Lazy(Team):
    def __init__(self, workers: tuple[str, ...]) -> None:
        members: Any = {worker: object() for worker in workers}
        super().__init__(name="lazy", planner_class="pure", members=members)


class Empty(Team):
    def __init__(self) -> None:
        super().__init__(name="empty", planner_class="pure", members={})


class Needy(Good):
    def __init__(self, key: str) -> None: ...


@pytest.fixture(autouse=True)
def own_module(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("own_planners")
    for planner in (Good, Silent, Odd, Nameless, Lazy, Empty, Needy):
        setattr(module, planner.__name__, planner)
    monkeypatch.setitem(sys.modules, "own_planners", module)


@pytest.mark.parametrize("name", DOMAIN.planners)
def test_every_named_planner_is_there(name: str) -> None:
    calls_a_model = name in ("llm", "hybrid")
    options = ModelOptions(model="m", base_url="http://127.0.0.1:9/v1") if calls_a_model else None
    named = f"{name} (m)" if calls_a_model else name
    assert load_planner(name, SCENARIO, options).name == named


def test_a_class_of_ones_own_is_taken() -> None:
    assert load_planner("own_planners:Good", SCENARIO).name == "good"


def test_a_schedule_file_makes_a_fixed_planner(tmp_path: Path) -> None:
    path = tmp_path / "schedule.yaml"
    path.write_text("- {worker_1: wait}\n")
    assert load_planner(str(path), SCENARIO).planner_class == "fixed"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (
            "best",
            "expected embedded, embedded-strict, optimal, naive, random, llm, hybrid, "
            "first-come, shortest-first, most-work, most-urgent, "
            "package.module:Class or a schedule",
        ),
        ("own_planners:", "expected embedded"),
        ("no_such_module:Planner", "cannot be imported"),
        (".relative:Planner", "expected embedded"),
        ("own_planners:Missing", "module own_planners has no Missing"),
        ("own_planners:Silent", "it has no method plan"),
        ("own_planners:Nameless", "it has no name"),
        ("own_planners:Odd", "expected a planner_class out of"),
        ("own_planners:Lazy", "worker_1 has no method turn"),
        ("own_planners:Empty", "expected members for worker_1, worker_2, worker_3"),
        ("own_planners:Needy", "cannot be made without arguments"),
        ("missing.yaml", "there is no such file"),
    ],
)
def test_what_is_no_planner_is_said_in_one_line(spec: str, expected: str) -> None:
    with pytest.raises(CookMASError) as caught:
        load_planner(spec, SCENARIO)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rate", ["1.1", "2", "-0.1", "", "often", "0.3.1", "nan"])
def test_a_rate_is_a_number_from_0_to_1(rate: str) -> None:
    scenario = cookmas.load_scenario("overcooked/cramped_room")
    assert load_planner("lazy@0.25", scenario).name == "lazy@0.25"
    with pytest.raises(CookMASError, match=f"'{rate}' is no rate: expected a number from 0 to 1"):
        load_planner(f"lazy@{rate}", scenario)
