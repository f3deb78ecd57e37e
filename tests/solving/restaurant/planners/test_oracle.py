"""The oracle is handed what is asked for, and its results stand in a class of their own."""

import pytest

from cookmas.api import play
from cookmas.episodes.trace import PlanRecord


@pytest.mark.parametrize("scenario", ["level1/03", "level2/05"])
def test_the_oracle_serves_what_is_asked_for(scenario: str) -> None:
    run = play(scenario, "oracle")
    assert run.success
    assert run.verdict is not None
    assert run.verdict.planner_class == "oracle"
    assert all(plan.search and plan.search.bound for plan in run.trace.of(PlanRecord))
