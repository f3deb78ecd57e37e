"""What a message says to a model whose answer cannot be used, or would FAIL."""

from __future__ import annotations

from collections.abc import Callable

from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.episode import Episode
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.worlds.corridor.voice import VOICE
from tests.orchestrator.answering import RED
from tests.orchestrator.dialogue.test_plans import Prepared


async def test_a_message_shows_the_first_forty_violations(
    corridor: Callable[..., Episode],
) -> None:
    at_the_wall = [{"t": now, "walker_1": "left"} for now in range(45)]
    model = Prepared({"reasoning": "hm", "schedule": at_the_wall})
    planner = SchedulingPlanner(model, Prompting(form="rows", look_ahead=1), voice=VOICE)
    await corridor(planner, (0, RED), horizon=1).run()
    violations = model.blocks(1)["CALL"]["violations"]
    assert [each["timestep"] for each in violations] == [*range(40)]
