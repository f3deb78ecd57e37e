"""The planners that need no model."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import worlds.cuisineworld.policies
from worlds.cuisineworld.bound import upper_bound
from worlds.cuisineworld.engine import play, start
from worlds.cuisineworld.kitchen import STEPS, TAUS
from worlds.cuisineworld.policies.search import Search, plan
from worlds.cuisineworld.policies.simple import Random, greedy, noop, shared_greedy
from worlds.cuisineworld.runs import Planner, run
from worlds.cuisineworld.tasks.book import ORIGINAL_LEVELS, build_task, levels


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("agents", [1, 2, 4])
def test_greedy_and_embedded_command_nothing_that_is_refused(level: str, agents: int) -> None:
    for planner in (greedy, shared_greedy, Search()):
        task = build_task(level, "2.0", agents)
        state = start(task)
        for _ in range(STEPS):
            state, step = play(task, state, planner(task.kitchen, state))
            assert all(step.ok), [answer.words for answer in step.feedback]


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
    planner, task = Search(), build_task("level_3", "2.0", 2)
    assert run(task, planner) == run(task, planner) == run(task, Search())


def completed(planner: Planner, agents: int) -> int:
    return sum(
        len(run(build_task(level, tau, agents), planner).completed)
        for level in ORIGINAL_LEVELS
        for tau in (TAUS[0], TAUS[2])
    )


def test_embedded_serves_far_more_than_greedy_which_serves_more_than_chance() -> None:
    embedded, shared = completed(Search(), 2), completed(shared_greedy, 2)
    alone, chance = completed(greedy, 2), completed(Random(3), 2)
    assert embedded > 1.15 * shared
    assert shared > alone > chance
    assert completed(noop, 2) == 0
    bound = sum(
        upper_bound(build_task(level, tau, 2))
        for level in ORIGINAL_LEVELS
        for tau in (TAUS[0], TAUS[2])
    )
    assert embedded <= bound


def test_no_planner_can_reach_the_stream_or_the_bound() -> None:
    folder = Path(inspect.getfile(worlds.cuisineworld.policies)).parent
    forbidden = {"worlds.cuisineworld.bound", "worlds.cuisineworld.tasks.book"}
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module not in forbidden, path.name
