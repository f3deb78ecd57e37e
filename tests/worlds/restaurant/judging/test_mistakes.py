"""What goes wrong in the restaurant is told apart by what it is to blame on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cookmas import judge
from cookmas.episodes.trace import Trace
from cookmas.evals.verdict import Verdict
from cookmas.kitchen.customizations import Done, Without
from tests.worlds.restaurant.judging.house import HOUSE, TOAST

ITEM = "Buttered Toast"
READ = ["bread > grill golden", "butter"]


def kinds(verdict: Verdict) -> dict[str, str]:
    return {check.subject: check.evidence for check in verdict.of("mistake")}


def of_dish(trace: Trace) -> dict[str, str]:
    """Without what is said of the other workers, who only wait in these episodes."""
    found = kinds(judge(trace, HOUSE.truth))
    found.pop("poor allocation", None)
    return found


def test_a_right_dish_in_time_is_no_mistake() -> None:
    assert of_dish(HOUSE.ordered(HOUSE.serve(TOAST), ITEM)) == {}


@pytest.mark.parametrize(
    ("foods", "understood", "kind"),
    [
        (["bread > grill 1", "butter"], None, "timing"),
        (["bread > grill 1", "butter"], READ, "timing"),
        (["bread > grill 1", "butter"], ["bread > grill 1", "butter"], "misread recipe"),
        (["bread > grill 3"], READ, "wrong assembly"),
        (["bread > grill 3"], ["bread > grill 3"], "misread recipe"),
    ],
)
def test_a_wrong_dish_is_one_mistake(
    foods: list[str], understood: list[str] | None, kind: str
) -> None:
    said = {"o1.1": understood} if understood else None
    actions = HOUSE.serve(foods)
    trace = HOUSE.ordered(actions, ITEM, understood=said)
    found = of_dish(trace)
    assert set(found) == {kind}
    assert found[kind].startswith(f"{len(actions) - 1}: o1.1, ")


def test_a_wish_that_is_not_kept_is_a_missed_wish() -> None:
    truth = HOUSE.knowing(Without(food="butter"))
    trace = HOUSE.ordered(HOUSE.serve(TOAST), ITEM, note="as I like it")
    assert "missed wish" in kinds(judge(trace, truth))
    assert "wrong assembly" not in kinds(judge(trace, truth))
    darker = HOUSE.knowing(Done(food="bread", level="dark"))
    found = kinds(judge(trace, darker))
    assert "missed wish" in found
    assert "timing" not in found


def test_a_fail_is_a_violation_but_two_at_one_place_are_poorly_allocated() -> None:
    meeting = {"worker_1": "navigate(grill_1)", "worker_2": "navigate(grill_1)"}
    found = kinds(HOUSE.judged(["pick(onion)", meeting], ITEM))
    assert found["rule violation"].startswith("0: worker_1, ")
    assert found["poor allocation"].startswith("1: worker_2, grill_1 is occupied")


def test_what_a_fault_makes_fail_is_nobodys_mistake() -> None:
    fault = {"kind": "fault", "worker": "worker_1", "timesteps": 3}
    verdict = HOUSE.judged(["navigate(grill_1)"], ITEM, at={0: [fault]})
    assert verdict.summary["fails"] == 1
    assert "rule violation" not in kinds(verdict)


def test_workers_who_hardly_help_in_a_slow_episode_are_poorly_allocated() -> None:
    actions = ["wait"] * 20 + HOUSE.serve(TOAST)
    found = kinds(HOUSE.judged(actions, ITEM))
    assert "worker_2 was busy in 0%" in found["poor allocation"]


def test_who_came_first_and_was_passed_over_shows_a_wrong_priority() -> None:
    later = {"kind": "new_order", "order": "o2", "lines": [{"item": ITEM}]}
    trace = HOUSE.ordered(HOUSE.serve(TOAST, "o2.1"), ITEM, at={2: [later]})
    found = of_dish(trace)
    assert "o1.1 (ordered at 0, not served) was passed over for o2.1" in found["wrong priority"]
    sooner = {**later, "due": 20}
    trace = HOUSE.ordered(HOUSE.serve(TOAST, "o2.1"), ITEM, at={2: [sooner]})
    assert "wrong priority" not in of_dish(trace)


@pytest.mark.parametrize(("due", "passed_over"), [(99, False), (100, True), (101, True)])
def test_who_is_due_at_the_same_time_may_not_go_before(due: int, passed_over: bool) -> None:
    later = {"kind": "new_order", "order": "o2", "lines": [{"item": ITEM}], "due": due}
    found = of_dish(HOUSE.ordered(HOUSE.serve(TOAST, "o2.1"), ITEM, due=100, at={2: [later]}))
    assert ("wrong priority" in found) is passed_over


def test_lines_of_one_order_may_be_served_in_any_order() -> None:
    trace = HOUSE.ordered(HOUSE.serve(TOAST, "o1.2"), ITEM, ITEM)
    assert "wrong priority" not in of_dish(trace)


def test_a_worker_busy_a_third_as_long_as_another_is_not_poorly_used() -> None:
    actions: list[str | dict[str, str]] = [
        {"worker_1": "navigate(fridge)", "worker_2": "navigate(pantry)"},
        "pick(tomato)",
        "navigate(board_1)",
        "wait",
    ]
    found = kinds(HOUSE.judged(actions, ITEM))
    assert "worker_3 was busy in 0%" in found["poor allocation"]
    assert "worker_2" not in found["poor allocation"]


def test_what_is_thrown_away_as_its_line_is_served_is_not_lost() -> None:
    spare, dish = HOUSE.serve(TOAST)[:-2], HOUSE.serve(TOAST)
    actions: list[str | dict[str, str]] = [{"worker_2": action} for action in spare]
    actions += [{"worker_2": "navigate(bin)"}, *dish[:-1]]
    both = {"worker_1": dish[-1], "worker_2": "discard"}
    assert "lost dish" not in of_dish(HOUSE.ordered([*actions, both], ITEM))
    sooner = [*actions[:-1], {"worker_1": dish[-2], "worker_2": "discard"}, dish[-1]]
    assert "lost dish" in of_dish(HOUSE.ordered(sooner, ITEM))


@pytest.mark.parametrize(("after", "lost"), [(0, True), (1, False)])
def test_what_is_thrown_away_before_it_is_ordered_is_not_lost(after: int, lost: bool) -> None:
    actions = [*HOUSE.serve(TOAST)[:-2], "navigate(bin)", "discard", "wait"]
    events = {actions.index("discard") + after: [HOUSE.order(ITEM)]}
    assert ("lost dish" in of_dish(HOUSE.play(actions, events))) is lost


def test_a_dish_that_is_thrown_away_or_left_standing_is_lost() -> None:
    dish = HOUSE.serve(TOAST)[:-2]
    thrown = of_dish(HOUSE.ordered([*dish, "navigate(bin)", "discard"], ITEM))
    assert thrown["lost dish"] == f"{len(dish) + 1}: worker_1 threw o1.1 away"
    left = of_dish(HOUSE.ordered(dish, ITEM))
    assert left["lost dish"] == f"{len(dish)}: o1.1 stood there and was not served"


def test_giving_up_is_said() -> None:
    trace = HOUSE.ordered(["wait"], ITEM, termination="gave_up")
    assert of_dish(trace)["gave up"].startswith("1: gave_up")


def test_a_success_has_a_rate_and_a_failure_steps_to_go() -> None:
    """The example of the docs: bounds of 14 for one toast and of 15 for two, a makespan of 22."""
    actions = HOUSE.serve(TOAST)
    known = replace(HOUSE.truth, best_known=16)
    (against,) = judge(HOUSE.ordered(actions, ITEM), known).of("rate_of_best_known")
    assert against.value == round(16 / 22, 4)
    verdict = HOUSE.judged(actions, ITEM)
    (rate,) = verdict.of("optimality_rate")
    assert rate.value == round(14 / 22, 4)
    assert not list(verdict.of("steps_to_go"))
    nothing = HOUSE.judged(["wait"], ITEM)
    assert [check.value for check in nothing.of("steps_to_go")] == [1.0]
    half = HOUSE.judged(actions, ITEM, ITEM)
    assert [check.value for check in half.of("steps_to_go")] == [round(14 / 15, 4)]
