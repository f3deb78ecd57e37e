"""Trajectories and talk in the corridor, against values computed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import cookmas
from cookmas.episodes.trace import MessageRecord, Trace
from cookmas.evals.verdict import Verdict
from cookmas.worlds.corridor.judging import fewest, tells, ways


def judged(scenario: str, planner: str) -> Verdict:
    verdict = cookmas.play(f"corridor/{scenario}", planner).verdict
    assert verdict
    return verdict


def test_the_bells_are_shared_in_every_order_by_those_who_may_ring_them() -> None:
    bells = {"red": {"ringer": None}, "blue": {"ringer": "b"}}
    found = ways(bells, ["a", "b"])
    assert len(found) == 3
    for way in (
        {"a": ("red",), "b": ("blue",)},
        {"a": (), "b": ("red", "blue")},
        {"a": (), "b": ("blue", "red")},
    ):
        assert way in found


@pytest.mark.parametrize(("bells", "count"), [(0, 1), (4, 120), (5, 0)])
def test_more_bells_than_four_have_too_many_ways(bells: int, count: int) -> None:
    """Four bells have 24 orders, and each of these is cut in two in five ways."""
    found = ways({f"bell {n}": {"ringer": None} for n in range(bells)}, ["a", "b"])
    assert len(found) == count


@pytest.mark.parametrize("planner", ["embedded", "team"])
@pytest.mark.parametrize("scenario", ["one", "two", "halves"])
def test_who_rings_every_bell_where_it_hangs_has_made_all_progress(
    scenario: str, planner: str
) -> None:
    (progress,) = judged(scenario, planner).of("progress_completeness")
    assert progress.value == 1.0


def test_a_bell_rung_elsewhere_is_no_progress(tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.yaml"
    lines = ["- {walker_1: right}\n"] * 3 + ["- {walker_1: ring(red)}\n"]
    lines += ["- {walker_1: ring(blue)}\n", "- {walker_2: ring(green)}\n"]
    schedule.write_text("".join(lines))
    verdict = judged("two", str(schedule))
    (progress,) = verdict.of("progress_completeness")
    # Best shared as red and blue, and green: half of the one part is done, all of the other.
    assert progress.value == pytest.approx((0.5 + 1) / 2)


def test_who_knows_tells_and_who_rings_heeds_it() -> None:
    verdict = judged("halves", "team")
    for name in ("initiated", "responded"):
        assert {check.subject: check.passed for check in verdict.of(name)} == {
            "red": True,
            "blue": True,
        }


def test_what_is_not_said_is_not_initiated_nor_responded_to() -> None:
    run = cookmas.play("corridor/halves", "team")
    records = [record for record in run.trace.records if not isinstance(record, MessageRecord)]
    silent = Trace(records=tuple(records))
    verdict = cookmas.judge(silent, {"red": 5, "blue": 2})
    assert [check.passed for check in verdict.of("initiated")] == [False, False]
    assert [check.passed for check in verdict.of("responded")] == [False, False]


def test_a_planner_for_all_has_nobody_to_tell() -> None:
    assert not list(judged("halves", "embedded").of("initiated"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("red hangs at 5, blue hangs at 2", True),
        ("The red bell hangs five steps from the left end.", True),
        ("RED: 5", True),
        ("The red one is at five", True),
        ("red hangs at 2, blue hangs at 5", False),
        ("red is at 5 or 6", False),
        ("the infrared one is at 5", False),
        ("red!", False),
    ],
)
def test_a_text_tells_where_a_bell_hangs(text: str, told: bool) -> None:
    assert tells(text, "red", 5) is told


def test_the_optimum_is_that_of_who_knows_what_will_be_asked_for() -> None:
    run = cookmas.play("corridor/one", "embedded")
    # Three steps and ringing; one walker alone is sent, and at once.
    assert run.verdict
    (rate,) = run.verdict.of("optimality_rate")
    assert run.trace.end
    assert rate.value == pytest.approx(run.trace.end.timestep / 4)
    assert rate.reason.endswith("against an optimum of 4")
    assert not list(run.verdict.of("steps_to_go"))
    assert [goal.when for goal in run.verdict.goals] == [run.trace.end.timestep - 1]


@pytest.mark.parametrize(
    ("bells", "asked", "places", "timesteps"),
    [
        # One walker rings red at 3 (timestep 4), the other blue at 8 (timestep 9).
        ({"red": None, "blue": None}, {}, {"a": 0, "b": 0}, 9),
        # B alone may ring both: 3, ring, 5 more, ring.
        ({"red": "b", "blue": "b"}, {}, {"a": 0, "b": 0}, 10),
        # From 8 blue is at hand, and a has red.
        ({"red": None, "blue": None}, {}, {"a": 2, "b": 8}, 2),
        # Red is asked for at 20; who waits there rings at once.
        ({"red": None, "blue": None}, {"red": 20}, {"a": 0, "b": 0}, 21),
        ({}, {}, {"a": 0, "b": 0}, 0),
    ],
)
def test_the_fewest_timesteps_by_hand(
    bells: dict[str, str | None], asked: dict[str, int], places: dict[str, int], timesteps: int
) -> None:
    there = {name: {"ringer": ringer} for name, ringer in bells.items()}
    assert fewest(there, {"red": 3, "blue": 8}, places, asked) == timesteps
    many = {f"bell {n}": {"ringer": None} for n in range(5)}
    assert fewest(many, dict.fromkeys(many, 1), places, {}) is None


def test_steps_to_go_are_those_from_where_the_walkers_are(tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.yaml"
    schedule.write_text("- {walker_1: right}\n- {walker_2: right}\n")
    verdict = judged("one", str(schedule))
    (left,) = verdict.of("steps_to_go")
    # Both stand at 1: two steps and ringing, of four timesteps in all.
    assert left.value == pytest.approx(3 / 4)
    assert not list(verdict.of("optimality_rate"))


def test_who_began_to_talk_and_who_answered_is_counted() -> None:
    verdict = judged("halves", "team")
    began = {check.subject: check.value for check in verdict.of("talk_initiated")}
    answered = {check.subject: check.value for check in verdict.of("talk_responded")}
    # Walker 1 tells first, walker 2 tells it back; later it repeats that unasked.
    assert began["walker_1"] == 1
    assert answered == {"walker_1": 0, "walker_2": 1}
    assert not list(judged("halves", "embedded").of("talk_initiated"))
