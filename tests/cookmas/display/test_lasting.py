"""Outputs about worlds whose actions last: actions are no timesteps, and lists are short."""

from __future__ import annotations

from functools import cache

import pytest

import cookmas
from cookmas.display.page.comparing import Film, difference
from cookmas.display.page.feed import entries
from cookmas.display.watch.story import Story
from cookmas.episodes.trace import ModelCall, PlanRecord, Trace
from cookmas.evals.planning import LONGEST_LIST, list_some
from cookmas.evals.verdict import Check
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.planners.llm import TalkingTeam
from cookmas.worlds.collab_overcooked.voice import VOICE
from tests.worlds.recording import Recording


@cache
def cooked(**faults: float) -> cookmas.Run:
    """Return a run of two models with these faults. It is not to be changed."""
    team = TalkingTeam([Recording(**faults)] * 2, ["bob", "alice"], PRESETS["collab"], voice=VOICE)
    return cookmas.play("collab-overcooked/level_3/02", team)


@pytest.fixture(scope="module")
def run() -> cookmas.Run:
    return cooked()


def decisions(trace: Trace) -> int:
    """Return how many plans of a model there are; the others only continue one."""
    asked = {(call.timestep, call.agent) for call in trace.of(ModelCall)}
    return sum((plan.timestep, plan.agent) in asked for plan in trace.of(PlanRecord))


def check_of(run: cookmas.Run, name: str) -> Check:
    assert run.verdict
    (check,) = run.verdict.of(name)
    return check


def test_a_story_counts_actions_and_tells_no_plan_that_only_goes_on(run: cookmas.Run) -> None:
    story = Story(run.trace.header)
    notes = [note.text for record in run.trace.records for note in story.take(record)]
    told = [note for note in notes if "a schedule of" in note]
    plans = len(list(run.trace.of(PlanRecord)))
    assert all(" actions" in note and "timesteps" not in note for note in told)
    assert decisions(run.trace) <= len(told) == story.calls < plans


def test_a_page_has_no_entry_for_a_plan_that_only_goes_on(run: cookmas.Run) -> None:
    found = list(entries(run.trace))
    assert found[0]["lasting"] is True
    shown = [each for each in found if each["kind"] == "plan"]
    assert decisions(run.trace) <= len(shown) < len(list(run.trace.of(PlanRecord)))
    corridor = cookmas.play("two", world="corridor").trace
    assert "lasting" not in next(iter(entries(corridor)))


def test_a_comparison_counts_actions(run: cookmas.Run) -> None:
    one, other = (Film(list(entries(each.trace))) for each in (run, cooked(illegal=0.4)))
    alone = [
        t
        for t in range(min(one.length, other.length))
        if one.entries_at(t, "plan") and not other.entries_at(t, "plan")
    ]
    told = str(difference(one, other, alone[0], "schedule"))
    assert " actions" in told
    assert "timesteps" not in told


def test_the_answers_of_a_model_are_told_apart_from_other_decisions(run: cookmas.Run) -> None:
    check = check_of(run, "planner_calls")
    assert check.value == len(list(run.trace.of(PlanRecord)))
    assert check.evidence.startswith(f"{decisions(run.trace)} of a model; at timesteps 0, 0, ")


@pytest.fixture(scope="module")
def half_random() -> cookmas.Run:
    return cookmas.play("overcooked/cramped_room", "half-random", settings={"horizon": 150})


@pytest.mark.parametrize("name", ["planner_calls", "fails", "schedules_refused"])
def test_no_list_in_the_evidence_is_longer_than_a_line(half_random: cookmas.Run, name: str) -> None:
    assert len(check_of(half_random, name).evidence) < LONGEST_LIST + 80
    check = check_of(cooked(illegal=0.6, wrong_item=0.3), name)
    assert len(check.evidence) < 2 * LONGEST_LIST


def test_a_list_names_the_first_and_how_many_more_there_are() -> None:
    assert list_some([]) == ""
    assert list_some(["1", "2"]) == "1, 2"
    long = list_some([str(n) for n in range(500)])
    shown = long.partition(" and ")[0].split(", ")
    assert len(shown) + int(long.split()[-2]) == 500
    assert list_some(["x" * 300, "y"], "; ") == f"{'x' * 300} and 1 more"
