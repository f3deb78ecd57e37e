"""The numbers of an episode: when, how long, how late, how busy, and what went to waste."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from cookmas import judge
from cookmas.episodes.replay import replay, replay_to_end
from cookmas.episodes.trace import PlanRecord, Trace
from cookmas.evals.report import suite_report, verdict_report
from cookmas.evals.suite import Figure, aggregate
from cookmas.orchestrator.planner import commands_of
from cookmas.solving.restaurant.bound import Demand, makespan_bound
from cookmas.worlds.restaurant.judging import JUDGING
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence
from cookmas.worlds.restaurant.judging.optimality import BEGUN_EARLY
from cookmas.worlds.restaurant.judging.report import details
from cookmas.worlds.restaurant.judging.scores import find_waste
from tests.sampling import examples
from tests.worlds.restaurant.judging.house import HOUSE, TOAST, check, value, values

ITEM = "Buttered Toast"


def bound(release: int) -> int:
    """Return the bound on the makespan of one toast that is ordered then."""
    toast = Demand(release=release, components=HOUSE.truth.items[ITEM])
    return makespan_bound(HOUSE.world.kitchen, [toast]).value


def test_served_lines_say_when() -> None:
    actions = HOUSE.serve(TOAST)
    verdict = HOUSE.judged(actions, ITEM, "Ramen")
    assert [c.passed for c in verdict.of("served")] == [True, False]
    assert value(verdict, "served_at", "o1.1") == len(actions) - 1
    assert value(verdict, "served_at", "o1.2") is None


def test_a_cancelled_line_is_not_asked_for_but_attempts_to_serve_it_are_counted() -> None:
    dish = HOUSE.serve(TOAST, "o1.1")
    actions = [*dish[:-1], "serve(o9.9)", "serve(o1.2)", "serve(o1.1)"]
    removed = {3: [{"kind": "remove_line", "line": "o1.2"}]}
    verdict = HOUSE.judged(actions, ITEM, "Ramen", at=removed)
    assert verdict.success is True
    assert [c.subject for c in verdict.of("complete")] == ["o1.1"]
    assert value(verdict, "closed_line_attempts") == 1
    assert value(verdict, "fails_by_reason", "closed_line") == 1
    assert "work on cancelled lines is in it (o1.2)" in check(verdict, "gap").reason
    assert [goal.when for goal in verdict.goals] == [len(dish) + 1, None]


def test_makespan_is_held_against_the_bound() -> None:
    actions = HOUSE.serve(TOAST)
    trace = HOUSE.play(["wait", *actions], {1: [HOUSE.order(ITEM)]})
    verdict = judge(trace, HOUSE.truth)
    makespan, least = len(actions) + 1, bound(1)
    assert value(verdict, "makespan") == verdict.summary["makespan"] == makespan
    assert value(verdict, "makespan_bound") == least <= makespan
    assert value(verdict, "gap") == round(100 * (makespan - least) / least, 2)
    assert "cancelled" not in check(verdict, "gap").reason
    assert value(verdict, "optimality_rate") == round(bound(0) / makespan, 4)
    known = judge(trace, replace(HOUSE.truth, best_known=makespan - 1))
    assert value(known, "rate_of_best_known") == round((makespan - 1) / makespan, 4)
    assert value(known, "optimality_rate") == value(verdict, "optimality_rate")


def test_the_bound_begins_with_the_first_order_that_was_cancelled() -> None:
    """Food that was begun for it may be of use again."""
    late = {"kind": "new_order", "order": "o2", "lines": [{"item": ITEM}]}
    events = {3: [HOUSE.order(ITEM)], 5: [{"kind": "cancel_order", "order": "o1"}], 9: [late]}
    trace = HOUSE.play([*["wait"] * 9, *HOUSE.serve(TOAST, "o2.1")], events)
    assert value(judge(trace, HOUSE.truth), "makespan_bound") == bound(3) < bound(9)


def test_makespan_is_unscored_where_something_was_not_served() -> None:
    verdict = HOUSE.judged(HOUSE.serve(TOAST), ITEM, "Ramen")
    for name in ("makespan", "gap", "waste"):
        assert value(verdict, name) is None
        assert check(verdict, name).reason == "some lines were not served: o1.2"
    assert value(verdict, "makespan_bound")


def test_rubbish_has_no_gap() -> None:
    verdict = HOUSE.judged(HOUSE.serve(["butter"]), "Lasagne")
    assert verdict.success is False
    for name in ("makespan", "gap", "waste"):
        assert value(verdict, name) is None
        assert check(verdict, name).reason == "not as asked: o1.1"
    ((row,),) = aggregate([verdict], JUDGING.columns).values()
    assert row.figures["gap"] == Figure(value=None, scored=0, unscored=1)


def test_a_gap_below_zero_is_explained_where_it_is_shown() -> None:
    actions = HOUSE.serve(TOAST)
    trace = HOUSE.play(actions, {len(actions) - 1: [HOUSE.order(ITEM)]})
    verdict = judge(trace, HOUSE.truth)
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


def test_a_gap_of_zero_needs_no_explanation() -> None:
    actions = HOUSE.serve(TOAST)
    trace = HOUSE.play(actions, {len(actions) - bound(0): [HOUSE.order(ITEM)]})
    verdict = judge(trace, HOUSE.truth)
    assert value(verdict, "gap") == 0
    assert BEGUN_EARLY not in check(verdict, "gap").reason


@pytest.mark.parametrize(("spare", "tardiness"), [(0, 0), (5, 0), (-4, 4)])
def test_tardiness_is_the_time_after_the_due_time(spare: int, tardiness: int) -> None:
    actions = HOUSE.serve(TOAST)
    verdict = HOUSE.judged(actions, ITEM, due=len(actions) - 1 + spare)
    found = check(verdict, "tardiness", "o1")
    assert (found.value, found.passed) == (tardiness, tardiness == 0)


def test_an_order_is_as_late_as_its_last_line() -> None:
    actions = [*HOUSE.serve(TOAST, "o1.1"), *HOUSE.serve(TOAST, "o1.2")]
    verdict = HOUSE.judged(actions, ITEM, ITEM, due=10)
    assert value(verdict, "tardiness", "o1") == len(actions) - 1 - 10


@pytest.mark.parametrize(
    ("due", "more", "why"),
    [
        (None, [], "no due time"),
        (1, [], "not completed; 2 timesteps late at the end"),
        (1, [{"kind": "cancel_order", "order": "o1"}], "cancelled"),
    ],
)
def test_tardiness_is_unscored_without_a_due_time_or_a_completion(
    due: int | None, more: list[dict[str, Any]], why: str
) -> None:
    found = check(HOUSE.judged(["wait"] * 3, ITEM, due=due, at={2: more}), "tardiness", "o1")
    assert (found.value, found.reason) == (None, why)


def test_workers_are_idle_or_of_use() -> None:
    both = [
        ("navigate(board_1)", "navigate(board_1)"),
        ("navigate(aisle)", "navigate(fridge)"),
        ("wait", "pick(tomato)"),
        ("wait", "navigate(counter_1)"),
        ("wait", "place"),
    ]
    verdict = HOUSE.judged([{"worker_1": one, "worker_2": two} for one, two in both], ITEM)
    assert values(verdict, "idle") == [4, 0, 5]
    assert values(verdict, "use") == [0.2, 0.8, 0.0]
    assert value(verdict, "occupied", "board") == round(1 / 15, 4)
    assert value(verdict, "occupied", "fridge") == round(2 / 15, 4)
    assert value(verdict, "slots_filled", "counter") == round(1 / 40, 4)
    shares = [each for each in values(verdict, "occupied") if isinstance(each, float)]
    assert sum(shares) == pytest.approx(1, abs=1e-3)
    assert value(verdict, "fails") == 1
    assert values(verdict, "fails_by_worker") == [0, 1, 0]
    assert value(verdict, "fails_by_reason", "occupied") == 1


def test_navigating_to_where_one_stands_is_of_no_use() -> None:
    verdict = HOUSE.judged(["navigate(fridge)"] * 4, ITEM)
    assert (value(verdict, "use", "worker_1"), value(verdict, "idle", "worker_1")) == (0.25, 3)


def test_an_action_that_cannot_be_read_is_a_fail_and_no_idling() -> None:
    verdict = HOUSE.judged(["juggle"], ITEM)
    assert value(verdict, "fails_by_reason", "no_action") == 1
    assert value(verdict, "idle", "worker_1") == 0
    assert value(verdict, "use", "worker_1") == 0.0


def test_planner_calls_are_counted_by_trigger() -> None:
    events: dict[int, list[dict[str, Any]]] = {
        2: [
            {"kind": "add_line", "order": "o1", "item": "Ramen"},
            {"kind": "remove_line", "line": "o1.2"},
            {"kind": "fault", "station": "oven_1", "timesteps": 1},
        ],
        4: [{"kind": "remove_line", "line": "o1.7"}],
    }
    trace = HOUSE.ordered(["wait"] * 5, ITEM, at=events)
    refused = PlanRecord(timestep=2, reasoning="", schedule=[], refused="no such worker")
    at = next(i for i, r in enumerate(trace.records) if isinstance(r, PlanRecord) and r.timestep)
    trace = Trace((*trace.records[:at], refused, *trace.records[at:]))
    verdict = judge(trace, HOUSE.truth)
    assert value(verdict, "planner_calls") == 3
    calls = {c.subject: c.value for c in verdict.of("calls_by_trigger")}
    assert calls == {"new_order": 1, "changed_order": 2, "fault": 2}
    assert value(verdict, "schedules_refused") == 1
    assert check(verdict, "schedules_refused").evidence == "2: no such worker"


def test_waste_is_what_was_thrown_away_and_what_is_left() -> None:
    dressing = [*HOUSE.make("(oil + vinegar) > mix 1"), "discard", "navigate(bin)", "discard"]
    tomato = ["navigate(fridge)", "pick(tomato)", "navigate(counter_1)", "place"]
    plate = ["navigate(plates)", "pick", "navigate(bin)", "discard"]
    verdict = HOUSE.judged([*dressing, *tomato, *plate, *HOUSE.serve(TOAST)], ITEM)
    assert value(verdict, "waste_discarded") == 2
    assert check(verdict, "waste_discarded").evidence == "(oil + vinegar) > mix 1"
    assert value(verdict, "waste_left") == 1
    assert value(verdict, "waste") == 3


@settings(max_examples=examples(60, tests=12))
@given(data=st.data())
def test_all_that_was_dispensed_was_served_or_wasted(data: st.DataObject) -> None:
    world, order, dish = HOUSE.world, HOUSE.order(ITEM), HOUSE.serve(TOAST)
    state, _ = world.apply(world.start(), order)
    played: list[dict[str, str]] = []
    dispensed = served = 0
    cut = data.draw(st.integers(0, len(dish)))
    for timestep in range(len(dish)):
        joint = {
            worker: dish[timestep]
            if worker == "worker_1" and timestep < cut
            else data.draw(st.sampled_from(world.legal(state, worker)))
            for worker in world.workers
        }
        before = state
        state, outcomes, _ = world.step(state, commands_of(joint))
        for place, (worker, action) in zip(before.workers, joint.items(), strict=True):
            if not outcomes[worker].done:
                continue
            station = world.kitchen.stations[place.station].kind.name
            dispensed += action.startswith("pick") and station in ("pantry", "fridge")
            if action.startswith("serve"):
                held: Any = place.holding
                served += sum(len(food.ingredients()) for food in held.components)
        played.append(joint)
    trace = HOUSE.play(played, {0: [order]})
    evidence = KitchenEvidence(
        trace=trace,
        truth=HOUSE.truth,
        world=world,
        frames=tuple(replay(trace, world)),
        final=replay_to_end(trace, world)[1],
    )
    wastes = sum(len(food.ingredients()) for foods in find_waste(evidence) for food in foods)
    assert wastes == dispensed - served


def test_the_time_of_a_line_includes_the_timesteps_of_its_order_and_its_serving() -> None:
    actions = HOUSE.serve(TOAST)
    trace = HOUSE.play(["wait", *actions], {1: [HOUSE.order(ITEM)]})
    header = trace.header.model_copy(update={"horizon": None})
    verdict = judge(Trace((header, *trace.records[1:])), HOUSE.truth)
    assert value(verdict, "time_per_line") == len(actions)
    assert value(verdict, "longest_line") == len(actions)
    assert value(verdict, "throughput") == round(100 / (len(actions) + 1), 2)
