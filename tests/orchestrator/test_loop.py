"""The plain loop writes the trace of the graph, byte for byte, whatever planners and events do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.trace import PlannerClass, StepRecord
from cookmas.orchestrator.episode import Episode, episode_of
from cookmas.orchestrator.graph import graph
from cookmas.orchestrator.graph.graph import play_in_graph
from cookmas.orchestrator.graph.recorder import REFERRED_KEPT
from cookmas.orchestrator.graph.restoring import count_kept_records
from cookmas.orchestrator.loop import play_in_loop
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.corridor.planners import EmbeddedPlanner
from cookmas.workers.protocol import ScriptedWorker
from tests.orchestrator.test_rewinding import EVENTS, Erratic, forked
from tests.orchestrator.test_turns_of_a_world import Caller, episode
from tests.sampling import examples

ANY_FIXTURE = [HealthCheck.function_scoped_fixture]


PLAYED: list[bool] = []
"""Of each episode whether the loop played it."""


def same(make: Callable[..., Episode]) -> list[str]:
    """Play an episode in both; return the lines of its trace, which are the same."""
    lines = [list(asyncio.run(make(in_graph=each).run()).lines()) for each in (True, False)]
    assert PLAYED[-2:] == [False, True]
    assert lines[0] == lines[1]
    return lines[0]


@pytest.fixture(autouse=True)
def played(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Note who plays an episode."""
    PLAYED.clear()

    def in_graph(*args: Any, **more: Any) -> Any:
        PLAYED.append(False)
        return play_in_graph(*args, **more)

    def in_loop(*args: Any) -> Any:
        PLAYED.append(True)
        return play_in_loop(*args)

    monkeypatch.setattr(graph, "play_in_graph", in_graph)
    monkeypatch.setattr("cookmas.orchestrator.episode.play_in_loop", in_loop)
    return PLAYED


@settings(max_examples=examples(25, 10), suppress_health_check=ANY_FIXTURE)
@given(
    seed=st.integers(0, 10**6),
    stalled=st.integers(1, 8),
    horizon=st.integers(1, 30),
    events=st.lists(st.sampled_from(EVENTS), max_size=5),
)
def test_whatever_a_planner_answers(
    corridor: Callable[..., Episode], seed: int, stalled: int, horizon: int, events: Any
) -> None:
    def make(*, in_graph: bool) -> Episode:
        limits = {"horizon": horizon, "max_stalled": stalled}
        return corridor(Erratic(seed), *events, in_graph=in_graph, **limits)

    same(make)


class _Member:
    """Talks, refuses, fails or goes on, as its seed says."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    async def turn(self, observation: Observation[Any]) -> Turn:
        number = (self.seed + observation.timestep * 7 + len(observation.talk) * 3) % 11
        if number == 10 and self.seed % 3 == 0:
            raise ValueError("no idea")
        actions = [["right"], ["left", "left"], ["hop"], None, []][number % 5]
        return Turn(say=f"{number}" if number % 2 else "", actions=actions)


@settings(max_examples=examples(15, 8), suppress_health_check=ANY_FIXTURE)
@given(seed=st.integers(0, 10**6), horizon=st.integers(1, 20))
def test_whatever_a_team_says(corridor: Callable[..., Episode], seed: int, horizon: int) -> None:
    def make(*, in_graph: bool) -> Episode:
        members = {"walker_1": _Member(seed), "walker_2": _Member(seed // 7)}
        team = Team(name="two", planner_class="embedded", members=members, rounds=2)
        return corridor(team, *EVENTS, horizon=horizon, in_graph=in_graph)

    same(make)


class _Scribbler(EmbeddedPlanner):
    """Writes into everything that it is shown."""

    async def plan(self, observation: Observation[Any]) -> Plan:
        plan = await super().plan(observation)
        observation.state["places"] = {}
        observation.state["timestep"] = -1
        return plan


class _Ending:
    name = "ending"
    planner_class: PlannerClass = "fixed"

    def __init__(self, answer: Plan | Exception) -> None:
        self.answer = answer

    async def plan(self, observation: Observation[Any]) -> Plan:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    "planner",
    [
        _Scribbler(),
        _Ending(Plan(schedule=(), gave_up="too hard")),
        _Ending(ZeroDivisionError("bug")),
        _Ending(Plan(schedule=[{"nobody": "hop"}])),
    ],
    ids=["scribbles", "gives up", "fails", "is refused"],
)
def test_however_planning_ends(corridor: Callable[..., Episode], planner: Any) -> None:
    same(lambda **more: corridor(planner, *EVENTS, horizon=40, **more))


@pytest.mark.usefixtures("least_effort")
@pytest.mark.parametrize(
    ("name", "planner"), [("level1/02", "naive"), ("level2/03", "naive"), ("level3/02", "embedded")]
)
def test_the_restaurant(name: str, planner: str) -> None:
    scenario = cookmas.load_scenario(name)
    loaded = cookmas.load_planner(planner, scenario)
    lines = same(lambda **more: episode_of(scenario, loaded, horizon=400, **more))
    assert '"termination":"finished"' in lines[-1]


@pytest.mark.parametrize("dice", [(8,), (5,), (1, 1, 1)])
@pytest.mark.parametrize("action", ["add", "hop"])
def test_turns_chance_and_endings(dice: tuple[int, ...], action: str) -> None:
    planner = Caller(action)
    planner.planner_class = "fixed"
    same(lambda **more: episode(planner, *dice, horizon=9, **more))


def test_a_fork_begins_in_the_loop_where_its_trace_ends(
    corridor: Callable[..., Episode], tmp_path: Path
) -> None:
    parent = asyncio.run(corridor(Erratic(3), *EVENTS, horizon=12).run())
    for at in (0, 5, 9):
        assert count_kept_records(parent, at)
        lines = "".join(f"{line}\n" for line in forked(parent, at))

        def make(at: int = at, lines: str = lines, *, in_graph: bool) -> Episode:
            path = tmp_path / f"{at}-{in_graph}.jsonl"
            path.write_text(lines)
            return corridor(Erratic(3), *EVENTS, horizon=12, path=path, in_graph=in_graph)

        same(make)


def test_an_event_is_injected_into_the_loop_too(
    corridor: Callable[..., Episode], played: list[bool]
) -> None:
    async def play() -> list[int]:
        running = corridor(EmbeddedPlanner(), EVENTS[0])
        async for record in running.stream():
            if isinstance(record, StepRecord) and record.timestep == 1:
                running.inject({"kind": "bell", "name": "green"})
        return []

    asyncio.run(play())
    assert played == [True]


class _Other(ScriptedWorker):
    """A worker of another kind."""


@pytest.mark.parametrize(
    ("planner_class", "more", "loop"),
    [
        ("embedded", {}, True),
        ("oracle", {}, True),
        ("fixed", {}, True),
        ("fixed", {"in_graph": True}, False),
        ("fixed", {"workers": {"walker_1": _Other()}}, False),
        ("pure", {}, False),
        ("assisted", {}, False),
        ("hybrid", {}, False),
        ("per-step", {}, False),
        ("mixed", {}, False),
    ],
)
def test_which_one_plays(
    corridor: Callable[..., Episode],
    played: list[bool],
    planner_class: PlannerClass,
    more: dict[str, Any],
    loop: bool,
) -> None:
    planner = _Ending(Plan(schedule=(), gave_up="no"))
    planner.planner_class = planner_class
    asyncio.run(corridor(planner, EVENTS[0], **more).run())
    assert played == [loop]


def test_a_sweep_and_a_play_without_a_folder_need_no_graph(
    played: list[bool], tmp_path: Path
) -> None:
    assert cookmas.play("corridor/halves").success
    assert cookmas.play("corridor/halves", folder=tmp_path / "run").success
    assert played == [True, False]


class _Rememberer:
    """Asks at its first call that something be kept, and plans a single timestep at each."""

    name = "rememberer"
    planner_class: PlannerClass = "embedded"

    def __init__(self) -> None:
        self.seen: list[Any] = []

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen.append(dict(observation.memory))
        memory = None if observation.timestep else {"word": "red"}
        return Plan(schedule=[{"walker_1": "wait"}], memory=memory)


@pytest.mark.parametrize("in_graph", [False, True])
async def test_what_was_said_to_be_kept_long_ago_is_at_hand(
    corridor: Callable[..., Episode], tmp_path: Path, in_graph: bool
) -> None:
    planner = _Rememberer()
    calls = 2 * REFERRED_KEPT
    limits = {"horizon": calls, "max_stalled": calls}
    path = tmp_path / "trace.jsonl"
    await corridor(planner, (0, EVENTS[0][1]), path=path, in_graph=in_graph, **limits).run()
    assert planner.seen == [{}, *[{"word": "red"}] * (calls - 1)]
