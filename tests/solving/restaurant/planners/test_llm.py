"""The LLM planner: what each option does, and what becomes of answers that are no good."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cookmas.episodes.conversation import ToolCall
from cookmas.episodes.trace import Lookup, ModelCall, PlanRecord
from cookmas.episodes.world import Outcome, Trigger
from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.planner import PlanningStoppedError
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.runs.folder import RunFile, RunFolder, create_run
from cookmas.orchestrator.runs.opening import open_run
from cookmas.scenarios.scenario import load_scenario
from cookmas.worlds.restaurant.voice import VOICE
from tests.solving.restaurant.planners.asked import (
    BARE,
    WAIT,
    ask,
    asking,
    play,
    read,
    seen,
)

pytestmark = pytest.mark.usefixtures("searched_once", "least_effort")


@pytest.mark.parametrize("preset", [n for n, ways in PRESETS.items() if not ways.per_step])
def test_perfect_answers_serve_everything(preset: str, models: Any) -> None:
    model = models.Scripted()
    trace, verdict = play(asking(model, PRESETS[preset]), "level3/05")
    assert verdict.success, verdict.why
    plans = list(trace.of(PlanRecord))
    assert len(model.requests) == len(plans) == len(list(trace.of(ModelCall)))


@pytest.mark.parametrize("preset", [n for n, ways in PRESETS.items() if ways.per_step])
def test_a_per_step_planner_is_called_at_every_timestep(preset: str, models: Any) -> None:
    trace, verdict = play(asking(models.Scripted(), PRESETS[preset]), "level1/01")
    assert verdict.success, verdict.why
    plans = list(trace.of(PlanRecord))
    assert [plan.timestep for plan in plans] == list(range(len(plans)))
    assert {len(plan.schedule) for plan in plans} == {1}


@pytest.mark.parametrize(
    ("ways", "expected"),
    [
        (BARE, "pure"),
        (replace(BARE, look_ahead=1), "assisted"),
        (replace(BARE, legal_actions=True), "assisted"),
        (replace(BARE, per_step=True, look_ahead=1), "per-step"),
    ],
)
def test_the_class_says_what_helped(ways: Prompting, expected: str, models: Any) -> None:
    assert asking(models.Scripted(), ways).planner_class == expected


@pytest.mark.parametrize(
    ("ways", "marks"),
    [
        ({"chain_of_thought": True}, ["Think briefly before you write", '"reasoning"']),
        ({"chain_of_thought": True, "form": "rows"}, ["a row of its own", '"think"']),
        (
            {"chain_of_thought": True, "per_step": True},
            ["Think briefly before you act", '"reasoning"'],
        ),
        ({"per_step": True}, ["exactly one row", '"task": "step"']),
        ({"hints": True}, ["# Hints"]),
        ({"demonstration": "full"}, ["### DEMONSTRATION", "serve(demo.1)"]),
        ({"demonstration": "two_steps"}, ["### DEMONSTRATION", "For the first two timesteps"]),
        (
            {"legal_actions": True},
            ["### LEGAL", "navigate(plating_3)", "Choose one of\n  these"],
        ),
        ({"lessons": True}, ['"lesson"', "write in `lesson`"]),
        ({"recipes": "tool"}, ["Call the tool `look_up_recipe`"]),
    ],
)
def test_an_option_adds_its_part_and_nothing_else(
    ways: dict[str, Any], marks: list[str], models: Any
) -> None:
    observation = models.observe("level2/06")

    def prompt(chosen: Prompting) -> str:
        model = models.Scripted([InfrastructureError])
        with pytest.raises(PlanningStoppedError):
            ask(_Down(model), observation, chosen)
        return "\n".join(m.content for m in model.requests[0].messages)

    with_it, without = prompt(replace(BARE, **ways)), prompt(BARE)
    for mark in marks:
        assert mark in with_it
        assert mark not in without
    other = set(without.splitlines()) - set(with_it.splitlines())
    assert len(other) < 40, other


class _Down:
    """A model that hears, and whose endpoint is down."""

    name = "down"

    def __init__(self, model: Any) -> None:
        self._model = model

    async def answer(self, request: Any) -> Any:
        self._model.requests.append(request)
        raise InfrastructureError("down")


def test_the_demonstration_may_be_of_another_number_of_workers(models: Any) -> None:
    model = models.Scripted()
    ways = replace(BARE, demonstration="full", demonstration_workers=1)
    ask(model, seen(), ways)
    system = model.requests[0].messages[0].content
    assert "one worker made a dish" in system
    assert '"workers": ["worker_1"],' in system


def failed(**more: Any) -> Any:
    return seen(
        timestep=0,
        triggers=(Trigger(kind="failure", cause="worker_2, navigate(moon): There is no moon."),),
        fails={"worker_2": ("navigate(moon)", Outcome("unknown_station", "There is no moon."))},
        **more,
    )


@pytest.mark.parametrize("feedback", [True, False])
def test_feedback_can_be_left_out(feedback: bool, models: Any) -> None:
    model = models.Scripted()
    ways = replace(BARE, feedback=feedback, memory=2, lessons=True)
    first = ask(model, seen(), ways)
    ask(model, replace(failed(), timestep=1, memory=first.memory), ways)
    system, told = (message.content for message in model.requests[-1].messages)
    assert "### MEMORY" in told
    assert ("moon" in told, '"fails"' in told, "`fails`" in system) == (feedback,) * 3


def test_what_cannot_be_used_is_sent_back_and_recorded(models: Any) -> None:
    model = models.Scripted(
        ["no", models.schedule_of(["fly(moon)"]), models.answer(refusal="I would rather not.")]
    )
    plan = ask(model, seen(), retries=3)
    assert plan.schedule
    assert [call.purpose for call in plan.calls] == ["plan", "repair", "repair", "repair"]
    assert plan.calls[2].refusal == "I would rather not."
    last = model.requests[-1].messages
    assert [m.role for m in last] == ["system", "user"] + ["assistant", "user"] * 3
    assert "There is no JSON object in it." in last[3].content
    assert "is no action" in last[5].content
    assert read(last[7]).call["repair"] == 3


@pytest.mark.parametrize(
    ("retries", "text", "advice"),
    [
        (0, "{", "The limit of tokens cut it off: --max-tokens sets it."),
        (2, "", "The limit of tokens cut it off, after thoughts alone: --max-tokens sets it."),
    ],
)
def test_it_gives_up_after_so_many(retries: int, text: str, advice: str, models: Any) -> None:
    model = models.Scripted([models.answer(text, finish_reason="length")] * 9)
    trace, verdict = play(asking(model, retries=retries), "level1/01")
    assert trace.end.termination == "gave_up"
    assert "truncated" in trace.end.why
    assert trace.end.why.endswith(advice)
    assert not any("--max-tokens" in m.content for r in model.requests for m in r.messages)
    assert len(model.requests) == len(list(trace.of(ModelCall))) == retries + 1
    assert verdict.success is False


def test_a_prompt_too_long_for_the_model_is_not_sent_again(models: Any) -> None:
    model = models.Scripted([models.answer(finish_reason="context_length")])
    plan = ask(model, seen())
    assert "too_long" in plan.gave_up
    assert len(model.requests) == 1


def test_an_empty_schedule_is_no_answer(models: Any) -> None:
    model = models.Scripted([models.schedule_of()])
    assert ask(model, seen()).schedule
    assert "The schedule is empty: write" in model.requests[1].messages[-1].content


def test_look_ahead_tells_what_would_fail_and_takes_the_repair(models: Any) -> None:
    model = models.Scripted([models.schedule_of(WAIT, ["navigate(moon)", "pick(egg)", "wait"])])
    plan = ask(model, seen(), look_ahead=2)
    assert [call.purpose for call in plan.calls] == ["plan", "repair"]
    told = read(model.requests[1].messages[-1]).call
    assert told["repair"] == 1
    assert [(v["timestep"], v["worker"], v["reason"]) for v in told["violations"]] == [
        (1, "worker_1", "unknown_station"),
        (1, "worker_2", "wrong_station"),
    ]
    assert "navigate(moon)" not in str(plan.schedule)


def test_of_bad_answers_the_one_that_goes_well_for_longest_is_taken(models: Any) -> None:
    bad = ["place", "wait", "wait"]
    model = models.Scripted(
        [
            models.schedule_of(WAIT, bad),
            models.schedule_of(WAIT, WAIT, WAIT, bad),
            models.schedule_of(bad),
        ]
    )
    plan = ask(model, seen(), look_ahead=2)
    assert len(plan.schedule) == 4
    assert len(model.requests) == 3


def test_a_repair_that_cannot_be_read_leaves_the_schedule(models: Any) -> None:
    model = models.Scripted([models.schedule_of(["place", "wait", "wait"]), "no", "no", "no"])
    plan = ask(model, seen(), look_ahead=1)
    assert plan.gave_up is None
    assert plan.schedule[0]["worker_1"] == "place"


def test_lessons_are_kept_and_told(models: Any) -> None:
    ways = replace(BARE, lessons=True, look_ahead=1)
    model = models.Scripted(
        [
            models.schedule_of(["discard", "wait", "wait"]),
            models.schedule_of(WAIT, lesson="Look before you leap."),
        ]
    )
    first = ask(model, failed(), ways)
    assert "There is no moon." in model.requests[0].messages[1].content
    later = seen(timestep=1, memory=first.memory)
    ask(model, later, ways)
    told = read(model.requests[-1].messages[1]).data["LESSONS"]
    assert [lesson.get("lesson") or lesson["action"] for lesson in told] == [
        "navigate(moon)",
        "discard",
        "Look before you leap.",
    ]


def test_the_lesson_of_a_repair_that_is_not_taken_is_kept(models: Any) -> None:
    bad = ["discard", "wait", "wait"]
    model = models.Scripted(
        [models.schedule_of(WAIT, bad), models.schedule_of(bad, lesson="Worse than before.")]
    )
    ways = replace(BARE, lessons=True, look_ahead=1)
    plan = ask(model, seen(), ways)
    assert len(plan.schedule) == 2
    assert plan.memory["lessons"][-1]["lesson"] == "Worse than before."


def test_the_last_decisions_are_remembered_as_they_were_carried_out(models: Any) -> None:
    ways = replace(BARE, memory=2)
    memory: Any = {}
    for timestep in (0, 2, 3):
        model = models.Scripted([models.schedule_of(*[WAIT] * 9)])
        observation = seen(timestep=timestep, memory=memory)
        memory = ask(model, observation, ways).memory
    model = models.Scripted()
    ask(model, seen(timestep=7, memory=memory), ways)
    told = read(model.requests[0].messages[1]).data["MEMORY"]
    assert [(d["timestep"], len(d["actions"])) for d in told] == [(2, 1), (3, 4)]
    assert set(told[0]["state"]) == {"workers"}


def test_what_was_thought_is_remembered_with_the_decision(models: Any) -> None:
    model = models.Scripted()
    first = ask(model, seen(), PRESETS["react"])
    ask(model, seen(timestep=1, memory=first.memory), PRESETS["react"])
    (decision,) = read(model.requests[-1].messages[1]).data["MEMORY"]
    assert decision["reasoning"] == first.reasoning != ""
    assert decision["actions"] == first.schedule


def test_the_model_looks_recipes_up_itself(models: Any) -> None:
    trace, verdict = play(asking(models.Scripted(), recipes="tool"), "level2/06")
    assert verdict.success
    calls = list(trace.of(ModelCall))
    assert [call.purpose for call in calls] == ["plan", "lookup"]
    asked = [tool.arguments for tool in calls[0].tool_calls]
    assert [lookup.key for lookup in trace.of(Lookup)] == [a.split('"')[3] for a in asked]
    assert "RECIPES" not in calls[0].messages[1].content


def test_a_wrong_look_up_is_answered_and_endless_ones_end(models: Any) -> None:
    def wish(name: str, arguments: str) -> Any:
        call = ToolCall(id="c", name=name, arguments=arguments)
        return models.answer(tool_calls=(call,), finish_reason="tool_calls")

    wishes = [
        wish("look_up_recipe", '{"item": "Moon Cake"}'),
        wish("look_up_recipe", "Moon Cake"),
        wish("order_pizza", "{}"),
    ]
    model = models.Scripted([*wishes, *wishes, *wishes])
    plan = ask(model, seen(), recipes="tool")
    assert "looked things up 8 times" in plan.gave_up
    told = [m.content for m in model.requests[3].messages if m.role == "tool"]
    assert ["no recipe of that name" in told[0], "should be" in told[1], "no such" in told[2]] == [
        True
    ] * 3


def test_an_endpoint_that_is_down_ends_the_episode_unscored(models: Any) -> None:
    trace, verdict = play(asking(_Down(models.Scripted())), "level1/01")
    assert trace.end.termination == "infrastructure_error"
    assert verdict.success is None


@pytest.mark.parametrize("stop", ["plan", "step"])
async def test_a_resumed_run_gives_the_same_trace(stop: str, models: Any, tmp_path: Path) -> None:
    ways = replace(BARE, memory=2, lessons=True, look_ahead=1)
    scenario = load_scenario("level3/05")

    bad = models.schedule_of(["place", "wait", "wait"], lesson="Never again.")

    class Clumsy:
        """Wrong at first, right when told."""

        name = "clumsy"

        async def answer(self, request: Any) -> Any:
            first = len(request.messages) == 2
            return await models.Scripted([bad] if first else []).answer(request)

    file = RunFile(
        created_by="tests",
        world="restaurant",
        scenario=scenario.name,
        scenario_digest=scenario.digest,
        planner="llm",
        horizon=300,
    )
    traces = []
    for name in ("whole", "killed"):
        folder = tmp_path / name
        create_run(folder, file)
        if name == "killed":
            async with open_run(RunFolder(folder), scenario, asking(Clumsy(), ways)) as episode:
                seen = 0
                async for record in episode.stream():
                    seen += record.kind == stop
                    if seen == 3:
                        break
        async with open_run(RunFolder(folder), scenario, asking(Clumsy(), ways)) as episode:
            await episode.run()
        traces.append((folder / "trace.jsonl").read_bytes())
    assert traces[0] == traces[1]
    assert b"### LESSONS" in traces[0]
    assert b"### MEMORY" in traces[0]
    assert rb"### UNDERWAY\n```json\n{\n\"reasoning\": \"thought\"" in traces[0]


def test_edited_prompts_are_used(models: Any, tmp_path: Path) -> None:
    (tmp_path / "task_schedule.md").write_text("Now, at {{timestep}}, be quick!\n")
    model = models.Scripted()
    templates = Templates(VOICE.prompts, tmp_path)
    planner = SchedulingPlanner(model, BARE, templates=templates, voice=VOICE)
    asyncio.run(planner.plan(seen()))
    assert model.requests[0].messages[1].content.endswith("Now, at 0, be quick!")


def test_an_endless_action_is_not_sent_back_whole(models: Any) -> None:
    model = models.Scripted([models.schedule_of(["a" * 200_000, "wait", "wait"])])
    assert ask(model, seen()).schedule
    said = model.requests[1].messages
    assert len(said[-1].content) < 3000
    assert len(said[-2].content) == 8000
