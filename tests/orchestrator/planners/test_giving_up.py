"""A planner whose model gives no answer that can be used gives up, and keeps its calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cookmas.episodes.trace import ModelCall, PlanRecord
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.episode import Episode
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.worlds.corridor.voice import VOICE
from tests.orchestrator.answering import RED, termination
from tests.orchestrator.dialogue.test_plans import Prepared


@pytest.mark.parametrize("retries", [0, 2])
async def test_the_planner_gives_up_after_its_last_retry(
    corridor: Callable[..., Episode], retries: int
) -> None:
    model = Prepared(*[{"schedule": "soon"}] * 3)
    planner = SchedulingPlanner(model, Prompting(retries=retries), voice=VOICE)
    trace = await corridor(planner, (0, RED)).run()
    assert termination(trace) == "gave_up"
    assert [call.unusable for call in trace.of(ModelCall)] == ["outside_schema"] * (1 + retries)
    (plan,) = trace.of(PlanRecord)
    assert plan.gave_up
    assert not plan.schedule
