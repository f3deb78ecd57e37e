"""What the planner says it understood, beside what it should be and what was served."""

from __future__ import annotations

import pytest

from cookmas import judge
from cookmas.evals.verdict import Check
from tests.worlds.restaurant.judging.house import HOUSE, TOAST

RIGHT = ["potato > peel 1 > slice 2 > deep-fry 7", "ketchup"]
WRONG = ["potato > peel 1 > slice 2 > deep-fry 9", "ketchup"]
TRUTH = ["ketchup", "potato > peel 1 > slice 2 > deep-fry 6-8"]
MISREAD = ["ketchup", "potato > peel 1 > slice 2 > deep-fry 8-10"]


def judged(
    served: list[str], understood: list[str] | None, item: str = "French Fries"
) -> tuple[Check, list[Check]]:
    said = None if understood is None else {"o1.1": understood}
    verdict = HOUSE.judged(HOUSE.serve(served), item, understood=said)
    (reading,) = verdict.of("reading")
    return reading, list(verdict.of("error"))


def test_a_wrong_dish_that_was_misread_is_a_reading_error() -> None:
    reading, (error,) = judged(WRONG, MISREAD)
    assert reading.passed is False
    fries = "potato, peeled for 1 minute, sliced for 2 minutes, deep-fried for {} minutes"
    read, wanted = fries.format("8 to 10"), fries.format("6 to 8")
    assert reading.reason == f"understood: {read}; should be: {wanted}"
    assert (error.value, error.reason) == ("reading", "served as it was understood")


def test_a_wrong_dish_that_was_read_right_is_a_scheduling_error() -> None:
    reading, (error,) = judged(WRONG, TRUTH)
    assert (reading.passed, reading.reason) == (True, "understood as it should be")
    assert (error.value, error.passed) == ("scheduling", False)
    assert error.reason == "not served as it was understood"


def test_a_right_dish_that_was_misread_is_reported_and_no_error() -> None:
    reading, errors = judged(RIGHT, MISREAD)
    assert reading.passed is False
    assert reading.reason.endswith("the dish was right all the same")
    assert errors == []


@pytest.mark.parametrize(
    ("understood", "why"),
    [
        (None, "the planner does not say what it understood"),
        (["potato > fried well"], "what the planner understood cannot be read"),
    ],
)
def test_a_planner_that_does_not_say_it_is_unscored(understood: list[str] | None, why: str) -> None:
    reading, (error,) = judged(WRONG, understood)
    assert reading.value is error.value is None
    assert reading.reason.startswith(why)
    assert error.reason.startswith(why)


def test_a_level_is_another_word_for_its_minutes() -> None:
    reading, _ = judged(TOAST, ["bread > grill 3-4", "butter"], "Buttered Toast")
    assert reading.passed is True


def test_what_was_last_understood_before_serving_counts() -> None:
    fault = {"kind": "fault", "station": "oven_1", "timesteps": 1}
    said = {"o1.1": TRUTH}
    trace = HOUSE.ordered(HOUSE.serve(RIGHT), "French Fries", at={5: [fault]}, understood=said)
    first = next(i for i, r in enumerate(trace.records) if r.kind == "plan")
    misread = trace.records[first].model_copy(update={"understood": {"o1.1": MISREAD}})
    early = type(trace)((*trace.records[:first], misread, *trace.records[first + 1 :]))
    assert [c.passed for c in judge(early, HOUSE.truth).of("reading")] == [True]
    assert trace.end
    late = misread.model_copy(update={"timestep": trace.end.timestep})
    after = type(trace)((*trace.records[:-1], late, trace.records[-1]))
    assert [c.passed for c in judge(after, HOUSE.truth).of("reading")] == [True]
