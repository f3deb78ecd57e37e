"""The planners that dispatch by a rule."""

from __future__ import annotations

import pytest

import cookmas
from cookmas.episodes.trace import PlanRecord
from cookmas.solving.dispatching import RULES
from cookmas.worlds.restaurant.domain import DOMAIN


def test_every_rule_has_a_planner() -> None:
    assert set(RULES) <= set(DOMAIN.planners)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_plays_a_scenario_with_replans_and_serves_everything(rule: str) -> None:
    run = cookmas.play("level3/05", rule)
    assert run.success
    plans = list(run.trace.of(PlanRecord))
    assert len(plans) > 1
    found = {plan.search.configuration for plan in plans if plan.search}
    assert f"rule {rule}" in found
