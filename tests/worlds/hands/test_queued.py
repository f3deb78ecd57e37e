"""A model's list of actions that last is a queue: none is left out, and what FAILs is told."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import cookmas
from cookmas.episodes.trace import PlanRecord, StepRecord, Trace
from cookmas.orchestrator.dialogue.look_ahead import look_ahead
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.graph.restoring import rewind
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.orchestrator.planners.naming import FixedPlanner
from cookmas.worlds.collab_overcooked.voice import VOICE as COLLAB_VOICE
from cookmas.worlds.overcooked.voice import VOICE
from tests.worlds.recording import Prepared, Recording

CHORES = ["pick_up(onion,o0)", "put(onion,c0)", "pick_up(onion,o0)", "put(onion,c0)"]


RESTS = {"schedule": {"alice": [[399, "stay"]], "bob": []}}


class Said(Prepared):
    """A model that after its answers lets everybody stay for long."""

    def __init__(self, *answers: Mapping[str, Any], rests: Mapping[str, Any] = RESTS) -> None:
        super().__init__(*answers, rests)

    def call(self, number: int) -> dict[str, Any]:
        return dict(self.blocks(number)["CALL"])


def cooked(model: Any, horizon: int = 60, ways: Prompting = PRESETS["default"]) -> Trace:
    settings = {"horizon": str(horizon)}
    scenario = cookmas.load_scenario("overcooked/cramped_room", settings=settings)
    return cookmas.play(scenario, SchedulingPlanner(model, ways, voice=VOICE)).trace


def begun(trace: Trace, cook: str) -> list[tuple[int, str]]:
    return [
        (step.timestep, action)
        for step in trace.of(StepRecord)
        for name, action in step.commands
        if name == cook and action not in ("stay", "wait(1)")
    ]


def listed(*actions: str, at: int = 0) -> dict[str, Any]:
    return {"schedule": {"alice": [[at, *actions]], "bob": []}}


def test_no_action_of_a_list_is_left_out_while_a_cook_is_busy() -> None:
    model = Said(listed(*CHORES))
    trace = cooked(model)
    assert [action for _, action in begun(trace, "alice")] == CHORES
    assert not any(step.fails for step in trace.of(StepRecord))
    times = [timestep for timestep, _ in begun(trace, "alice")]
    assert times[0] == 0
    assert all(after - before > 1 for before, after in pairwise(times))


def test_a_model_is_asked_again_when_all_actions_are_worked_off() -> None:
    model = Said(listed(*CHORES))
    trace = cooked(model)
    last = begun(trace, "alice")[-1][0]
    assert model.call(1)["timestep"] > last
    assert model.call(1)["triggers"][0]["kind"] == "exhausted"


def test_a_part_does_not_begin_before_its_timestep() -> None:
    said = {"schedule": {"alice": [[0, CHORES[0]], [20, CHORES[1]]], "bob": []}}
    assert [timestep for timestep, _ in begun(cooked(Said(said)), "alice")] == [0, 20]


def test_a_wait_in_a_list_is_waited_for() -> None:
    at_once = begun(cooked(Said(listed(*CHORES[:2]))), "alice")[-1][0]
    later = begun(cooked(Said(listed(CHORES[0], "stay", "stay", CHORES[1]))), "alice")
    assert later[-1] == (at_once + 2, CHORES[1])


def test_rows_and_plans_are_queues_too() -> None:
    rows = {"schedule": [{"t": at, "alice": action} for at, action in enumerate(CHORES)]}
    plan = {"plan": {"alice": CHORES, "bob": []}}
    for form, said in (("rows", rows), ("plan", plan)):
        trace = cooked(Said(said), ways=Prompting(form=form))  # type: ignore[arg-type]
        assert [action for _, action in begun(trace, "alice")] == CHORES


def test_an_action_that_cannot_be_done_is_told() -> None:
    model = Said(listed(CHORES[0], CHORES[0], CHORES[1]))
    cooked(model)
    fails = model.call(1)["fails"]
    assert fails["alice"] == {
        "action": CHORES[0],
        "reason": "hands_full",
        "why": f"alice cannot {CHORES[0]}: its hands are full.",
    }


def test_what_is_left_is_shown_and_can_be_kept() -> None:
    keep = {"keep_until": 99, "schedule": {"alice": [], "bob": []}}
    model = Said(listed(CHORES[0], "put(tomato,c0)", *CHORES[1:]), keep)
    trace = cooked(model)
    left = model.blocks(1)["SCHEDULE"]["alice"]
    now = model.call(1)["timestep"]
    assert left == [[now, *CHORES[1:]]]
    assert [action for _, action in begun(trace, "alice")][2:] == CHORES[1:]


def test_only_what_was_begun_is_remembered_as_done() -> None:
    ways = Prompting(memory=2, memory_of="actions")
    model = Said(listed(CHORES[0], "put(tomato,c0)", *CHORES[1:]))
    cooked(model, ways=ways)
    (decision,) = model.blocks(1)["MEMORY"]
    assert [act for act in decision["actions"] if act] == [{"alice": CHORES[0]}]


def test_a_trial_plays_a_list_as_the_orchestrator_does() -> None:
    model = Said(listed(*CHORES, "deliver(soup,d0)"), listed(*CHORES))
    trace = cooked(model, ways=Prompting(look_ahead=1))
    assert [action for _, action in begun(trace, "alice")] == CHORES
    (tried,) = model.call(1)["violations"]
    assert tried["action"] == "deliver(soup,d0)"
    scenario = cookmas.load_scenario("overcooked/cramped_room")
    world: Any = scenario.world()
    rows = [{"alice": action} for action in CHORES]
    assert look_ahead(world, world.start(), 0, rows, queued=True) == []


def test_a_fork_continues_a_list_where_it_was() -> None:
    trace = cooked(Said(listed(*CHORES)))
    world: Any = cookmas.load_scenario("overcooked/cramped_room").world()
    for timestep, count in ((1, 1), (begun(trace, "alice")[2][0] + 1, 3)):
        records = list(trace.records)
        end = next(
            number
            for number, record in enumerate(records)
            if isinstance(record, StepRecord) and record.timestep == timestep - 1
        )
        state = rewind(Trace(tuple(records[: end + 1])), trace_world(trace, world)).state
        (schedule,) = state["schedule"].values()
        assert schedule["begun"]["alice"] == count


def trace_world(trace: Trace, world: Any) -> Any:
    return type(world).of_setup(trace.header.setup)


def test_lists_of_other_planners_belong_to_their_timesteps() -> None:
    schedule = [{"alice": action} for action in CHORES]
    settings = {"horizon": "30"}
    scenario = cookmas.load_scenario("overcooked/cramped_room", settings=settings)
    trace = cookmas.play(scenario, FixedPlanner(schedule)).trace
    assert all(plan.queued is None for plan in trace.of(PlanRecord))


def test_an_agent_of_a_team_has_a_queue_too() -> None:
    rests = {name: {"schedule": {name: [[399, "stay"]]}} for name in ("alice", "bob")}
    chores = {"schedule": {"alice": [[0, *CHORES[:2]], [25, *CHORES[2:]]]}}
    alice, bob = Said(chores, rests=rests["alice"]), Said(rests=rests["bob"])
    settings = {"horizon": "60"}
    scenario = cookmas.load_scenario("overcooked/cramped_room", settings=settings)
    team = TalkingTeam([alice, bob], ["alice", "bob"], PRESETS["default"], voice=VOICE)
    found = begun(cookmas.play(scenario, team).trace, "alice")
    assert [action for _, action in found] == CHORES
    assert found[2][0] == 25


def test_waits_of_a_plan_count_in_collab_overcooked() -> None:
    actions = [
        "pickup(corn,ingredient_dispenser)",
        "put_obj_in_utensil(chopping_board0)",
        "cut(chopping_board0)",
        "wait(1)",
        "wait(1)",
        "pickup(corn_slices,chopping_board0)",
    ]
    rests = {"schedule": {"alice": [[399, "wait(1)"]], "bob": []}}
    model = Said({"plan": {"bob": [], "alice": actions}}, rests=rests)
    planner = SchedulingPlanner(model, Prompting(form="plan"), voice=COLLAB_VOICE)
    trace = cookmas.play("collab-overcooked/level_2/03", planner).trace
    assert not any(step.fails for step in trace.of(StepRecord))
    done = [action for _, action in begun(trace, "alice")]
    assert done[-1] == actions[-1]


def test_a_scripted_model_with_long_lists_cooks_as_much_as_the_greedy_cooks() -> None:
    model = Recording()
    settings = {"horizon": "120"}
    trace = cooked(model, horizon=120)
    greedy = cookmas.play("overcooked/cramped_room", "greedy", settings=settings).trace
    assert trace.end
    assert greedy.end
    assert trace.end.tally == greedy.end.tally
    assert trace.end.tally.score
    assert len(model.requests) < 8


def test_the_prompt_says_that_a_list_is_a_queue() -> None:
    model = Said()
    cooked(model, horizon=1)
    told = " ".join(model.requests[0].messages[0].content.split())
    assert "The actions are a queue: a cook begins each as soon as it is done" in told
    assert "one for each timestep" not in told
    assert '[[0, "pick_up(onion,o0)", "put(onion,c0)", "pick_up(onion,o0)"]]' in told
