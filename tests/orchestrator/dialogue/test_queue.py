"""The queue of an agent: what counts as begun within a timestep, and after it."""

from __future__ import annotations

from cookmas.orchestrator.dialogue.memory import PlanQueue


def test_an_action_that_is_handed_out_is_begun_only_when_its_timestep_is_over() -> None:
    """An agent that is called again within a timestep hands out the same action again."""
    queue = PlanQueue(plan=["pick", "cut", "serve"], at=1, since=5)
    assert queue.actions_left(5) == ["cut", "serve"]
    assert queue.actions_left(6) == ["serve"]


def test_a_plan_of_which_nothing_was_handed_out_is_left_whole() -> None:
    queue = PlanQueue(plan=["pick", "cut"], since=5)
    assert queue.actions_left(5) == queue.actions_left(6) == ["pick", "cut"]
