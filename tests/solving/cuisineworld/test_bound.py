"""The bound is never below what can be served, and exact where everything can be tried."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cookmas
from benchmarks.cuisineworld.tables import run
from cookmas.api import load_scenario
from cookmas.episodes.trace import AnyRecord, EventRecord, ForkRecord, Trace
from cookmas.solving.cuisineworld.bound import (
    Simple,
    can_complete,
    find_simple,
    most_in_time,
    most_made,
    most_on_table,
    pick_in_time,
    upper_bound,
)
from cookmas.solving.cuisineworld.labour import labour, latest, shortest
from cookmas.solving.cuisineworld.planners import greedy, share_greedily
from cookmas.solving.cuisineworld.search import SearchPolicy
from cookmas.worlds.cuisineworld.judging import JUDGING, OrderEvidence, find_optimum
from cookmas.worlds.cuisineworld.rules.book import build_kitchen, levels
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, legal_commands, play, start
from cookmas.worlds.cuisineworld.rules.kitchen import EPISODES, TAUS, CuisineState
from cookmas.worlds.cuisineworld.scenario import build_task
from cookmas.worlds.cuisineworld.world import CuisineWorld
from tests.sampling import examples


def small(
    level: str, tau: str, agents: int, dishes: tuple[str, ...], stream: list[str]
) -> CuisineTask:
    """A level with a few of its dishes and no ingredients but theirs, for orders of a test."""
    kitchen = build_kitchen(level, tau, agents)
    used = {item for recipe in kitchen.recipes.values() for item in recipe.inputs}
    kitchen = replace(
        kitchen, dishes=dishes, servable=dishes, ingredients=kitchen.ingredients & used
    )
    return CuisineTask(kitchen=kitchen, stream=tuple(stream))


def try_everything(task: CuisineTask, steps: int) -> Iterator[Collection[CuisineState]]:
    """Yield after each timestep the states that plays lead to; of equal ones, one of those in
    which most orders are completed.
    """
    agents = task.kitchen.agents
    layer: dict[object, CuisineState] = {None: start(task)}
    for _ in range(steps):
        following: dict[object, CuisineState] = {}
        for state in layer.values():
            choices = [legal_commands(task.kitchen, state, agent) for agent in range(agents)]
            for commands in product(*choices):
                for order in permutations(commands):
                    then, _ = play(task, state, order)
                    key = _key(then)
                    best = following.get(key)
                    if best is None or len(then.completed) > len(best.completed):
                        following[key] = then
        layer = following
        yield layer.values()


def _key(state: CuisineState) -> object:
    return (
        tuple(sorted((a.at, a.holding or "") for a in state.agents)),
        tuple(sorted((p, tuple(sorted(i))) for p, i in state.inside.items())),
        tuple(sorted(state.busy.items())),
        state.orders,
    )


def most_completed(task: CuisineTask, steps: int) -> int:
    """The most orders that any play of some timesteps completes."""
    *_, last = try_everything(task, steps)
    return max(len(state.completed) for state in last)


CAKE = "salmonMeatcake"


KITCHENS: Mapping[str, Any] = {
    "one agent": ("level_0", "1.0", 1, (CAKE,), [CAKE] * 21),
    "one agent, slow": ("level_0", "3.0", 1, (CAKE,), [CAKE] * 21),
    "two agents": ("level_0", "1.0", 2, (CAKE,), [CAKE] * 21),
    "two agents, slow": ("level_0", "3.0", 2, (CAKE,), [CAKE] * 21),
    "two blenders": (
        *("level_1", "3.0", 1, (CAKE, "lambMeatcake")),
        [CAKE, "lambMeatcake", CAKE],
    ),
    "two chopboards": (
        *("level_2", "3.0", 1, ("salmonSashimi", "tunaSashimi")),
        ["tunaSashimi", "salmonSashimi", "salmonSashimi"],
    ),
}

LONG = pytest.mark.conformance
"""Marks cases with many states, of which a shorter one with the same kitchen stays."""


@pytest.mark.parametrize(
    ("kitchen", "steps"),
    [
        ("one agent", 12),
        ("one agent, slow", 12),
        ("one agent, slow", 13),
        ("one agent, slow", 26),
        pytest.param("two agents", 8, marks=LONG),
        ("two agents", 9),
        pytest.param("two agents, slow", 10, marks=LONG),
        ("two blenders", 12),
        ("two blenders", 13),
        pytest.param("two blenders", 18, marks=LONG),
        ("two chopboards", 7),
        ("two chopboards", 8),
        ("two chopboards", 9),
        pytest.param("two chopboards", 16, marks=LONG),
        pytest.param("two chopboards", 17, marks=LONG),
    ],
)
def test_the_bound_is_the_most_of_all_plays(kitchen: str, steps: int) -> None:
    """A play with all orders of the bound proves it."""
    task = small(*KITCHENS[kitchen])
    most = most_completed(task, steps)
    assert upper_bound(task, steps) == most
    assert can_complete(task, most, steps)
    assert not can_complete(task, most + 1, steps)


@pytest.mark.parametrize(
    ("level", "agents", "dishes", "until"),
    [
        ("level_0", 1, (CAKE,), 28),
        ("level_0", 2, (CAKE,), 9),
        pytest.param(*("level_0", 2, (CAKE,), 10), marks=LONG),
        ("level_1", 1, (CAKE,), 14),
        pytest.param(*("level_7", 1, ("onionPotatoLeekSoup",), 18), marks=LONG),
    ],
)
def test_production_is_what_trying_everything_in_the_engine_puts_on_the_table(
    level: str, agents: int, dishes: tuple[str, ...], until: int
) -> None:
    kitchen = small(level, "1.0", agents, dishes, []).kitchen
    alike = find_simple(kitchen)
    assert alike is not None
    layers = try_everything(CuisineTask(kitchen=kitchen, stream=()), until)
    curve = [0, *(max(len(s.inside.get(kitchen.table, ())) for s in layer) for layer in layers)]
    assert list(most_made(alike)[: until + 1]) == curve
    assert curve[-1] > 0


def test_a_dish_waits_in_its_tool_while_its_agent_fills_another() -> None:
    """The agent goes to storage, takes, goes to tool 0, fills and starts it, does so with tool 1,
    brings the first dish in three timesteps and, by way of tool 1, the second in four.
    """
    curve = most_made(Simple(agents=1, tools=2, ingredients=1, wait=4), 18)
    assert (curve[17], curve[18]) == (1, 2)


@pytest.mark.parametrize("level", ["level_2", "level_3", "level_4", "level_12"])
def test_kitchens_with_more_steps_or_chopboards_are_not_simple(level: str) -> None:
    assert find_simple(build_kitchen(level, "1.0", 1)) is None


def test_more_agents_or_tools_never_make_fewer_dishes() -> None:
    curves = {
        (agents, tools): most_made(Simple(agents, tools, 2, 2))
        for agents in (1, 2, 3)
        for tools in (1, 2)
    }
    for (agents, tools), curve in curves.items():
        assert list(curve) == sorted(curve)
        for more in ((agents + 1, tools), (agents, tools + 1)):
            if more in curves:
                assert all(a <= b for a, b in zip(curve, curves[more], strict=True))


@given(
    curve=st.lists(st.integers(0, 1), min_size=9, max_size=9),
    lasts=st.lists(st.integers(0, 8), max_size=7),
)
def test_most_on_table_is_the_most_of_all_choices(curve: list[int], lasts: list[int]) -> None:
    there = [sum(curve[: i + 1]) for i in range(len(curve))]
    best = max(
        sum(picks)
        for picks in product((0, 1), repeat=len(lasts))
        if all(
            sum(pick for last, pick in zip(lasts, picks, strict=True) if last <= by) <= there[by]
            for by in range(len(there))
        )
    )
    assert most_on_table(lasts, there) == best


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


def test_a_dish_with_little_work_at_the_end_is_not_given_up() -> None:
    stream = ["tunaSashimi", "tunaSashimi", "salmonSashimi", "tunaSashimi", "mixedSashimi"]
    kitchen = build_kitchen("level_2", "3.0", 1)
    task = CuisineTask(kitchen=kitchen, stream=tuple(stream))
    assert upper_bound(task) == len(stream)
    assert can_complete(task, len(stream))


TASKS = st.builds(
    build_task,
    st.sampled_from(levels()),
    st.sampled_from(TAUS),
    st.integers(1, 4),
    seed=st.integers(0, 10**6),
)


@settings(max_examples=examples(40, 8))
@given(TASKS)
def test_no_planner_serves_more_than_the_bound(task: CuisineTask) -> None:
    for planner in (greedy, share_greedily):
        assert len(run(task, planner).completed) <= upper_bound(task)


@settings(max_examples=examples(10, 3))
@given(TASKS)
def test_the_embedded_planner_stays_below_the_bound(task: CuisineTask) -> None:
    assert len(run(task, SearchPolicy()).completed) <= upper_bound(task)


@given(st.lists(st.tuples(st.integers(-3, 20), st.integers(0, 8)), max_size=7))
def test_most_in_time_is_the_most_of_all_choices(jobs: list[tuple[int, int]]) -> None:
    def feasible(chosen: list[tuple[int, int]]) -> bool:
        spent = 0
        for deadline, duration in sorted(chosen):
            spent += duration
            if duration and spent > deadline:
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
    in_order = sorted(jobs)
    picked = pick_in_time(in_order)
    assert len(picked) == best
    assert feasible([in_order[number] for number in picked])


@pytest.mark.parametrize("level", levels())
def test_the_largest_number_of_orders_is_proven_for_an_agent_alone(level: str) -> None:
    for episode in range(1, EPISODES + 1):
        task = build_task(level, "1.0", 1, episode=episode)
        assert can_complete(task, upper_bound(task))


@pytest.mark.parametrize(
    ("planner", "agents", "rate", "reason"),
    [
        ("embedded", 1, 1, "completed orders 4 against an optimum of 4"),
        ("random", 1, 0, "completed orders 0 against an optimum of 4"),
        ("greedy", 2, 0.625, "completed orders 5 against an optimum of 8"),
        ("greedy", 3, 0.3846, "completed orders 5 against a bound of 13"),
    ],
)
def test_the_optimality_is_of_the_largest_number_of_orders(
    planner: str, agents: int, rate: float, reason: str
) -> None:
    found = cookmas.play("cuisineworld/level_0", planner, settings={"agents": str(agents)})
    assert found.verdict
    (check,) = found.verdict.of("optimality_rate")
    assert (check.value, check.reason) == (rate, reason)


def test_an_episode_that_reaches_the_bound_proves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = "cookmas.solving.cuisineworld.bound.can_complete"
    monkeypatch.setattr(searched, lambda *_: False)
    for planner, what in (("embedded", "an optimum of 4"), ("random", "a bound of 4")):
        found = cookmas.play("cuisineworld/level_0", planner, settings={"agents": "1"})
        assert found.verdict
        (check,) = found.verdict.of("optimality_rate")
        assert check.reason.endswith(what)


@pytest.mark.parametrize("planner", ["embedded", "random"])
def test_the_best_score_of_an_episode_is_the_bound_of_its_stream(planner: str) -> None:
    run = cookmas.play("cuisineworld/level_3", planner)
    assert run.verdict
    scenario: Any = load_scenario("cuisineworld/level_3")
    stream = [event["dish"] for _, event in scenario.events()]
    bound = upper_bound(CuisineTask(kitchen=scenario.kitchen, stream=tuple(stream)))
    assert bound < len(stream)
    assert run.verdict.best_score is not None
    assert run.verdict.score is not None
    assert run.verdict.score <= run.verdict.best_score < bound


@pytest.mark.parametrize("altered", [False, True])
def test_there_is_no_best_score_where_the_bound_supposes_something_else(altered: bool) -> None:
    run = cookmas.play("cuisineworld/level_3", "noop")
    records: list[AnyRecord] = []
    for record in run.trace.records:
        if isinstance(record, EventRecord) and record.timestep and not altered:
            record = record.model_copy(update={"timestep": record.timestep + 1})
        records.append(record)
    if altered:
        records.insert(
            -1, ForkRecord(timestep=60, run="r", planner="p", planner_class="fixed", setup={})
        )
    evidence = OrderEvidence(
        trace=Trace(tuple(records)),
        truth=None,
        world=CuisineWorld(build_kitchen("level_3", "1.0", 2)),
        frames=(),
        final=start(build_task("level_3", "1.0", 2)),
    )
    assert JUDGING.best_score(evidence) is None
    assert find_optimum(evidence) is None
    assert not (altered and evidence.impossible)
