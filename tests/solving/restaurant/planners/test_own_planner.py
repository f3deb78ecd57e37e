"""The planner of the how-to, as it stands there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cookmas import judge
from cookmas.episodes.trace import ModelCall
from cookmas.orchestrator.episode import episode_of
from cookmas.scenarios.scenario import load_scenario
from cookmas.scenarios.truth import load_truth

HOW_TO = Path(__file__).parents[4] / "docs" / "how-to" / "write-a-planner.md"


@pytest.mark.parametrize("said", ["o1.2", " o1.1\n", "whichever you like"])
def test_it_serves_what_the_model_names_first(said: str, models: Any) -> None:
    code = HOW_TO.read_text().split("```python\n")[1].split("```")[0]
    assert len(code.splitlines()) <= 40
    module: dict[str, Any] = {"__name__": "my_planner"}
    exec(compile(code, str(HOW_TO), "exec"), module)
    scenario = load_scenario("level2/06")
    planner = module["OrderOfServing"](models.Scripted([said] * 9))
    trace = asyncio.run(episode_of(scenario, planner, horizon=400).run())
    verdict = judge(trace, load_truth(scenario))
    assert verdict.success, verdict.why
    assert trace.header.planner == "order-of-serving"
    served = {goal.name: goal.when for goal in verdict.goals}
    if said.strip() in served:
        assert min(served, key=lambda name: served[name] or 0) == said.strip()
    assert list(trace.of(ModelCall))
