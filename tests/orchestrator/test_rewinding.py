"""A fork's planner observes just what the parent's did, however erratic that is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cookmas.episodes.trace import (
    Chain,
    EventRecord,
    ForkRecord,
    MemoryRecord,
    PlannerClass,
    StepRecord,
    Trace,
    to_line,
)
from cookmas.episodes.world import Command, Commands
from cookmas.orchestrator.episode import Episode
from cookmas.orchestrator.graph.restoring import count_kept_records
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.corridor.world import Corridor, CorridorLevel, CorridorWorld

ACTIONS = ("left", "right", "right", "stay", "ring(red)", "ring(blue)", "ring(green)")
EVENTS = (
    (0, {"kind": "bell", "name": "red"}),
    (4, {"kind": "bell", "name": "blue"}),
    (5, {"kind": "bell", "name": "blue"}),
    (6, {"kind": "instruct", "words": "hurry"}),
    (19, {"kind": "bell", "name": "green"}),
)


PRICES = st.sampled_from([None, "1 seconds", "0.3 seconds"])


class Erratic:
    """Draws its answer; the draw depends on everything that it observes."""

    planner_class: PlannerClass = "fixed"

    def __init__(self, seed: int) -> None:
        self.name = f"erratic {seed}"

    async def plan(self, observation: Observation[Any]) -> Plan:
        seen = observation.world.dump(observation.state)
        known = (seen, observation.triggers, observation.fails, observation.underway)
        told = (observation.memory, observation.instructions, sorted(observation.texts))
        draw = Random(repr((self.name, observation.timestep, known, told)))
        workers = draw.choice([["walker_1", "walker_2"], ["walker_2"], ["nobody"]])
        schedule = [
            {worker: draw.choice(ACTIONS) for worker in workers}
            for _ in range(draw.randrange(0, 5))
        ]
        memory = {"kept": draw.randrange(3)} if draw.random() < 0.5 else None
        reasoning, seconds = str(draw.random()), draw.choice([0.0, 0.4, 1.7])
        return Plan(schedule=schedule, reasoning=reasoning, memory=memory, seconds=seconds)


@dataclass
class ErraticAgent:
    """Draws its turn; so does the draw of what it says."""

    seed: int
    stepwise: bool = False

    async def turn(self, observation: Observation[Any]) -> Turn:
        seen = observation.world.dump(observation.state)
        known = (seen, observation.triggers, observation.fails, observation.underway)
        told = (observation.memory, observation.talk, observation.heard, observation.did)
        draw = Random(repr((self.seed, observation.agent, observation.timestep, known, told)))
        actions = [draw.choice(ACTIONS) for _ in range(draw.randrange(0, 5))]
        return Turn(
            say=draw.choice(["", "", "", f"word {draw.random()}"]),
            actions=draw.choice([actions, [*actions, "stay"], None, ["fly"]]),
            memory={"kept": draw.randrange(3)} if draw.random() < 0.3 else None,
            seconds=draw.choice([0.0, 0.4, 1.7]),
        )


class TakingTurns(CorridorWorld):
    """A corridor in which the walkers move in turn."""

    def movers(self, state: Corridor) -> Sequence[str]:
        return [self.workers[state["timestep"] % 3 % 2]]

    def step(self, state: Corridor, commands: Commands) -> Any:
        given = dict(commands)
        return super().step(state, [Command(w, given.get(w, "stay")) for w in self.workers])


def erratic_team(seed: int, stepwise: bool, rounds: int) -> Team:
    agents = {"walker_1": ErraticAgent(seed, stepwise), "walker_2": ErraticAgent(seed)}
    return Team(name="erratic team", planner_class="fixed", members=agents, rounds=rounds)


def forked(trace: Trace, at: int) -> list[str]:
    """The lines that a fork at a timestep begins with."""
    kept = list(trace.lines())[: count_kept_records(trace, at)]
    by = trace.header
    record = ForkRecord(
        timestep=at, run="parent", planner=by.planner, planner_class=by.planner_class
    )
    return [*kept, Chain.continue_after(kept[-1]).close(to_line(record))]


def bodies(lines: Sequence[str]) -> list[str]:
    return [
        line.rpartition(',"chain"')[0] for line in lines if not line.startswith('{"kind":"fork')
    ]


def check_forks(play: Callable[[Path], Trace]) -> None:
    """Fork an episode at each of its timesteps: each fork ends as its parent did."""
    with TemporaryDirectory() as folder:
        parent = play(Path(folder) / "parent.jsonl")
        whole = bodies(list(parent.lines()))
        for at in range(len(list(parent.of(StepRecord))) + 1):
            path = Path(folder) / f"{at}.jsonl"
            path.write_text("".join(f"{line}\n" for line in forked(parent, at)))
            assert bodies(list(play(path).lines())) == whole, at


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), stalled=st.integers(2, 8), thinking=PRICES)
def test_a_fork_ends_as_its_parent_from_every_timestep(
    corridor: Callable[..., Episode], seed: int, stalled: int, thinking: str | None
) -> None:
    def play(path: Path) -> Trace:
        more = {"horizon": 24, "path": path, "max_stalled": stalled, "thinking": thinking}
        episode = corridor(Erratic(seed), *EVENTS, **more)
        return asyncio.run(episode.run())

    check_forks(play)


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    stepwise=st.booleans(),
    rounds=st.integers(0, 2),
    world=st.sampled_from([CorridorWorld, TakingTurns]),
    thinking=PRICES,
)
def test_so_does_a_fork_of_a_team(
    corridor: Callable[..., Episode],
    seed: int,
    stepwise: bool,
    rounds: int,
    world: type[CorridorWorld],
    thinking: str | None,
) -> None:
    def play(path: Path) -> Trace:
        team, place = erratic_team(seed, stepwise, rounds), world(CorridorLevel())
        more = {"horizon": 14, "path": path, "max_stalled": 9, "thinking": thinking}
        episode = corridor(team, *EVENTS, world=place, **more)
        return asyncio.run(episode.run())

    check_forks(play)


def test_the_erratic_planner_is_erratic_enough(corridor: Callable[..., Episode]) -> None:
    traces = [asyncio.run(corridor(Erratic(seed), *EVENTS, horizon=24).run()) for seed in range(12)]
    assert any(step.fails for trace in traces for step in trace.of(StepRecord))
    assert any(list(trace.of(MemoryRecord)) for trace in traces)
    assert any(event.refused for trace in traces for event in trace.of(EventRecord))
    assert len({trace.end.termination for trace in traces if trace.end}) >= 2
