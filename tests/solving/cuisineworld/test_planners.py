"""The planners that need no model."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from itertools import cycle
from pathlib import Path

import pytest

import cookmas
from benchmarks.cuisineworld.tables import Planner, Random, run
from cookmas.episodes.trace import StepRecord
from cookmas.solving.cuisineworld import dispatch
from cookmas.solving.cuisineworld.bound import upper_bound
from cookmas.solving.cuisineworld.dispatch import still_wanted
from cookmas.solving.cuisineworld.planners import greedy, noop, share_greedily
from cookmas.solving.cuisineworld.search import SearchPolicy, plan
from cookmas.worlds.cuisineworld.rules.book import ORIGINAL_LEVELS, levels
from cookmas.worlds.cuisineworld.rules.engine import play, start
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, TAUS
from cookmas.worlds.cuisineworld.scenario import build_task
from cookmas.worlds.cuisineworld.world import CuisineWorld
from tests.sampling import sampled


def commands_nothing_that_is_refused(planner: Planner, level: str, agents: int) -> None:
    task = build_task(level, "2.0", agents)
    state = start(task)
    for _ in range(STEPS):
        state, step = play(task, state, planner(task.kitchen, state))
        assert all(step.ok), [answer.words for answer in step.feedback]


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("agents", [1, 2, 4])
def test_greedy_commands_nothing_that_is_refused(level: str, agents: int) -> None:
    for planner in (greedy, share_greedily):
        commands_nothing_that_is_refused(planner, level, agents)


@pytest.mark.parametrize(
    ("level", "agents"), sampled(list(zip(levels(), cycle([1, 2, 4]))), every=2)
)
def test_embedded_commands_nothing_that_is_refused(level: str, agents: int) -> None:
    commands_nothing_that_is_refused(SearchPolicy(), level, agents)


def test_a_schedule_reaches_to_the_end_and_does_what_it_says() -> None:
    task = build_task("level_10", "3.0", 2)
    state = start(task)
    found = plan(task.kitchen, state)
    assert len(found.schedule) == STEPS
    for commands in found.schedule[: task.kitchen.interval]:
        state, step = play(task, state, commands)
        assert all(step.ok)
    late = plan(task.kitchen, state, last=(found.dishes, found.style))
    assert len(late.schedule) == STEPS - task.kitchen.interval


def test_the_same_state_and_seed_give_the_same_plan() -> None:
    task = build_task("level_11", "1.5", 3)
    state = start(task)
    assert plan(task.kitchen, state, seed=7) == plan(task.kitchen, state, seed=7)


def test_one_planner_object_can_play_episode_after_episode() -> None:
    planner, task = SearchPolicy(), build_task("level_3", "2.0", 2)
    assert run(task, planner) == run(task, planner) == run(task, SearchPolicy())


def test_what_was_made_since_a_plan_is_no_longer_wanted() -> None:
    dishes = ("soup", "cake", "soup", "cake", "soup")
    before, now = Counter(cake=3), Counter(cake=4, soup=2)
    assert still_wanted(dishes, before, now) == ("cake", "soup")
    assert still_wanted(dishes, now, now) == dishes


@pytest.mark.parametrize(
    ("level", "tau", "agents"),
    sampled([("level_7", "1.0", 2), ("level_2", "1.0", 2), ("level_4", "1.5", 3)], every=3),
)
def test_orchestrated_it_plays_as_when_called_at_every_timestep(
    level: str, tau: str, agents: int
) -> None:
    said = {"agents": agents, "tau": tau}
    trace = cookmas.play(f"cuisineworld/{level}", "embedded", settings=said).trace
    task, planner = build_task(level, tau, agents), SearchPolicy()
    state, world = start(task), CuisineWorld(task.kitchen)
    for record in trace.of(StepRecord):
        lines = planner(task.kitchen, state)
        given = [command for command in record.commands if command.action != world.idle]
        assert given == [each for each in world.commands(lines) if each.action != world.idle]
        state, _ = play(task, state, lines)
    assert state.timestep == STEPS


TASKS = [
    build_task(level, tau, agents=2)
    for level, tau in sampled(
        [*zip(ORIGINAL_LEVELS, cycle([TAUS[0], TAUS[2]]), strict=False)], every=3
    )
]


def completed(planner: Planner) -> int:
    return sum(len(run(task, planner).completed) for task in TASKS)


def test_embedded_serves_far_more_than_greedy_which_serves_more_than_chance() -> None:
    embedded, shared = completed(SearchPolicy()), completed(share_greedily)
    alone, chance = completed(greedy), completed(Random(3))
    assert embedded > 1.15 * shared
    assert shared > alone > chance
    assert completed(noop) == 0
    assert embedded <= sum(map(upper_bound, TASKS))


POLICIES = ("dispatch.py", "labour.py", "planners.py", "search.py")


def test_no_planner_can_reach_the_stream_or_the_bound() -> None:
    folder = Path(inspect.getfile(dispatch)).parent
    forbidden = {"cookmas.solving.cuisineworld.bound", "cookmas.worlds.cuisineworld.rules.book"}
    for path in map(folder.joinpath, POLICIES):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module not in forbidden, path.name
