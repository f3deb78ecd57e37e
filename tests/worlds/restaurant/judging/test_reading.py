from __future__ import annotations

from typing import TYPE_CHECKING

from cookmas import judge
from cookmas.evals.verdict import Check

if TYPE_CHECKING:
    from tests.worlds.restaurant.judging.conftest import House

RIGHT = ["potato > peel 1 > slice 2 > deep-fry 7", "ketchup"]
WRONG = ["potato > peel 1 > slice 2 > deep-fry 9", "ketchup"]
TRUTH = ["ketchup", "potato > peel 1 > slice 2 > deep-fry 6-8"]
MISREAD = ["ketchup", "potato > peel 1 > slice 2 > deep-fry 8-10"]


def judged(
    house: House, served: list[str], understood: list[str] | None, item: str = "French Fries"
) -> tuple[list[Check], list[Check]]:
    said = None if understood is None else {"o1.1": understood}
    trace = house.play(house.serve(served), {0: [house.order(item)]}, understood=said)
    verdict = judge(trace, house.truth)
    return list(verdict.of("reading")), list(verdict.of("error"))


def test_a_wrong_dish_that_was_misread_is_a_reading_error(house: House) -> None:
    (reading,), (error,) = judged(house, WRONG, MISREAD)
    assert reading.passed is False
    assert reading.reason == (
        "understood: potato, peeled for 1 minute, sliced for 2 minutes, "
        "deep-fried for 8 to 10 minutes; "
        "should be: potato, peeled for 1 minute, sliced for 2 minutes, "
        "deep-fried for 6 to 8 minutes"
    )
    assert (error.value, error.reason) == ("reading", "served as it was understood")


def test_a_wrong_dish_that_was_read_right_is_a_scheduling_error(house: House) -> None:
    (reading,), (error,) = judged(house, WRONG, TRUTH)
    assert reading.passed is True
    assert (error.value, error.reason) == ("scheduling", "not served as it was understood")


def test_a_right_dish_that_was_misread_is_reported_and_no_error(house: House) -> None:
    (reading,), errors = judged(house, RIGHT, MISREAD)
    assert reading.passed is False
    assert reading.reason.endswith("the dish was right all the same")
    assert errors == []


def test_a_planner_that_does_not_say_is_unscored(house: House) -> None:
    (reading,), (error,) = judged(house, WRONG, None)
    assert reading.value is error.value is None
    assert error.reason == "the planner does not say what it understood"


def test_an_understanding_that_cannot_be_read_is_unscored(house: House) -> None:
    (reading,), (error,) = judged(house, WRONG, ["potato > fried well"])
    assert reading.value is error.value is None
    assert reading.reason.startswith("what the planner understood cannot be read")


def test_a_level_is_another_word_for_its_minutes(house: House) -> None:
    (reading,), _ = judged(
        house, ["bread > grill 3", "butter"], ["bread > grill 3-4", "butter"], "Buttered Toast"
    )
    assert reading.passed is True


def test_what_was_last_understood_before_serving_counts(house: House) -> None:
    trace = house.play(
        house.serve(RIGHT),
        {
            0: [house.order("French Fries")],
            5: [{"kind": "fault", "station": "oven_1", "timesteps": 1}],
        },
        understood={"o1.1": TRUTH},
    )
    first = next(i for i, r in enumerate(trace.records) if r.kind == "plan")
    misread = trace.records[first].model_copy(update={"understood": {"o1.1": MISREAD}})
    early = type(trace)((*trace.records[:first], misread, *trace.records[first + 1 :]))
    assert [c.passed for c in judge(early, house.truth).of("reading")] == [True]
    assert trace.end
    late = misread.model_copy(update={"timestep": trace.end.timestep})
    after = type(trace)((*trace.records[:-1], late, trace.records[-1]))
    assert [c.passed for c in judge(after, house.truth).of("reading")] == [True]
