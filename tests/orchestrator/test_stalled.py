"""No progress is about what has been made in the kitchen, not about words."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import PlannerClass, PlanRecord, StepRecord
from cookmas.orchestrator.options import MAX_STALLED
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import load_menu_truth

ALLOWED = 5


class Dawdler:
    """Is called at every timestep, and has one worker do the same few things over and over."""

    name = "dawdler"
    planner_class: PlannerClass = "per-step"

    def __init__(self, *actions: str) -> None:
        self._actions = cycle(actions)

    async def plan(self, observation: Observation[Any]) -> Plan:
        """One timestep."""
        return Plan(schedule=[{"worker_1": next(self._actions)}])


@pytest.mark.parametrize(
    ("actions", "new"),
    [
        (["wait"], 1),
        (["wait()"], 1),
        ([" wait"], 1),
        (["navigate(aisle)"], 1),
        (["navigate(fridge)", "navigate(pantry)", "navigate(plates)", "navigate(bin)"], 1),
        (["navigate(fridge)", "pick(butter)", "navigate(counter_1)", "place", "pick"], 3),
        (["pick(nothing)"], 1),
    ],
)
def test_an_episode_in_which_nothing_is_made_ends(actions: list[str], new: int) -> None:
    run = cookmas.play("level1/01", Dawdler(*actions), max_stalled=ALLOWED)
    end = run.trace.end
    assert end
    assert end.termination == "no_progress"
    assert end.why.endswith(f"{ALLOWED} are allowed (--max-stalled).")
    assert run.verdict
    assert run.verdict.success is False
    assert ALLOWED + new <= len(list(run.trace.of(PlanRecord))) <= ALLOWED + new + 2


def test_by_default_25_calls_may_pass() -> None:
    run = cookmas.play("level1/01", Dawdler("wait"))
    assert len(list(run.trace.of(StepRecord))) == 26


def test_nothing_on_the_menu_cooks_for_longer_than_may_be_waited_for() -> None:
    truth = load_menu_truth(load_menu())
    nodes = [node for dish in truth.values() for component in dish for node in component.walk()]
    assert max(step.high for node in nodes for step in node.steps) < MAX_STALLED
