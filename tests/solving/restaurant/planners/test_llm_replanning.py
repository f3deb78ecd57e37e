"""The LLM planner on a replan: what is under way is shown and kept, and all mistakes are told."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from cookmas.episodes.trace import ModelCall, PlanRecord
from cookmas.episodes.world import Command, Outcome, Trigger
from cookmas.kitchen.foods import PLATE, Food
from cookmas.kitchen.state import Content, WorkerState
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer, write_out
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.memory import Memory
from cookmas.orchestrator.dialogue.prompting import preset
from cookmas.orchestrator.planner import Instruction, commands_of
from tests.solving.restaurant.planners.asked import (
    BARE,
    WAIT,
    ask,
    asking,
    play,
    read,
    read_request,
    seen,
)

pytestmark = pytest.mark.usefixtures("searched_once", "least_effort")


def under_way(*entries: list[str], **more: Any) -> Any:
    left = [[Command(f"worker_{n}", a) for n, a in enumerate(entry, 1)] for entry in entries]
    return seen(underway=left, **more)


def test_the_schedule_under_way_is_shown_and_can_be_kept(models: Any) -> None:
    observation = under_way(["navigate(fridge)", "wait", "wait"], WAIT, WAIT)
    model = models.Scripted(
        ['{"keep_until": 2, "schedule": [{"t": 1, "worker_2": "navigate(pantry)"}, {"t": 2}]}']
    )
    plan = ask(model, observation)
    told = read_request(model.requests[0]).data
    assert told["SCHEDULE"] == {
        "worker_1": [[0, "navigate(fridge)"]],
        "worker_2": [],
        "worker_3": [],
    }
    assert "keep_until" in model.requests[0].schema.schema["required"]
    assert [dict(entry) for entry in plan.schedule] == [
        {"worker_1": "navigate(fridge)", "worker_2": "wait", "worker_3": "wait"},
        {"worker_1": "wait", "worker_2": "navigate(pantry)", "worker_3": "wait"},
        {},
    ]


def test_what_is_under_way_is_not_checkpointed_again(models: Any) -> None:
    observation = under_way(*[WAIT] * 50)
    kept = '{"keep_until": 50, "schedule": []}'
    plan = ask(models.Scripted([kept]), observation)
    assert plan.memory == {}


def test_who_is_asked_at_every_timestep_can_keep_nothing(models: Any) -> None:
    model = models.Scripted()
    ask(model, under_way(WAIT), per_step=True)
    told = "\n".join(m.content for m in model.requests[0].messages)
    assert "SCHEDULE" not in told
    assert "keep_until" not in told + str(model.requests[0].schema)


@pytest.mark.parametrize("form", ["rows", "columns"])
def test_a_replan_has_the_system_message_and_schema_of_the_first_call(
    form: Any, models: Any
) -> None:
    ways = replace(preset("default"), form=form, memory=2, lessons=True)
    first, again = models.Scripted(), models.Scripted()
    ask(first, seen(), ways)
    failed = {"worker_1": ("chop", Outcome("nothing_to_do", "There is nothing to chop."))}
    known = {"meant": "x", "decisions": [{"timestep": 0, "actions": []}]}
    said = (Instruction(1, "Hurry."),)
    observed = under_way(WAIT, fails=failed, memory=known, instructions=said, timestep=1)
    ask(again, observed, ways)
    one, other = first.requests[0], again.requests[0]
    assert one.messages[0] == other.messages[0]
    assert one.schema == other.schema
    names = list(read(other.messages[1]).data)
    assert names[:2] == ["KITCHEN", "RECIPES"]
    assert names[-1] == "CALL"


def test_a_replan_asks_for_what_changes(models: Any) -> None:
    model = models.Scripted()
    ask(model, under_way(WAIT, WAIT))
    *_, last = model.requests[0].messages[1].content.split("\n\n")
    assert last.startswith("It is timestep 0. Say what changes from this timestep on.")
    nothing = ScheduleAnswer.model_validate_json(f"{{{last.split('`')[1]}}}")
    assert nothing.keep_until == {"worker_1": 2, "worker_2": 2, "worker_3": 2}
    assert nothing.rows == []


@pytest.mark.parametrize("form", ["rows", "columns"])
def test_prompt_and_schema_agree_about_workers_without_an_action(form: Any, models: Any) -> None:
    """What the prompt calls nothing, or unchanged, is what the schema lets a model write."""
    model = models.Scripted()
    entry = ["navigate(fridge)", "navigate(pantry)", "wait"]
    observation = under_way(entry, entry)
    plan = ask(model, observation, form=form)
    schema = model.requests[0].schema.schema
    told = " ".join(model.requests[0].messages[0].content.split())
    rule = "Every worker that is left out or null there keeps its action, so write `wait`"
    assert rule in told
    shown: Any
    if form == "rows":
        nobody = dict.fromkeys(observation.world.workers)
        assert "Every worker that is left out or null does nothing" in told
        shown = [{**nobody, "t": 1, "worker_2": "wait"}, {**nobody, "t": 3, "worker_1": "wait"}]
        keys = schema["properties"]["schedule"]["items"]["required"]
        assert set(keys) == set(shown[0])
    else:
        assert "Every worker that is left out or has an empty list does nothing." in told
        shown = {"worker_1": [[3, "wait"]], "worker_2": [[1, "wait"]], "worker_3": []}
        assert schema["properties"]["schedule"]["required"] == list(shown)
    answer = models.Scripted([json.dumps({"keep_until": 2, "schedule": shown})])
    plan = ask(answer, observation, form=form)
    by_name = dict(zip(observation.world.workers, entry, strict=True))
    assert plan.schedule == [by_name, {**by_name, "worker_2": "wait"}, {}, {"worker_1": "wait"}]


@pytest.mark.parametrize("form", ["rows", "columns"])
def test_the_example_of_a_kept_schedule_does_what_is_said(form: Any, models: Any) -> None:
    model = models.Scripted()
    observation = under_way(*[["wait", "chop", "slice"]] * 15)
    ask(model, observation, form=form)
    system = model.requests[0].messages[0].content
    (example,) = [
        line for line in system.splitlines() if line.startswith('{"keep_until": {"worker_1": 12')
    ]
    answer = models.Scripted([example])
    schedule = ask(answer, observation, form=form).schedule
    before = {"worker_1": "wait", "worker_2": "chop", "worker_3": "slice"}
    assert schedule[:9] == [before] * 9
    assert schedule[9:12] == [{**before, "worker_2": "wait"}, before, before]
    assert schedule[12:] == [{"worker_1": "place", "worker_2": "chop"}, *[{"worker_2": "chop"}] * 2]


@pytest.mark.parametrize("form", ["rows", "columns"])
def test_the_example_of_a_move_does_what_is_said(form: Any, models: Any) -> None:
    model = models.Scripted()
    first = [["navigate(fridge)", "chop", "slice"]] * 5
    later = [["chop", "wait", "wait"], ["place", "wait", "wait"]]
    observation = under_way(*first, *later)
    ask(model, observation, form=form)
    system = model.requests[0].messages[0].content
    (example,) = [line for line in system.splitlines() if line.startswith('{"shift": [')]
    last = model.requests[0].messages[1].content.split("\n\n")[-1]
    answer = {**json.loads(f"{{{last.split('`')[1]}}}"), **json.loads(example)}
    moved = models.Scripted([json.dumps(answer)])
    schedule = ask(moved, observation, form=form).schedule
    assert [entry.get("worker_1", "wait") for entry in schedule] == [
        *["navigate(fridge)"] * 5,
        *("wait", "chop", "place"),
    ]


def test_unknown_workers_in_what_is_kept_and_moved_are_told(models: Any) -> None:
    shift = [{"worker": "worker_8", "from": 0, "until": None, "by": 1}]
    wrong = {"keep_until": {"worker_7": 3}, "shift": shift, "schedule": []}
    model = models.Scripted([json.dumps(wrong)])
    ask(model, under_way(WAIT, WAIT))
    said = " ".join(read(model.requests[1].messages[-1]).call["problems"])
    assert "keep_until: there is no worker 'worker_7', only worker_1, worker_2, worker_3." in said
    assert "shift: there is no worker 'worker_8'" in said


def test_a_repair_is_a_patch_of_the_refused_answer(models: Any) -> None:
    bad = {"worker_1": [[0, "navigate(fridge)", "pik(egg)"]], "worker_9": [[0, "wait"]]}
    good = {"worker_1": [[1, "pick(egg)"]]}
    model = models.Scripted(
        [
            json.dumps({"keep_until": 0, "schedule": bad}),
            json.dumps({"keep_until": 2, "schedule": good}),
        ]
    )
    plan = ask(model, seen())
    assert plan.schedule == [{"worker_1": "navigate(fridge)"}, {"worker_1": "pick(egg)"}]
    kept = '{"worker_1": 2, "worker_2": 2, "worker_3": 2}'
    assert f'With `"keep_until": {kept}` all' in model.requests[1].messages[-1].content
    assert [call.unusable for call in plan.calls] == ["outside_schema", None]


def test_a_repair_of_what_would_fail_is_a_patch_too(models: Any) -> None:
    bad = {"worker_1": [[0, "navigate(moon)", "pick(egg)"]], "worker_2": [[0, "wait", "wait"]]}
    good = {"worker_1": [[0, "navigate(fridge)"]]}
    model = models.Scripted(
        [json.dumps({"keep_until": k, "schedule": s}) for k, s in ((0, bad), (2, good))]
    )
    ways = replace(BARE, look_ahead=1)
    plan = ask(model, seen(), ways)
    assert [call.purpose for call in plan.calls] == ["plan", "repair"]
    assert [entry["worker_1"] for entry in plan.schedule] == ["navigate(fridge)", "pick(egg)"]


def test_what_was_thought_for_a_schedule_is_shown_on_the_next_call(models: Any) -> None:
    answer = {"reasoning": "R" * 2000, "schedule": {"worker_1": [[0, "wait"]]}}
    model = models.Scripted([json.dumps(answer)])
    plan = ask(model, seen(), preset("default"))
    assert plan.memory == {"meant": "R" * 1500}
    again = models.Scripted()
    ask(again, under_way(WAIT, memory=plan.memory), preset("default"))
    told = read_request(again.requests[0]).data
    assert told["UNDERWAY"]["reasoning"] == "R" * 1500


def test_notes_survive_as_long_as_a_part_of_their_schedule_does(models: Any) -> None:
    memory: dict[str, Any] = {}
    shown: list[Any] = []
    answers: list[tuple[str, dict[str, Any]]] = [
        ("the plan", {}),
        ("a change", {"keep_until": {"worker_1": 2, "worker_2": 0, "worker_3": 0}}),
        ("", {"keep_until": 2}),
        ("another", {"keep_until": {}}),
        *((f"number {number}", {"keep_until": 2}) for number in range(4)),
        ("all anew", {"keep_until": 0}),
        ("the end", {"keep_until": 2}),
    ]
    for said, kept in answers:
        answer = {"reasoning": said, **kept, "schedule": {"worker_1": [[0, "wait"]]}}
        model = models.Scripted([json.dumps(answer)])
        observed = under_way(WAIT, WAIT, memory=json.loads(json.dumps(memory)))
        plan = ask(model, observed, preset("default"))
        memory = dict(plan.memory or {})
        told = read_request(model.requests[0]).data
        about = told["UNDERWAY"]
        notes = [note["said"] for note in about.get("notes", ())]
        shown.append((notes, about.get("reasoning", "")))
    assert shown == [
        ([], ""),
        ([], "the plan"),
        (["the plan"], "a change"),
        (["the plan", "a change"], ""),
        (["the plan", "a change"], "another"),
        (["the plan", "a change", "another"], "number 0"),
        (["the plan", "a change", "another", "number 0"], "number 1"),
        (["a change", "another", "number 0", "number 1"], "number 2"),
        (["another", "number 0", "number 1", "number 2"], "number 3"),
        ([], "all anew"),
    ]
    assert memory == {"notes": [{"until": 0, "said": "all anew"}], "meant": "the end"}


def test_each_worker_is_free_after_its_last_action(models: Any) -> None:
    model = models.Scripted()
    rows = (["wait", "navigate(fridge)", "wait"], ["wait", "wait", "navigate(pantry)"], WAIT)
    ask(model, under_way(*rows, timestep=5))
    told = read_request(model.requests[0]).data
    assert told["UNDERWAY"]["free"] == {"worker_1": 5, "worker_2": 6, "worker_3": 7}


def test_all_that_is_said_about_the_schedule_under_way_is_explained(models: Any) -> None:
    """A dish is half done: one food cooks, and what is left of the schedule serves it."""
    model = models.Scripted()
    observation = seen(timestep=3)
    (line,) = observation.state.open_lines()
    grill, plating = (observation.world.kitchen.of_kind(kind)[0] for kind in ("grill", "plating"))
    contents = {grill: (Content(1, Food("bread"), 1),), plating: (Content(1, PLATE),)}
    idle = observation.state.workers[1:]
    state = observation.state._replace(
        timestep=3, workers=(WorkerState(grill), *idle), contents=contents
    )
    actions = ("pick", f"navigate({plating})", "place", "assemble", "pick", "navigate(pass)")
    underway = [[Command("worker_1", action)] for action in (*actions, f"serve({line})")]
    known = {"meant": "x", "notes": [{"until": 2, "said": "y"}]}
    observed = replace(observation, state=state, underway=underway, memory=known)
    ask(model, observed, preset("default"))
    system, user = (message.content for message in model.requests[0].messages)
    about = parse_blocks(user)["UNDERWAY"]
    assert about == {
        "notes": [{"until": 2, "said": "y"}],
        "reasoning": "x",
        "free": {"worker_1": 10, "worker_2": 3, "worker_3": 3},
        "lines": {"worker_1": [f"3-9 {line}"]},
        "booked": {grill: [f"3-4 {line}"], plating: [f"3-8 {line}"]},
        "cooked": {grill: [[1, 2]]},
    }
    explained = system.partition("- UNDERWAY")[2].partition("- CALL")[0]
    assert all(f"`{name}`" in explained for name in [*about, "in_the_way", "unserved"])


def test_who_will_stand_in_the_way_is_named_with_the_timestep(models: Any) -> None:
    """Two workers go to a plating place one after the other; the first one stays there."""
    observation = seen()
    station = observation.world.kitchen.of_kind("plating")[0]
    elsewhere = observation.world.kitchen.of_kind("plating")[1]
    rows = [
        [f"navigate({station})", "wait", f"navigate({elsewhere})"],
        ["wait", "wait", "wait"],
        ["wait", f"navigate({station})", "wait"],
    ]
    about = read_under_way(models, *rows)
    assert about["in_the_way"] == [f"worker_1 stands at {station}, which worker_2 enters at 2"]
    free = [*rows[:2], ["navigate(aisle)", f"navigate({station})", "wait"]]
    assert "in_the_way" not in read_under_way(models, *free)
    together = [[f"navigate({station})", f"navigate({station})", "wait"]]
    assert "in_the_way" not in read_under_way(models, *together)


def read_under_way(models: Any, *rows: list[str], **more: Any) -> Any:
    """Return the block UNDERWAY about a schedule."""
    model = models.Scripted()
    ask(model, under_way(*rows, **more))
    return read_request(model.requests[0]).data.get("UNDERWAY")


def test_an_order_line_that_the_schedule_leaves_out_is_named(models: Any) -> None:
    (line,) = seen().state.open_lines()
    assert read_under_way(models, WAIT, WAIT)["unserved"] == [line]


def test_a_note_reaches_the_next_call_although_its_schedule_is_over(models: Any) -> None:
    memory = {"meant": "add the water at 40", "notes": [{"until": 2, "said": "y"}]}
    noted = {"notes": memory["notes"], "reasoning": memory["meant"]}
    assert read_under_way(models, memory=memory) == noted
    assert read_under_way(models) is None


def test_a_note_without_a_decision_reaches_the_next_call(models: Any) -> None:
    ways = preset("default")
    memory = Memory.of(under_way(WAIT, memory={"meant": "I ring"}), ways)
    now = seen()
    waits = ScheduleAnswer(reasoning="I wait for you", schedule=[])
    kept = memory.update(now, ways, waits, [])
    assert kept == {"meant": "I wait for you", "notes": [{"until": 0, "said": "I ring"}]}
    assert memory.update(now, ways, ScheduleAnswer(schedule=[]), []) == {"meant": "I ring"}


@pytest.mark.parametrize("form", ["rows", "columns"])
def test_the_prompt_shows_how_to_keep_everything(form: Any, models: Any) -> None:
    model = models.Scripted()
    ways = replace(BARE, form=form)
    observation = under_way(["navigate(fridge)", "wait", "wait"], WAIT)
    ask(model, observation, ways)
    told = " ".join(model.requests[0].messages[0].content.split())
    (shown,) = re.findall(
        r"write as each T the timestep after the last one of SCHEDULE, with `(.*?)`", told
    )
    assert form == "columns" or shown == '"schedule": []'
    answer = models.Scripted([f'{{"keep_until": 2, {shown}}}'])
    plan = ask(answer, observation, ways)
    assert [commands_of(entry) for entry in plan.schedule] == observation.underway


def test_a_kept_schedule_is_looked_ahead_too(models: Any) -> None:
    model = models.Scripted(['{"keep_until": 1, "schedule": []}'])
    observation = under_way(["discard", "wait", "wait"])
    plan = ask(model, observation, look_ahead=1)
    assert [call.purpose for call in plan.calls] == ["plan", "repair"]
    assert "violations" in model.requests[1].messages[-1].content
    assert plan.schedule[0]["worker_1"] != "discard"


def test_an_episode_shows_what_is_left_of_the_schedule(models: Any) -> None:
    trace, verdict = play(asking(models.Scripted()), "level3/07")
    assert verdict.success
    plans = list(trace.of(PlanRecord))
    for before, plan, call in zip(plans, plans[1:], list(trace.of(ModelCall))[1:], strict=False):
        shown = read_request(call).data["SCHEDULE"]
        left = before.schedule[plan.timestep - before.timestep :]
        told, _ = write_out(ScheduleAnswer(schedule=shown), (), plan.timestep)
        assert told == [
            {worker: action for worker, action in entry if action != "wait"} for entry in left
        ]
    assert len(plans) > 1


def test_all_problems_of_an_answer_are_told_at_once_and_counted(models: Any) -> None:
    bad = models.schedule_of(
        {"t": 0, "worker_1": "serve o1.1", "worker_2": "wait(3)"},
        {"t": 0, "worker_9": "wait"},
        {"t": 2, "worker_9": "wait", "worker_3": "fly"},
    )
    model = models.Scripted([bad])
    plan = ask(model, seen())
    told = read(model.requests[1].messages[-1]).call
    assert len(told["problems"]) == 5
    said = " ".join(told["problems"])
    for mark in (
        "t 0: there are two rows",
        "serve(order line)",
        "wait is written wait",
        "worker_9",
        "fly",
    ):
        assert mark in said
    assert "triggers" not in told
    assert [call.unusable for call in plan.calls] == ["outside_schema", None]


@pytest.mark.parametrize("form", ["rows", "columns"])
def test_one_repair_names_the_faults_of_every_kind(form: Any, models: Any) -> None:
    wrong: Any = {
        "worker_1": [[0, "navigate(fridge)", "pick(egg)"], [1, "chop"], ["9"]],
        "worker_2": [[0, "toast"], [2, "navigate(grill)"], [2, "wait"]],
        "worker_3": ["wait"],
        "worker_9": [[0, "wait"]],
        "worker_7": [[3, 2.5]],
    }
    told = [
        "worker_1 has two actions at timestep 1",
        "worker_2 has two actions at timestep 2",
        "worker_3: expected parts such as [4, action, action]",
        "there is no worker 'worker_9'",
        "'toast': is no action",
        "there is no station 'grill' in this kitchen",
        "an action at timestep 3 should be text",
    ]
    if form == "rows":
        wrong = [
            {"t": "soon", "worker_1": "wait"},
            {"t": 0, "worker_1": 3, "worker_2": "wait"},
            {"t": 0, "worker_2": "toast", "worker_9": "wait"},
            {"t": 0, "worker_2": "wait"},
            {"t": 2, "worker_3": "navigate(grill)"},
        ]
        told = [
            "schedule.0.t",
            "schedule.1.actions.worker_1",
            "t 0: there are two rows of this timestep",
            *told[3:-1],
        ]
    model = models.Scripted([json.dumps({"keep_until": {"worker_8": 1}, "schedule": wrong})])
    ways = replace(BARE, form=form)
    ask(model, seen(), ways)
    said = read(model.requests[1].messages[-1]).call["problems"]
    for words in (*told, "keep_until: there is no worker 'worker_8'"):
        assert any(words in problem for problem in said), (words, said)
    assert len(said) == len(set(said))
    again = model.requests[1].messages[-1].content
    assert "Give the whole answer again" in again


def test_a_station_that_there_is_not_still_fails_in_the_kitchen_alone(models: Any) -> None:
    model = models.Scripted([models.schedule_of(["navigate(grill)", "wait", "wait"])])
    plan = ask(model, seen())
    assert plan.schedule[0]["worker_1"] == "navigate(grill)"
    assert len(model.requests) == 1


def test_an_argument_too_many_does_not_void_the_rest(models: Any) -> None:
    model = models.Scripted(
        [models.schedule_of(["place(bread)", "chop(red onion)", "start(pan_1)"])]
    )
    plan = ask(model, seen())
    assert plan.schedule == [{"worker_1": "place", "worker_2": "chop", "worker_3": "start"}]
    assert len(model.requests) == 1


def test_who_is_asked_at_every_timestep_is_not_told_that_its_schedule_is_over(models: Any) -> None:
    over = Trigger(kind="exhausted", cause="the schedule has run out")
    for ways, kinds in ((BARE, ["exhausted"]), (replace(BARE, per_step=True), ["timestep"])):
        model = models.Scripted()
        ask(model, seen(timestep=1, triggers=(over,)), ways)
        call = read_request(model.requests[0]).call
        assert [trigger["kind"] for trigger in call["triggers"]] == kinds


def test_the_verdict_counts_repairs_and_what_could_not_be_used(models: Any) -> None:
    model = models.Scripted(["no", models.schedule_of(["place", "wait", "wait"])])
    _, verdict = play(asking(model, look_ahead=1), "level1/01")
    assert (verdict.summary["repairs"], verdict.summary["unusable_answers"]) == (2, 1)
    (check,) = verdict.of("unusable_answers")
    assert check.evidence == "unreadable 1"
