"""The engine does what a second one does, which was written from the facts alone."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cuisineworld.recorded import SILENT
from benchmarks.cuisineworld.tables import Random
from cookmas.episodes.codec import from_plain, to_plain
from cookmas.solving.cuisineworld.planners import share_greedily
from cookmas.worlds.cuisineworld.rules.book import levels
from cookmas.worlds.cuisineworld.rules.engine import (
    CHOPBOARD,
    CuisineTask,
    legal_commands,
    play,
    start,
)
from cookmas.worlds.cuisineworld.rules.kitchen import (
    TAUS,
    Agent,
    CuisineKitchen,
    CuisineState,
    Order,
)
from cookmas.worlds.cuisineworld.scenario import build_task
from tests.sampling import CONFORMANCE, covering, examples
from tests.worlds.cuisineworld.slow_engine import SlowEngine, slow_copy

TASKS = st.builds(
    build_task,
    st.sampled_from(levels()),
    st.sampled_from(TAUS),
    st.integers(1, 4),
    seed=st.integers(0, 10**6),
    episode=st.integers(1, 3),
)

REACHED = (
    "a chopboard swallows an ingredient",
    "a chopboard swallows a product",
    "another tool swallows an ingredient",
    "another tool swallows a product",
    "the table keeps two of a dish",
    "a same item for an occupied tool",
    "a wrong item for an occupied tool",
    "a wrong item for a full chopboard",
    "put is answered hands_empty and occupied",
    "put is answered hands_empty and no_room",
    "put is answered hands_empty and occupied and no_room",
    "get of nothing finished with full hands",
    "full hands get from an empty chopboard",
    "full hands get from an occupied tool",
    "storage is asked for no item",
    "get names an item at a tool",
    "put names an item",
    "activate is answered hands_full and occupied",
    "activate is answered hands_full and nothing_inside",
    "all idle",
    "list refused: word_count",
    "list refused: unknown_verb",
    "list refused: unknown_agent",
    "list refused: unknown_place",
    "list refused: repeated_agent",
    "list refused: too_many_words",
    "unknown verb with too many words",
    "goto with an item",
    "noop with an item",
    "activate with an item",
    "an item and no such place",
    "noop at no such place",
    "agent by its bare number",
    "agent counted from the last",
    "orders fail together",
    "orders served together",
)
"""Every oddity of the original, as the slow engine names it."""
LEAST = 3 if CONFORMANCE else 1
"""How often random play has to reach each of them, at least."""


def assert_same(state: CuisineState, slow: SlowEngine) -> None:
    assert state.timestep == slow.clock
    assert [list(agent) for agent in state.agents] == [
        [person["at"], person["hand"]] for person in slow.people
    ]
    inside = {place: tool["items"] for place, tool in slow.tools.items() if tool["items"]}
    assert {place: list(items) for place, items in state.inside.items()} == inside
    busy = {place: tool["left"] for place, tool in slow.tools.items() if tool["left"]}
    assert dict(state.busy) == busy
    assert [list(order) for order in state.orders] == slow.tickets
    assert list(state.completed) == slow.done
    assert list(state.failed) == slow.lost
    assert state.failed_count == slow.losses


def some_state(draw: random.Random, task: CuisineTask) -> CuisineState:
    """Return a state in which agents crowd at one place, holding what matters there."""
    kitchen = task.kitchen
    inside: dict[str, tuple[str, ...]] = {}
    busy: dict[str, int] = {}
    for place, kind in kitchen.places.items():
        if kind in kitchen.tools and kitchen.cooking[kind] and draw.random() < 0.8:
            parts, product = draw.choice(list(kitchen.cooking[kind].items()))
            done = product is not None and draw.random() < 0.5
            inside[place] = (product,) if done and product else parts
            if done and kitchen.tools[kind].wait and draw.random() < 0.6:
                busy[place] = draw.randint(1, kitchen.tools[kind].wait)
    dishes = draw.choices(kitchen.dishes, k=draw.randint(0, 3))
    if dishes:
        inside[kitchen.table] = tuple(dishes)
    tools = [place for place, kind in kitchen.places.items() if kind in kitchen.tools]
    chopboards = list(kitchen.by_kind.get(CHOPBOARD, ()))
    crowded = draw.choice([*tools, *chopboards * 3, draw.choice(list(kitchen.places))])
    there = inside.get(crowded, (None,))
    others = [*kitchen.recipes, "salmon", "rice"]
    agents = tuple(
        Agent(
            draw.choice([crowded] * 4 + list(kitchen.places)),
            draw.choice([None, draw.choice(there), draw.choice(others)]),
        )
        for _ in range(kitchen.agents)
    )
    orders = [
        Order(draw.randint(0, 3), draw.choice(kitchen.dishes)) for _ in range(draw.randint(0, 3))
    ]
    return start(task)._replace(
        agents=agents, inside=inside, busy=busy, orders=tuple(sorted(orders))
    )


def name(draw: random.Random, agent: int, agents: int) -> str:
    """Return one of the ways in which a command may name an agent."""
    names = [f"agent{agent}", f"{agent}", f"agent{agent - agents}"]
    return draw.choices(names, weights=[20, 1, 1])[0]


def malformed(draw: random.Random, kitchen: CuisineKitchen, agent: int) -> str:
    """Return a text that is a command, or nearly one."""
    words = [
        draw.choice(["goto", "get", "put", "activate", "noop", "fly"]),
        draw.choice([f"agent{agent}"] * 6 + [f"{agent}", "agent", "agent7", "x"]),
        *draw.choices(["salmon", "rice", "", "x"], k=draw.choice([0, 1, 1, 2])),
        draw.choice([*kitchen.places, "oven7", "x"]),
    ]
    return "_".join(words[: draw.choice([1, 2, 3, 5, 5, 5])])


def some_commands(draw: random.Random, kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
    """Return commands of all kinds in any order: idle, legal, sensible, any, or malformed."""
    how = draw.choice(["any"] * 7 + ["malformed"] * 3 + ["sense", "legal", "idle"])
    agents = range(kitchen.agents)
    if how == "sense":
        commands = share_greedily(kitchen, state)
    elif how == "legal":
        commands = [draw.choice(legal_commands(kitchen, state, agent)) for agent in agents]
    elif how == "idle":
        place = draw.choice(["", "", f"_{kitchen.table}", "_oven7"])
        commands = [f"noop_{name(draw, agent, len(agents))}{place}" for agent in agents]
    else:
        items = [*kitchen.recipes, "salmon", "rice", "tomato", "nothing"]
        commands = []
        for agent in agents:
            at = state.agents[agent].at
            place = at if draw.random() < 0.8 else draw.choice(list(kitchen.places))
            verb = draw.choice(["goto", "get", "get", "put", "put", "activate", "activate"])
            item = (
                f"_{draw.choice(items)}" if verb in ("get", "put") and draw.random() < 0.4 else ""
            )
            commands.append(f"{verb}_{name(draw, agent, len(agents))}{item}_{place}")
        if how == "malformed":
            commands[draw.choice(agents)] = malformed(draw, kitchen, draw.choice(agents))
    draw.shuffle(commands)
    return commands[: -1 if draw.random() < 0.1 else None]


def assert_agree(
    task: CuisineTask, state: CuisineState, draw: random.Random, steps: int
) -> Counter[str]:
    """Play both engines with the same commands; return how often each oddity was reached."""
    slow = slow_copy(task, state)
    assert_same(state, slow)
    for _ in range(steps):
        commands = some_commands(draw, task.kitchen, state)
        state, step = play(task, state, commands)
        kinds = [answer.kind.value for answer in step.feedback if answer.kind not in SILENT]
        assert (list(step.ok), kinds) == slow.step(commands), commands
        assert_same(state, slow)
    return slow.reached


def test_two_engines_agree_on_whatever_is_commanded() -> None:
    reached: Counter[str] = Counter()

    @settings(max_examples=examples(400, tests=150))
    @given(task=TASKS, seed=st.integers(0, 2**32))
    def agree(task: CuisineTask, seed: int) -> None:
        draw = random.Random(f"{seed} {task.kitchen.level} {task.stream}")
        for _ in range(10):
            reached.update(assert_agree(task, some_state(draw, task), draw, steps=2))

    agree()
    assert {case: reached[case] for case in REACHED if reached[case] < LEAST} == {}


@settings(max_examples=examples(40, tests=10))
@given(task=TASKS, seed=st.integers(0, 2**32), steps=st.integers(1, 60))
def test_two_engines_agree_on_random_play_from_the_start(
    task: CuisineTask, seed: int, steps: int
) -> None:
    assert_agree(task, start(task), random.Random(seed), steps)


TEAMS = covering([*product(levels(), range(1, 5))], set)


@pytest.mark.parametrize(("level", "agents"), TEAMS)
def test_two_engines_agree_on_whole_episodes(level: str, agents: int) -> None:
    for tau in TAUS:
        task = build_task(level, tau, agents, seed=agents)
        state, at_random = start(task), Random(agents)
        slow = slow_copy(task, state)
        for timestep in range(60):
            planner = at_random if timestep % 7 == 6 else share_greedily
            commands = planner(task.kitchen, state)
            state, step = play(task, state, commands)
            assert slow.step(commands)[0] == list(step.ok)
            assert_same(state, slow)


@settings(max_examples=examples(50, tests=12))
@given(task=TASKS, seed=st.integers(0, 10**6))
def test_legal_commands_are_those_that_are_carried_out(task: CuisineTask, seed: int) -> None:
    state, at_random = start(task), Random(seed)
    kitchen = task.kitchen
    for _ in range(12):
        for agent in range(kitchen.agents):
            legal = legal_commands(kitchen, state, agent)
            at = state.agents[agent].at
            items = [*kitchen.ingredients, *kitchen.recipes]
            every = [
                f"noop_agent{agent}",
                *(f"goto_agent{agent}_{place}" for place in kitchen.places),
                *(f"{verb}_agent{agent}_{at}" for verb in ("get", "put", "activate")),
                *(f"get_agent{agent}_{item}_{kitchen.storage}" for item in items),
            ]
            carried_out = [c for c in every if play(task, state, [c])[1].ok == (True,)]
            assert sorted(legal) == sorted(carried_out)
        state, _ = play(task, state, at_random(kitchen, state))


@settings(max_examples=examples(40, tests=10))
@given(task=TASKS, seed=st.integers(0, 10**6))
def test_a_state_survives_plain_data(task: CuisineTask, seed: int) -> None:
    state, at_random = start(task), Random(seed)
    for _ in range(15):
        assert from_plain(CuisineState, to_plain(state)) == state
        state, _ = play(task, state, at_random(task.kitchen, state))


def test_what_is_not_cooked_yet_cannot_be_taken_in_whatever_order_it_was_put_in() -> None:
    for first, second in (("salmon", "flour"), ("flour", "salmon")):
        task = build_task("level_0", "1.0", 2)
        state = start(task)
        for commands in (
            ["goto_agent0_storage0", "goto_agent1_storage0"],
            [f"get_agent0_{first}_storage0", f"get_agent1_{second}_storage0"],
            ["goto_agent0_blender0", "goto_agent1_blender0"],
            ["put_agent0_blender0", "put_agent1_blender0"],
        ):
            state, _ = play(task, state, commands)
        assert "get_agent0_blender0" not in legal_commands(task.kitchen, state, 0)
        _, step = play(task, state, ["get_agent0_blender0"])
        assert [each.kind for each in step.feedback] == ["not_to_take"]
