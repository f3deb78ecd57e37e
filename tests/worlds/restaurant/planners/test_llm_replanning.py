"""The LLM planner on a replan: what is under way is shown and kept, and all mistakes are told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from cookmas import judge
from episodes.trace import ModelCall, PlanRecord
from episodes.world import Command, Trigger
from orchestrator.dialogue.prompting import Prompting
from orchestrator.episode import episode_of
from scenarios.scenario import load_scenario
from scenarios.truth.truth import load_truth
from worlds.restaurant.planners.llm import LLMPlanner
from worlds.restaurant.prompts.loading import load_conversation

pytestmark = pytest.mark.usefixtures("searched_once")

BARE = Prompting()
WAIT = ["wait", "wait", "wait"]


def _plan(planner: LLMPlanner, observation: Any) -> Any:
    return asyncio.run(planner.plan(observation))


def _play(planner: LLMPlanner, name: str) -> Any:
    scenario = load_scenario(name)
    trace = asyncio.run(episode_of(scenario, planner, horizon=400).run())
    return trace, judge(trace, load_truth(scenario))


def _under_way(models: Any, *entries: list[str], **more: Any) -> Any:
    left = [[Command(f"worker_{n}", a) for n, a in enumerate(entry, 1)] for entry in entries]
    return models.observe("level1/01", underway=left, **more)


def test_the_schedule_under_way_is_shown_and_can_be_kept(models: Any) -> None:
    observation = _under_way(models, ["navigate(fridge)", "wait", "wait"], WAIT, WAIT)
    model = models.Scripted(
        ['{"keep_until": 2, "schedule": [{"t": 1, "worker_2": "navigate(pantry)"}, {"t": 2}]}']
    )
    plan = _plan(LLMPlanner(model, BARE), observation)
    told = load_conversation(m.model_dump() for m in model.requests[0].messages).data
    assert told["SCHEDULE"] == [{"t": 0, "worker_1": "navigate(fridge)"}, {"t": 1}, {"t": 2}]
    assert "keep_until" in model.requests[0].schema.schema["required"]
    assert [dict(entry) for entry in plan.schedule] == [
        {"worker_1": "navigate(fridge)", "worker_2": "wait", "worker_3": "wait"},
        {"worker_1": "wait", "worker_2": "navigate(pantry)", "worker_3": "wait"},
        {},
    ]


def test_what_is_under_way_is_not_checkpointed_again(models: Any) -> None:
    observation = _under_way(models, *[WAIT] * 50)
    plan = _plan(LLMPlanner(models.Scripted(), BARE), observation)
    assert plan.memory == {}


@pytest.mark.parametrize("per_step", [True, False])
def test_where_nothing_is_under_way_nothing_can_be_kept(per_step: bool, models: Any) -> None:
    model = models.Scripted()
    observation = _under_way(models, *[WAIT] * per_step)
    _plan(LLMPlanner(model, replace(BARE, per_step=per_step)), observation)
    told = "\n".join(m.content for m in model.requests[0].messages)
    assert "SCHEDULE" not in told
    assert "keep_until" not in told + str(model.requests[0].schema)


def test_a_kept_schedule_is_looked_ahead_too(models: Any) -> None:
    model = models.Scripted(['{"keep_until": 1, "schedule": []}'])
    observation = _under_way(models, ["discard", "wait", "wait"])
    plan = _plan(LLMPlanner(model, replace(BARE, look_ahead=1)), observation)
    assert [call.purpose for call in plan.calls] == ["plan", "repair"]
    assert "violations" in model.requests[1].messages[-1].content
    assert plan.schedule[0]["worker_1"] != "discard"


def test_an_episode_shows_what_is_left_of_the_schedule(models: Any) -> None:
    trace, verdict = _play(LLMPlanner(models.Scripted(), BARE), "level3/07")
    assert verdict.success
    plans = list(trace.of(PlanRecord))
    for before, plan, call in zip(plans, plans[1:], list(trace.of(ModelCall))[1:], strict=False):
        told = load_conversation(m.model_dump() for m in call.messages).data["SCHEDULE"]
        left = before.schedule[plan.timestep - before.timestep :]
        assert [row["t"] for row in told] == [plan.timestep + n for n in range(len(left))]
        assert [{w: a for w, a in row.items() if w != "t"} for row in told] == [
            {worker: action for worker, action in entry if action != "wait"} for entry in left
        ]
    assert len(plans) > 1


def test_all_problems_of_an_answer_are_told_at_once_and_counted(models: Any) -> None:
    bad = models.schedule_of(
        {"t": 0, "worker_1": "serve o1.1", "worker_2": "wait(3)"},
        {"t": 2, "worker_9": "wait", "worker_3": "fly"},
    )
    model = models.Scripted([bad])
    plan = _plan(LLMPlanner(model, BARE), models.observe("level1/01"))
    told = load_conversation([model.requests[1].messages[-1].model_dump()]).call
    assert len(told["problems"]) == 5
    said = " ".join(told["problems"])
    for mark in (
        "t 2: the next row",
        "serve(order line)",
        "wait is written wait",
        "worker_9",
        "fly",
    ):
        assert mark in said
    assert "triggers" not in told
    assert [call.unusable for call in plan.calls] == ["outside_schema", None]


def test_an_argument_too_many_does_not_void_the_rest(models: Any) -> None:
    model = models.Scripted(
        [models.schedule_of(["place(bread)", "chop(red onion)", "start(pan_1)"])]
    )
    plan = _plan(LLMPlanner(model, BARE), models.observe("level1/01"))
    assert plan.schedule == [{"worker_1": "place", "worker_2": "chop", "worker_3": "start"}]
    assert len(model.requests) == 1


def test_who_is_asked_at_every_timestep_is_not_told_that_its_schedule_is_over(models: Any) -> None:
    over = Trigger(kind="exhausted", cause="the schedule has run out")
    for ways, kinds in ((BARE, ["exhausted"]), (replace(BARE, per_step=True), ["timestep"])):
        model = models.Scripted()
        _plan(LLMPlanner(model, ways), models.observe("level1/01", timestep=1, triggers=(over,)))
        call = load_conversation(m.model_dump() for m in model.requests[0].messages).call
        assert [trigger["kind"] for trigger in call["triggers"]] == kinds


def test_the_verdict_counts_repairs_and_what_could_not_be_used(models: Any) -> None:
    model = models.Scripted(["no", models.schedule_of(["place", "wait", "wait"])])
    _, verdict = _play(LLMPlanner(model, replace(BARE, look_ahead=1)), "level1/01")
    assert (verdict.summary["repairs"], verdict.summary["unusable_answers"]) == (2, 1)
    (check,) = verdict.of("unusable_answers")
    assert check.evidence == "unreadable 1"
