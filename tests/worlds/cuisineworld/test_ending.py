"""The planner is not called where nothing can be made any more; and only there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from random import Random

import pytest

import cookmas
from cookmas.episodes.trace import PlanRecord
from cookmas.solving.cuisineworld.planners import greedy, share_greedily
from cookmas.worlds.cuisineworld.rules.book import ORIGINAL_LEVELS, build_kitchen
from cookmas.worlds.cuisineworld.rules.engine import (
    CuisineTask,
    futile,
    legal_commands,
    play,
    start,
)
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, CuisineKitchen, CuisineState
from tests.sampling import sampled

TWO = pytest.param(2, 2, marks=pytest.mark.conformance)


def _dishes(kitchen: CuisineKitchen, state: CuisineState) -> int:
    """How many dishes have come to the table so far."""
    return len(state.completed) + len(state.inside.get(kitchen.table, ()))


def _states(
    task: CuisineTask, policy: Callable[[CuisineKitchen, CuisineState], list[str]]
) -> list[CuisineState]:
    states = [start(task)]
    for _ in range(STEPS):
        states.append(play(task, states[-1], policy(task.kitchen, states[-1]))[0])
    return states


def _task(level: str, agents: int) -> CuisineTask:
    kitchen = build_kitchen(level, "1.0", agents)
    draw = Random(f"{level}/{agents}")
    return CuisineTask(
        kitchen=kitchen, stream=tuple(draw.choice(kitchen.dishes) for _ in range(STEPS))
    )


@pytest.mark.parametrize("level", sampled(ORIGINAL_LEVELS, 3))
def test_nothing_is_made_where_it_is_futile(level: str) -> None:
    """No play of a policy brings a dish to the table earlier than the bound; some as early."""
    slacks = []
    for agents, policy in product((1, 2, 3), (greedy, share_greedily)):
        task = _task(level, agents)
        states = _states(task, policy)
        made = [_dishes(task.kitchen, state) for state in states]
        for now, state in enumerate(states):
            served = next((n for n in range(now + 1, len(states)) if made[n] > made[now]), None)
            if served is not None:
                assert not futile(task.kitchen, state, served - now)
                left = next(n for n in range(1, STEPS) if not futile(task.kitchen, state, n))
                slacks.append(served - now - left)
    assert min(slacks) == 0


def _after(task: CuisineTask, states: Iterable[CuisineState]) -> Iterator[CuisineState]:
    kitchen = task.kitchen
    for state in states:
        agents = range(kitchen.agents)
        for commands in product(*(legal_commands(kitchen, state, agent) for agent in agents)):
            for order in (commands, commands[::-1]):
                yield play(task, state, list(order))[0]


def _key(state: CuisineState) -> str:
    return repr((state.agents, sorted(state.inside.items()), sorted(state.busy.items())))


@pytest.mark.parametrize(("agents", "steps"), [(1, 6), TWO])
def test_no_commands_make_anything_where_it_is_futile(agents: int, steps: int) -> None:
    """From states of a play everything is tried, in both orders of the agents."""
    task = _task("level_3", agents)
    kitchen = task.kitchen
    tried = 0
    for state in _states(task, share_greedily)[4:40:18]:
        left = max(n for n in range(steps + 1) if futile(kitchen, state, n))
        reached = {_key(state): state}
        for _ in range(left):
            reached = {_key(s): s for s in _after(task, reached.values())}
            tried += len(reached)
            assert all(_dishes(kitchen, s) <= _dishes(kitchen, state) for s in reached.values())
    assert tried > 100


def test_the_planner_is_not_called_for_the_last_timesteps() -> None:
    run = cookmas.play("cuisineworld/level_3", "shared-greedy")
    assert run.trace.end
    assert run.trace.end.timestep == STEPS
    last = max(record.timestep for record in run.trace.of(PlanRecord))
    assert last < STEPS - 5
