from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from cookmas import judge
from cookmas.episodes.replay import replay, replay_to_end
from cookmas.episodes.trace import PlanRecord, Trace
from cookmas.evals.report import suite_report, verdict_report
from cookmas.evals.suite import Figure, aggregate
from cookmas.evals.verdict import Check, Value, Verdict
from cookmas.orchestrator.planner import commands_of
from cookmas.solving.restaurant.bound import Demand, makespan_bound
from cookmas.worlds.restaurant.judging import JUDGING
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence
from cookmas.worlds.restaurant.judging.optimality import BEGUN_EARLY
from cookmas.worlds.restaurant.judging.report import details
from cookmas.worlds.restaurant.judging.scores import find_waste
from tests.sampling import examples

if TYPE_CHECKING:
    from tests.worlds.restaurant.judging.conftest import House

TOAST = ["bread > grill 3", "butter"]
TOMATO = ["navigate(fridge)", "pick(tomato)"]


def value(verdict: Verdict, name: str, subject: str = "episode") -> Value:
    return check(verdict, name, subject).value


def check(verdict: Verdict, name: str, subject: str = "episode") -> Check:
    (found,) = (c for c in verdict.of(name) if c.subject == subject)
    return found


def test_served_lines_say_when(house: House) -> None:
    actions = house.serve(TOAST)
    verdict = judge(house.play(actions, {0: [house.order("Buttered Toast", "Ramen")]}), house.truth)
    assert [c.passed for c in verdict.of("served")] == [True, False]
    assert value(verdict, "served_at", "o1.1") == len(actions) - 1
    assert value(verdict, "served_at", "o1.2") is None


def test_a_cancelled_line_is_not_asked_for_but_attempts_to_serve_it_are_counted(
    house: House,
) -> None:
    events = {
        0: [house.order("Buttered Toast", "Ramen")],
        3: [{"kind": "remove_line", "line": "o1.2"}],
    }
    dish = house.serve(TOAST, "o1.1")
    verdict = judge(
        house.play([*dish[:-1], "serve(o9.9)", "serve(o1.2)", "serve(o1.1)"], events), house.truth
    )
    assert verdict.success is True
    assert [c.subject for c in verdict.of("complete")] == ["o1.1"]
    assert value(verdict, "closed_line_attempts") == 1
    assert value(verdict, "fails_by_reason", "closed_line") == 1
    assert "work on cancelled lines is in it (o1.2)" in check(verdict, "gap").reason
    assert [goal.when for goal in verdict.goals] == [len(dish) + 1, None]


def test_makespan_is_held_against_the_bound(house: House) -> None:
    actions = house.serve(TOAST)
    trace = house.play(["wait", *actions], {1: [house.order("Buttered Toast")]})
    verdict = judge(trace, house.truth)
    demand = Demand(release=1, components=house.truth.items["Buttered Toast"])
    bound = makespan_bound(house.world.kitchen, [demand]).value
    makespan = len(actions) + 1
    assert value(verdict, "makespan") == verdict.summary["makespan"] == makespan
    assert value(verdict, "makespan_bound") == bound <= makespan
    assert value(verdict, "gap") == round(100 * (makespan - bound) / bound, 2)
    assert "cancelled" not in check(verdict, "gap").reason
    at_once = makespan_bound(
        house.world.kitchen, [Demand(release=0, components=demand.components)]
    ).value
    assert value(verdict, "optimality_rate") == round(at_once / makespan, 4)
    known = judge(trace, replace(house.truth, best_known=makespan - 1))
    assert value(known, "rate_of_best_known") == round((makespan - 1) / makespan, 4)
    assert value(known, "optimality_rate") == value(verdict, "optimality_rate")


def test_the_bound_begins_with_the_first_order_that_was_cancelled(house: House) -> None:
    """Food that was begun for it may be of use again."""
    late = {"kind": "new_order", "order": "o2", "lines": [{"item": "Buttered Toast"}]}
    events = {
        3: [house.order("Buttered Toast")],
        5: [{"kind": "cancel_order", "order": "o1"}],
        9: [late],
    }
    verdict = judge(house.play([*["wait"] * 9, *house.serve(TOAST, "o2.1")], events), house.truth)
    components = house.truth.items["Buttered Toast"]
    bounds = [
        makespan_bound(house.world.kitchen, [Demand(release=at, components=components)]).value
        for at in (3, 9)
    ]
    assert value(verdict, "makespan_bound") == bounds[0] < bounds[1]


def test_makespan_is_unscored_where_something_was_not_served(house: House) -> None:
    trace = house.play(house.serve(TOAST), {0: [house.order("Buttered Toast", "Ramen")]})
    verdict = judge(trace, house.truth)
    for name in ("makespan", "gap", "waste"):
        assert value(verdict, name) is None
        assert check(verdict, name).reason == "some lines were not served: o1.2"
    assert value(verdict, "makespan_bound")


def test_rubbish_has_no_gap(house: House) -> None:
    trace = house.play(house.serve(["butter"]), {0: [house.order("Lasagne")]})
    verdict = judge(trace, house.truth)
    assert verdict.success is False
    for name in ("makespan", "gap", "waste"):
        assert value(verdict, name) is None
        assert check(verdict, name).reason == "not as asked: o1.1"
    ((row,),) = aggregate([verdict], JUDGING.columns).values()
    assert row.figures["gap"] == Figure(value=None, scored=0, unscored=1)


def test_a_gap_below_zero_is_explained_where_it_is_shown(house: House) -> None:
    actions = house.serve(TOAST)
    trace = house.play(actions, {len(actions) - 1: [house.order("Buttered Toast")]})
    verdict = judge(trace, house.truth)
    gap = value(verdict, "gap")
    assert isinstance(gap, float)
    assert gap < 0
    assert check(verdict, "gap").reason.endswith(BEGUN_EARLY)
    assert value(verdict, "optimality_rate") == 1.0
    for picture in (
        verdict_report(verdict, JUDGING.measures, details),
        suite_report(aggregate([verdict], JUDGING.columns), JUDGING.columns),
    ):
        console = Console(width=100, file=StringIO(), record=True)
        console.print(picture)
        assert "begun before it was ordered" in " ".join(console.export_text().split())


@pytest.mark.parametrize(("spare", "tardiness"), [(0, 0), (5, 0), (-4, 4)])
def test_tardiness_is_the_time_after_the_due_time(house: House, spare: int, tardiness: int) -> None:
    actions = house.serve(TOAST)
    due = len(actions) - 1 + spare
    trace = house.play(actions, {0: [house.order("Buttered Toast", due=due)]})
    found = check(judge(trace, house.truth), "tardiness", "o1")
    assert (found.value, found.passed) == (tardiness, tardiness == 0)


def test_an_order_is_as_late_as_its_last_line(house: House) -> None:
    actions = [*house.serve(TOAST, "o1.1"), *house.serve(TOAST, "o1.2")]
    order = house.order("Buttered Toast", "Buttered Toast", due=10)
    found = check(judge(house.play(actions, {0: [order]}), house.truth), "tardiness", "o1")
    assert found.value == len(actions) - 1 - 10


@pytest.mark.parametrize(
    ("due", "more", "why"),
    [
        (None, [], "no due time"),
        (1, [], "not completed; 2 timesteps late at the end"),
        (1, [{"kind": "cancel_order", "order": "o1"}], "cancelled"),
    ],
)
def test_tardiness_is_unscored_without_a_due_time_or_a_completion(
    house: House, due: int | None, more: list[dict[str, Any]], why: str
) -> None:
    trace = house.play(["wait"] * 3, {0: [house.order("Buttered Toast", due=due)], 2: more})
    found = check(judge(trace, house.truth), "tardiness", "o1")
    assert (found.value, found.reason) == (None, why)


def test_workers_are_idle_or_of_use(house: House) -> None:
    trace = house.play(
        [
            {"worker_1": "navigate(board_1)", "worker_2": "navigate(board_1)"},
            {"worker_1": "navigate(aisle)", "worker_2": "navigate(fridge)"},
            {"worker_1": "wait", "worker_2": "pick(tomato)"},
            {"worker_2": "navigate(counter_1)"},
            {"worker_2": "place"},
        ],
        {0: [house.order("Buttered Toast")]},
    )
    verdict = judge(trace, house.truth)
    assert [c.value for c in verdict.of("idle")] == [4, 0, 5]
    assert [c.value for c in verdict.of("use")] == [0.2, 0.8, 0.0]
    assert value(verdict, "occupied", "board") == round(1 / 15, 4)
    assert value(verdict, "occupied", "fridge") == round(2 / 15, 4)
    assert value(verdict, "slots_filled", "counter") == round(1 / 40, 4)
    assert sum(c.value for c in verdict.of("occupied") if isinstance(c.value, float)) == (
        pytest.approx(1, abs=1e-3)
    )
    assert value(verdict, "fails") == 1
    assert [c.value for c in verdict.of("fails_by_worker")] == [0, 1, 0]
    assert value(verdict, "fails_by_reason", "occupied") == 1


def test_navigating_to_where_one_stands_is_of_no_use(house: House) -> None:
    actions = ["navigate(fridge)", *["navigate(fridge)"] * 3]
    verdict = judge(house.play(actions, {0: [house.order("Buttered Toast")]}), house.truth)
    assert (value(verdict, "use", "worker_1"), value(verdict, "idle", "worker_1")) == (0.25, 3)


def test_an_action_that_cannot_be_read_is_a_fail_and_no_idling(house: House) -> None:
    verdict = judge(house.play(["juggle"], {0: [house.order("Buttered Toast")]}), house.truth)
    assert value(verdict, "fails_by_reason", "no_action") == 1
    assert value(verdict, "idle", "worker_1") == 0
    assert value(verdict, "use", "worker_1") == 0.0


def test_planner_calls_are_counted_by_trigger(house: House) -> None:
    events: dict[int, list[dict[str, Any]]] = {
        0: [house.order("Buttered Toast")],
        2: [
            {"kind": "add_line", "order": "o1", "item": "Ramen"},
            {"kind": "remove_line", "line": "o1.2"},
            {"kind": "fault", "station": "oven_1", "timesteps": 1},
        ],
        4: [{"kind": "remove_line", "line": "o1.7"}],
    }
    trace = house.play(["wait"] * 5, events)
    refused = PlanRecord(timestep=2, reasoning="", schedule=[], refused="no such worker")
    at = next(i for i, r in enumerate(trace.records) if isinstance(r, PlanRecord) and r.timestep)
    trace = Trace((*trace.records[:at], refused, *trace.records[at:]))
    verdict = judge(trace, house.truth)
    assert value(verdict, "planner_calls") == 3
    calls = {c.subject: c.value for c in verdict.of("calls_by_trigger")}
    assert calls == {"new_order": 1, "changed_order": 2, "fault": 2}
    assert value(verdict, "schedules_refused") == 1
    assert check(verdict, "schedules_refused").evidence == "2: no such worker"


def test_waste_is_what_was_thrown_away_and_what_is_left(house: House) -> None:
    actions = [
        *house.make("(oil + vinegar) > mix 1"),
        "discard",
        "navigate(bin)",
        "discard",
        *TOMATO,
        "navigate(counter_1)",
        "place",
        "navigate(plates)",
        "pick",
        "navigate(bin)",
        "discard",
    ]
    dish = house.serve(TOAST)
    verdict = judge(
        house.play([*actions, *dish], {0: [house.order("Buttered Toast")]}), house.truth
    )
    assert value(verdict, "waste_discarded") == 2
    assert check(verdict, "waste_discarded").evidence == "(oil + vinegar) > mix 1"
    assert value(verdict, "waste_left") == 1
    assert value(verdict, "waste") == 3


@settings(max_examples=examples(60))
@given(data=st.data())
def test_all_that_was_dispensed_was_served_or_wasted(house: House, data: st.DataObject) -> None:
    world = house.world
    order = house.order("Buttered Toast")
    dish = house.serve(TOAST)
    state, _ = world.apply(world.start(), order)
    played: list[dict[str, str]] = []
    dispensed = 0
    cut = data.draw(st.integers(0, len(dish)))
    for timestep in range(len(dish)):
        joint: dict[str, str] = {}
        for worker in world.workers:
            if worker == "worker_1" and timestep < cut:
                joint[worker] = dish[timestep]
            else:
                joint[worker] = data.draw(st.sampled_from(world.legal(state, worker)))
        before = state
        state, outcomes, _ = world.step(state, commands_of(joint))
        for index, worker in enumerate(world.workers):
            station = world.kitchen.stations[before.workers[index].station]
            picked = joint[worker].startswith("pick") and outcomes[worker].done
            dispensed += picked and station.kind.name in ("pantry", "fridge")
        played.append(joint)
    trace = house.play(played, {0: [order]})
    evidence = KitchenEvidence(
        trace=trace,
        truth=house.truth,
        world=world,
        frames=tuple(replay(trace, world)),
        final=replay_to_end(trace, world)[1],
    )
    wastes = sum(len(food.ingredients()) for foods in find_waste(evidence) for food in foods)
    served = sum(len(food.ingredients()) for line in _served(house, played, order) for food in line)
    assert wastes == dispensed - served


def _served(house: House, played: list[dict[str, str]], order: dict[str, Any]) -> list[Any]:
    """The components of every dish that leaves a hand at the pass."""
    world = house.world
    state, _ = world.apply(world.start(), order)
    dishes: list[Any] = []
    for joint in played:
        before = state
        state, outcomes, _ = world.step(state, commands_of(joint))
        for index, worker in enumerate(world.workers):
            held: Any = before.workers[index].holding
            if joint[worker].startswith("serve") and outcomes[worker].done:
                dishes.append(held.components)
    return dishes


def test_the_time_of_a_line_includes_the_timesteps_of_its_order_and_its_serving(
    house: House,
) -> None:
    actions = house.serve(TOAST)
    trace = house.play(["wait", *actions], {1: [house.order("Buttered Toast")]})
    header = trace.header.model_copy(update={"horizon": None})
    verdict = judge(Trace((header, *trace.records[1:])), house.truth)
    assert value(verdict, "time_per_line") == len(actions)
    assert value(verdict, "longest_line") == len(actions)
    assert value(verdict, "throughput") == round(100 / (len(actions) + 1), 2)
