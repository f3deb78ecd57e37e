"""The published agents, over HTTP, with the scripted model: one robot or two, one model or two."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import yaml

import cookmas
from cookmas.episodes.trace import ModelCall, StepRecord
from cookmas.files.errors import InputError
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planner import Observation
from cookmas.solving.robotouille.asking import OncePlanner
from cookmas.worlds.robotouille.voice import VOICE, example_of
from tests.modelserver.hosting import Hosted
from tests.worlds.recording import Recording
from tests.worlds.robotouille.opened import world_of

pytest.importorskip("uvicorn")

ONE, TWO = "robotouille/synchronous/0-42", "two"


@pytest.fixture(scope="module")
def two_robots(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a small task for two robots."""
    level = example_of(world_of("synchronous/0"), 2).level
    data = {"world": "robotouille", **level.model_dump(exclude_defaults=True)}
    path = tmp_path_factory.mktemp("levels") / "two.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    return str(path)


class Nonsense(Recording):
    """The scripted model, but with actions that there are not."""

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        answer, measured = await super().answer(request)
        return replace(answer, text=answer.text.replace("stack(", "heap(")), measured


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a scripted model without faults."""
    server = Hosted("--seed", "1")
    yield server.url
    server.stop()


@pytest.fixture(scope="module")
def faulty_url() -> Iterator[str]:
    """The address of a scripted model of whose actions many are illegal."""
    server = Hosted("--seed", "1", "--fault", "illegal=0.4")
    yield server.url
    server.stop()


def played(name: str, planner: str, url: str) -> cookmas.Run:
    """Return the episode of a planner whose models are at an address."""
    return cookmas.play(name, planner, model=ModelOptions(model="scripted", base_url=url))


@pytest.mark.parametrize(
    ("name", "planner", "calls"),
    [
        (ONE, "io", 1),
        (ONE, "io-cot", 1),
        (ONE, "react", 7),
        (TWO, "io-cot", 1),
        (TWO, "robot1=io,robot2=io-cot", 2),
        pytest.param(TWO, "react", None, marks=pytest.mark.conformance),
        (TWO, "robot1=react,robot2=react", None),
    ],
)
def test_the_published_agents_reach_the_goal(
    name: str, planner: str, calls: int | None, url: str, two_robots: str
) -> None:
    run = played(two_robots if name == TWO else name, planner, url)
    assert run.success, run.verdict and run.verdict.why
    asked = list(run.trace.of(ModelCall))
    assert calls is None or len(asked) == calls
    if "=" in planner:
        assert {call.agent for call in asked} == {"robot1", "robot2"}


def test_a_line_that_is_no_action_empties_the_plan() -> None:
    run = cookmas.play(ONE, OncePlanner(Nonsense()))
    assert run.success is False
    (call,) = run.trace.of(ModelCall)
    assert call.unusable == "outside_schema"
    assert list(run.trace.of(StepRecord)) == []
    assert run.trace.end is not None
    assert run.trace.end.termination == "gave_up"


def test_a_plan_ends_with_its_first_fail(faulty_url: str) -> None:
    run = played(ONE, "io", faulty_url)
    assert run.success is False
    assert len(list(run.trace.of(ModelCall))) == 1
    assert [bool(step.fails) for step in run.trace.of(StepRecord)][-1:] == [True]
    assert run.trace.end is not None
    assert run.trace.end.why == "the only plan has ended without the goal"


def test_feedback_costs_react_no_timestep(faulty_url: str) -> None:
    run = played(ONE, "react", faulty_url)
    assert run.success
    steps = list(run.trace.of(StepRecord))
    assert [step.timestep for step in steps if step.fails] == []
    calls = list(run.trace.of(ModelCall))
    repairs = [call for call in calls if call.purpose == "repair"]
    assert len(calls) - len(repairs) == len(steps)
    assert repairs


def test_react_remembers_the_last_decision_alone() -> None:
    react = VOICE.presets["react"]
    assert (react.memory, react.memory_of, react.per_step) == (1, "decisions", True)
    assert (react.look_ahead, react.retries) == (5, 5)


def test_the_plan_of_an_answer_is_the_only_one() -> None:
    world = world_of("synchronous/0-42")
    later: Any = Observation(
        timestep=3, triggers=(), world=world, state=world.start(), texts={}, fails={}
    )
    planner = OncePlanner(Recording(), voice=VOICE)
    plan = asyncio.run(planner.plan(later))
    assert plan.gave_up == "the only plan has ended without the goal"
    assert list(asyncio.run(planner.turn(later)).actions or ()) == ["wait"]


@pytest.mark.parametrize(
    ("name", "robots"), [("synchronous/0", 1), ("two-robots/1", 2), ("bench/0", 1)]
)
def test_a_domain_file_has_an_example_for_prompts(name: str, robots: int) -> None:
    world = world_of(name)
    observation: Any = Observation(
        timestep=0, triggers=(), world=world, state=world.start(), texts={}, fails={}
    )
    shown = VOICE.demonstration(observation, robots, None)
    assert len(shown["timesteps"]) > 4
    assert all(len(step["actions"]) == robots for step in shown["timesteps"])
    assert VOICE.demonstration(observation, robots, 2)["timesteps"] == shown["timesteps"][:2]
    with pytest.raises(InputError, match="expected at most 3, the places of the example"):
        example_of(world, 4)


def test_a_domain_file_without_an_example_has_no_demonstration() -> None:
    world = world_of("bench/0")
    entries = world.domain.entries.model_copy(update={"example": None})
    with pytest.raises(InputError, match="the domain file has no example; leave it out"):
        example_of(world_of("bench/0", domain=entries), 1)
