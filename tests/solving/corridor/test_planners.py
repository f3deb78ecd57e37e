"""The planners of the corridor: what they read, and what they tell each other."""

from __future__ import annotations

from pathlib import Path

import pytest

import cookmas
from cookmas.episodes.trace import MessageRecord, PlanRecord, StepRecord, Trace
from cookmas.solving.corridor.planners import place_in


def test_a_team_says_what_only_one_of_them_knows() -> None:
    trace = cookmas.play("corridor/halves", "team").trace
    said = [(record.agent, record.text) for record in trace.of(MessageRecord)]
    assert said[0] == ("walker_1", "blue hangs at 2")
    assert said[1] == ("walker_2", "red hangs at 5")
    assert {record.agent for record in trace.of(PlanRecord)} == {"walker_1", "walker_2"}


def commands_of(trace: Trace) -> list[tuple[str, str]]:
    steps = trace.of(StepRecord)
    return [(each.worker, each.action) for step in steps for each in step.commands]


def test_a_bell_that_all_may_ring_is_for_who_has_the_fewest_actions() -> None:
    done = commands_of(cookmas.play("corridor/two", "embedded").trace)
    assert [each for each in done if each[1].startswith("ring")] == [
        ("walker_1", "ring(red)"),
        ("walker_2", "ring(green)"),
        ("walker_1", "ring(blue)"),
    ]


@pytest.mark.parametrize(
    ("planner", "planning"), [("embedded", {None}), ("team", {"walker_1", "walker_2"})]
)
def test_a_bell_is_for_its_ringer_and_the_other_one_stays(
    planner: str, planning: set[str | None], tmp_path: Path
) -> None:
    path = tmp_path / "red.yaml"
    bell = "{name: red, text: At step 1., ringer: walker_2}"
    path.write_text(f"world: corridor\ntitle: Red\nbells:\n  - {bell}\n")
    trace, stays = cookmas.play(str(path), planner).trace, ("walker_1", "stay")
    assert commands_of(trace) == [stays, ("walker_2", "right"), stays, ("walker_2", "ring(red)")]
    assert {plan.agent for plan in trace.of(PlanRecord)} == planning


@pytest.mark.parametrize(
    ("text", "place"),
    [("three steps", 3), ("12 steps", 12), ("One", 1), ("a stone's throw", None), ("none", None)],
)
def test_the_first_number_is_read(text: str, place: int | None) -> None:
    assert place_in(text) == place


def test_who_cannot_read_gives_up(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text("world: corridor\ntitle: Odd\nbells:\n  - {name: red, text: Somewhere.}\n")
    run = cookmas.play(str(path))
    assert run.trace.end
    assert run.trace.end.termination == "gave_up"
    assert run.success is None
    assert "expected the truth" in str(run.unjudged)
