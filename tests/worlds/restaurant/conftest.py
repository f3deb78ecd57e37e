"""A model in this process that answers from the messages alone, as a perfect model would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.episodes.conversation import ToolCall, Usage
from cookmas.episodes.world import Trigger
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    ModelAnswer,
    Request,
    estimate_tokens,
)
from cookmas.orchestrator.planner import Observation
from cookmas.scenarios.scenario import KitchenScenario, load_scenario
from cookmas.solving.restaurant import asking, planners
from cookmas.solving.restaurant.planners import EmbeddedPlanner, Understander
from cookmas.solving.restaurant.scheduling.bound import Wanted
from cookmas.solving.restaurant.scheduling.decode import ScheduleResult
from cookmas.solving.restaurant.scheduling.schedule import make_schedule
from cookmas.worlds.restaurant.voice.blocks import LOOK_UP
from tests.worlds.restaurant.reading_back import load_conversation, observation_in

Reply = str | ModelAnswer | Callable[[Request], "str | ModelAnswer"]


def answer(text: str = "", **more: Any) -> ModelAnswer:
    usage = Usage(prompt=0, completion=estimate_tokens(text))
    return ModelAnswer(text=text, model="scripted", usage=usage, **more)


async def perfect(request: Request) -> ModelAnswer:
    """Return the embedded planner's answer, computed from the request alone."""
    blocks = load_conversation(m.model_dump() for m in request.messages)
    items = dict.fromkeys(line.item for line in blocks.lines.values())
    missing = [item for item in items if item not in blocks.recipes]
    if missing and request.tools:
        calls = tuple(
            ToolCall(id=f"call_{n}", name=LOOK_UP.tool, arguments=json.dumps({LOOK_UP.key: item}))
            for n, item in enumerate(missing)
        )
        return answer(finish_reason="tool_calls", tool_calls=calls)
    task = blocks.call["task"]
    if task == "read":
        understood = Understander(blocks.world.kitchen).understand(blocks.lines, blocks.recipes)
        return answer(json.dumps({"reasoning": "read", "lines": understood.notation()}))
    plan = await EmbeddedPlanner().plan(observation_in(blocks))
    schedule = plan.schedule[:1] if task == "step" else plan.schedule
    return answer(json.dumps({"reasoning": "thought", "schedule": list(schedule)}))


@dataclass
class Scripted:
    """Returns its prepared answers in order, then perfect ones."""

    replies: list[Reply] = field(default_factory=list)
    name: str = "scripted"
    requests: list[Request] = field(default_factory=list)

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        self.requests.append(request)
        reply: Any = self.replies.pop(0) if self.replies else await perfect(request)
        if callable(reply):
            reply = reply(request)
        given = answer(reply) if isinstance(reply, str) else reply
        return given, CallMeasurements(seconds=0.0)


def observe(scenario: KitchenScenario | str, **more: Any) -> Observation[Any]:
    """Return a planner's observation at timestep 0 of a scenario, with all recipes looked up."""
    if isinstance(scenario, str):
        scenario = load_scenario(scenario)
    world = scenario.world()
    state = world.start()
    for at, event in scenario.events():
        if at == 0:
            state, _ = world.apply(state, event)
    texts = {item: asyncio.run(scenario.look_up(item)) for item in world.lookups(state)}
    given: dict[str, Any] = {
        "timestep": 0,
        "triggers": (Trigger(kind="new_order", cause="order o1 came in"),),
        "world": world,
        "state": world.observe(state),
        "texts": texts,
        "fails": {},
        "look_up": scenario.look_up,
    }
    return Observation(**{**given, **more})


def schedule_of(*entries: Sequence[str] | dict[str, str], **more: Any) -> str:
    """Return an answer with a schedule; an entry may be given as the actions in order."""
    data = [
        entry if isinstance(entry, dict) else {f"worker_{n}": a for n, a in enumerate(entry, 1)}
        for entry in entries
    ]
    return json.dumps({"schedule": data, **more})


@pytest.fixture
def models() -> Any:
    """Return this module's helpers, for the tests in this folder."""
    return SimpleNamespace(
        Scripted=Scripted,
        answer=answer,
        observe=observe,
        perfect=perfect,
        schedule_of=schedule_of,
    )


@pytest.fixture(scope="module")
def searched_once() -> Iterator[None]:
    """Search once for each combination of kitchen, state and dishes, and reuse the schedule.

    Other modules test that a repeated search finds the same schedule.
    """
    found: dict[str, ScheduleResult] = {}

    def remembered(
        kitchen: Kitchen, state: KitchenState, wanted: Wanted, **how: Any
    ) -> ScheduleResult:
        world = Restaurant(kitchen)
        dishes = {line: list(map(str, components)) for line, components in wanted.items()}
        asked = repr((world.setup(), world.dump(state), dishes, sorted(how.items())))
        if asked not in found:
            found[asked] = make_schedule(kitchen, state, wanted, **how)
        known = found[asked]
        return replace(known, schedule=[dict(entry) for entry in known.schedule])

    with pytest.MonkeyPatch.context() as patch:
        for planner in (planners, asking):
            patch.setattr(planner, "make_schedule", remembered)
        yield
