"""A planner that asks a model: it plans once or plays, and what it wrote is read back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from cookmas import judge
from cookmas.episodes.conversation import Message
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.models.message import Request
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.scenarios.scenario import load_scenario
from cookmas.scenarios.truth import load_truth
from cookmas.worlds.restaurant.voice import VOICE
from cookmas.worlds.restaurant.voice.blocks import Blocks
from tests.worlds.restaurant.conftest import observe
from tests.worlds.restaurant.reading_back import load_conversation

BARE = Prompting()
WAIT = ["wait", "wait", "wait"]


def asking(model: Any, ways: Prompting = BARE, **options: Any) -> SchedulingPlanner:
    """Return the planner of a model, which is asked in some ways, with some options beside."""
    return SchedulingPlanner(model, replace(ways, **options), voice=VOICE)


def ask(model: Any, observation: Observation[Any], ways: Prompting = BARE, **options: Any) -> Any:
    """Return the plan for an observation."""
    return asyncio.run(asking(model, ways, **options).plan(observation))


def play(planner: Any, name: str) -> Any:
    """Return the trace of a scenario, and its verdict."""
    scenario = load_scenario(name)
    trace = asyncio.run(episode_of(scenario, planner, horizon=400).run())
    return trace, judge(trace, load_truth(scenario))


def seen(**more: Any) -> Any:
    """Return what is seen at first of a scenario with one line."""
    return observe("level1/01", **more)


def read(*messages: Message) -> Blocks:
    """Return what messages to a model tell it."""
    return load_conversation(message.model_dump() for message in messages)


def read_request(request: Request) -> Blocks:
    return read(*request.messages)
