"""The example that embeds the graph in an app: with other checkpointers, streamed, and approved."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command

import cookmas
from cookmas.episodes.trace import PlanRecord
from cookmas.orchestrator.planner import Observation, Plan
from examples.langgraph_app import Evening, build, serve
from tests.warm import ROOT

EVENING = Evening("level1/01", "one")


class Counted:
    """The embedded planner; it counts its calls, as those of a model would be paid."""

    name = "counted"
    planner_class: Any = "embedded"

    def __init__(self, scenario: Any) -> None:
        self._inner: Any = cookmas.load_planner("embedded", scenario)
        self.calls = 0

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.calls += 1
        plan: Plan = await self._inner.plan(observation)
        return plan


class Kitchen:
    """The app and its planner."""

    def __init__(self, saver: Any) -> None:
        self.planner = Counted(cookmas.load_scenario(EVENING.scenario))
        self.app = build(saver, lambda _: self.planner)


@asynccontextmanager
async def other_checkpointer(kind: str, path: Path) -> AsyncIterator[Any]:
    if kind == "memory":
        yield InMemorySaver()
    else:
        async with AsyncSqliteSaver.from_conn_string(str(path / "app.sqlite")) as saver:
            yield saver


def approve(proposal: Any) -> Any:
    return {"approved": True}


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_the_streamed_records_are_those_of_an_episode_of_its_own(
    kind: str, tmp_path: Path
) -> None:
    async with other_checkpointer(kind, tmp_path) as saver:
        kitchen = Kitchen(saver)
        records = [
            each async for each in serve(kitchen.app, EVENING, {"request": " dinner "}, approve)
        ]
        config: Any = {"configurable": {"thread_id": EVENING.conversation}}
        state = await kitchen.app.aget_state(config)
    trace = (await cookmas.aplay(EVENING.scenario)).trace
    assert records == [
        each.model_dump(mode="json", exclude_none=True) for each in trace.records[1:]
    ]
    assert kitchen.planner.calls == len([*trace.of(PlanRecord)]) > 0
    assert state.values["answer"] == f"dinner: finished at timestep {records[-1]['timestep']}"


async def test_a_person_sees_the_plan_and_can_change_it() -> None:
    kitchen = Kitchen(InMemorySaver())
    seen: list[Any] = []

    def shorten(proposal: Any) -> Any:
        seen.append(proposal)
        return {"approved": True, "schedule": proposal["schedule"][:3]}

    plans = []
    async for record in serve(kitchen.app, EVENING, {"request": ""}, shorten):
        plans += [record] if record["kind"] == "plan" else []
        if len(plans) == 2:
            break
    assert [len(each["schedule"]) for each in plans] == [3, 3]
    proposed = [[list(each) for each in entry.items()] for entry in seen[0]["schedule"]]
    assert proposed[:3] == plans[0]["schedule"]
    assert seen[0]["triggers"] == ["new_order"]


async def test_a_plan_that_is_not_approved_has_no_effect() -> None:
    kitchen = Kitchen(InMemorySaver())
    refused: list[int] = []

    def refuse_once(proposal: Any) -> Any:
        refused.append(proposal["timestep"])
        return {"approved": len(refused) > 1}

    records = [each async for each in serve(kitchen.app, EVENING, {"request": ""}, refuse_once)]
    first, second = [each for each in records if each["kind"] == "plan"][:2]
    assert (first["schedule"], first["reasoning"]) == (
        [],
        "not approved; what was planned before goes on",
    )
    assert second["schedule"]


NOT_TRUE: list[Any] = ["no", "false", "rejected", "true", "yes", 1, 0, None, []]

NO_DECISIONS: list[Any] = [
    *("no", "yes", "approved", "true", True, False, None, 1, 0, ["approved"], {}),
    *[{"approved": each} for each in NOT_TRUE],
    {"aproved": True},
    {"approved": True, "shedule": []},
    {"approved": True, "schedule": "navigate(fridge)"},
    {"approved": True, "schedule": [7]},
    {"approved": False, "schedule": []},
]


async def test_what_is_no_decision_asks_again_and_says_why() -> None:
    """The one question takes all of them in turn, and then a decision."""
    kitchen = Kitchen(InMemorySaver())
    config: Any = {
        "configurable": {"thread_id": EVENING.conversation},
        "recursion_limit": 1000,
    }
    stopped = await kitchen.app.ainvoke({"request": ""}, config, context=EVENING)
    (asked,) = stopped["__interrupt__"]
    proposed, told = asked.value, []
    for given in NO_DECISIONS:
        stopped = await kitchen.app.ainvoke(
            Command(resume={asked.id: given}), config, context=EVENING
        )
        (asked,) = stopped["__interrupt__"]
        told.append(asked.value.pop("refused"))
        assert asked.value == proposed, given
    assert all(line.startswith("answer") and "\n" not in line for line in told)
    assert told[NO_DECISIONS.index({"aproved": True})].endswith(
        "aproved: there is no such field; is it 'approved'?"
    )
    assert told[0] == """answer: expected {"approved": true} or {"approved": false}, not 'no'"""
    assert kitchen.planner.calls == 1
    stopped = await kitchen.app.ainvoke(
        Command(resume={asked.id: {"approved": False}}), config, context=EVENING
    )
    (second,) = stopped["__interrupt__"]
    assert "refused" not in second.value
    assert kitchen.planner.calls == 2


async def test_each_request_on_a_thread_is_cooked(tmp_path: Path) -> None:
    """Another scenario, the same one again, and one while the plan before it waits."""
    app = build(InMemorySaver(), lambda scenario: cookmas.load_planner("embedded", scenario))
    config: Any = {"configurable": {"thread_id": "one"}, "recursion_limit": 1000}

    async def cook(scenario: str, request: str) -> str:
        evening = Evening(scenario, "one")
        done = await app.ainvoke({"request": request}, config, context=evening)
        while asked := done.get("__interrupt__"):
            given: Any = Command(resume={each.id: approve(each.value) for each in asked})
            done = await app.ainvoke(given, config, context=evening)
        answer: str = done["answer"]
        return answer

    wanted = ["level1/01", "level1/05", "level1/05", "level1/01"]
    said = [await cook(scenario, str(number)) for number, scenario in enumerate(wanted)]
    assert said == [f"{n}: finished at timestep {t}" for n, t in enumerate([14, 19, 19, 14])]
    await app.ainvoke({"request": "left"}, config, context=Evening("level1/03", "one"))
    assert await cook("level1/05", "last") == "last: finished at timestep 19"


async def test_another_process_approves_without_asking_the_planner_again(tmp_path: Path) -> None:
    config: Any = {
        "configurable": {"thread_id": EVENING.conversation},
        "recursion_limit": 1000,
    }
    async with other_checkpointer("sqlite", tmp_path) as saver:
        before = Kitchen(saver)
        stopped = await before.app.ainvoke({"request": ""}, config, context=EVENING)
        (asked,) = stopped["__interrupt__"]
    assert before.planner.calls == 1
    async with other_checkpointer("sqlite", tmp_path) as saver:
        after = Kitchen(saver)
        given: Any = Command(resume={asked.id: approve(asked.value)})
        done = await after.app.ainvoke(given, config, context=EVENING)
    assert done["ended"] == "finished"
    assert after.planner.calls == 0


def test_every_example_runs_as_its_docstring_says() -> None:
    examples = sorted((ROOT / "examples").glob("*.py"))
    assert examples
    for example in examples:
        done = subprocess.run(
            [sys.executable, str(example)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert f"python examples/{example.name}" in example.read_text(encoding="utf-8")
        assert done.stdout
