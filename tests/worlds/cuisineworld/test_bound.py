"""The bound is never below what can be served, and exact where everything can be tried."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worlds.cuisineworld.bound import most_in_time, upper_bound
from worlds.cuisineworld.engine import Task, play, start
from worlds.cuisineworld.kitchen import TAUS
from worlds.cuisineworld.labour import labour, latest, shortest
from worlds.cuisineworld.legal import legal_commands
from worlds.cuisineworld.policies.search import Search
from worlds.cuisineworld.policies.simple import greedy, shared_greedy
from worlds.cuisineworld.runs import run
from worlds.cuisineworld.state import State
from worlds.cuisineworld.tasks.book import build_kitchen, build_task, levels


def small(level: str, tau: str, agents: int, dishes: tuple[str, ...], stream: list[str]) -> Task:
    """A level with a few of its dishes and no ingredients but theirs, for orders of a test."""
    kitchen = build_kitchen(level, tau, agents)
    used = {item for recipe in kitchen.recipes.values() for item in recipe.inputs}
    kitchen = replace(
        kitchen, dishes=dishes, servable=dishes, ingredients=kitchen.ingredients & used
    )
    return Task(kitchen=kitchen, stream=tuple(stream))


def most_by_trying(task: Task, steps: int) -> int:
    """The most orders that any play of some timesteps completes: every state is looked at."""
    agents = task.kitchen.agents
    layer: dict[object, State] = {None: start(task)}
    for _ in range(steps):
        following: dict[object, State] = {}
        for state in layer.values():
            choices = [legal_commands(task.kitchen, state, agent) for agent in range(agents)]
            for commands in product(*choices):
                for order in permutations(commands):
                    then, _ = play(task, state, order)
                    key = (
                        tuple(sorted((a.at, a.holding or "") for a in then.agents)),
                        tuple(sorted((p, tuple(sorted(i))) for p, i in then.inside.items())),
                        tuple(sorted(then.busy.items())),
                        then.orders,
                    )
                    best = following.get(key)
                    if best is None or len(then.completed) > len(best.completed):
                        following[key] = then
        layer = following
    return max(len(state.completed) for state in layer.values())


CAKE = "salmonMeatcake"


@pytest.mark.parametrize(("tau", "steps"), [("1.0", 12), ("3.0", 12), ("3.0", 13), ("3.0", 26)])
def test_exact_for_one_agent_and_one_blender(tau: str, steps: int) -> None:
    task = small("level_0", tau, 1, (CAKE,), [CAKE] * 21)
    assert upper_bound(task, steps) == most_by_trying(task, steps)


@pytest.mark.parametrize(("tau", "steps"), [("1.0", 7), ("1.0", 8), ("1.0", 9)])
def test_near_for_two_agents_and_one_blender(tau: str, steps: int) -> None:
    task = small("level_0", tau, 2, (CAKE,), [CAKE] * 21)
    most = most_by_trying(task, steps)
    assert most <= upper_bound(task, steps) <= most + 1


@pytest.mark.parametrize("steps", [7, 8, 9, 16, 17])
def test_exact_for_one_agent_and_two_chopboards(steps: int) -> None:
    stream = ["tunaSashimi", "salmonSashimi", "salmonSashimi"]
    task = small("level_2", "3.0", 1, ("salmonSashimi", "tunaSashimi"), stream)
    assert upper_bound(task, steps) == most_by_trying(task, steps)


@pytest.mark.parametrize("level", levels())
def test_labour_counts_the_commands_of_a_dish(level: str) -> None:
    kitchen = build_kitchen(level, "1.0", 1)
    for dish in kitchen.servable:
        commands = list(latest(kitchen, dish))
        assert len(commands) == labour(kitchen, dish)
        assert shortest(kitchen, dish) <= labour(kitchen, dish)
        cooking = [command for command in commands if command.activates]
        assert len(cooking) >= 1


def test_labour_of_dishes_worked_by_hand() -> None:
    cake = build_kitchen("level_0", "1.0", 1)
    assert labour(cake, CAKE) == 4 + 4 + 1 + 1 + 3
    assert shortest(cake, CAKE) == 4 + 2 + 2
    sushi = build_kitchen("level_3", "1.0", 1)
    rice, fish = 4 + 1 + 1 + 3, 4 + 1 + 3
    assert labour(sushi, "tunaSushi") == rice + fish + 1 + 3


@given(
    level=st.sampled_from(levels()),
    tau=st.sampled_from(TAUS),
    agents=st.integers(1, 4),
    seed=st.integers(0, 10**6),
)
def test_no_planner_serves_more_than_the_bound(
    level: str, tau: str, agents: int, seed: int
) -> None:
    task = build_task(level, tau, agents, seed=seed)
    for planner in (greedy, shared_greedy):
        assert len(run(task, planner).completed) <= upper_bound(task)


@pytest.mark.parametrize("level", levels())
def test_the_embedded_planner_stays_below_the_bound(level: str) -> None:
    task = build_task(level, "1.0", 3)
    assert len(run(task, Search()).completed) <= upper_bound(task)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8)), max_size=7),
)
def test_most_in_time_is_the_most_of_all_choices(jobs: list[tuple[int, int]]) -> None:
    def feasible(chosen: list[tuple[int, int]]) -> bool:
        spent = 0
        for deadline, duration in sorted(chosen):
            spent += duration
            if spent > deadline:
                return False
        return True

    best = max(
        (
            sum(picks)
            for picks in product((0, 1), repeat=len(jobs))
            if feasible([job for job, pick in zip(jobs, picks, strict=True) if pick])
        ),
        default=0,
    )
    assert most_in_time(jobs) == best
