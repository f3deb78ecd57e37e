"""The engine does what a second one does, which was written from the rules alone."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.worlds.cuisineworld.slow_engine import SlowEngine
from worlds.cuisineworld.engine import Task, play, start
from worlds.cuisineworld.kitchen import TAUS
from worlds.cuisineworld.legal import legal_commands
from worlds.cuisineworld.orders import build_task
from worlds.cuisineworld.policies.simple import Random, shared_greedy
from worlds.cuisineworld.state import State, dump, load
from worlds.cuisineworld.tasks.book import book, levels

TASKS = st.builds(
    build_task,
    st.sampled_from(levels()),
    st.sampled_from(TAUS),
    st.integers(1, 4),
    seed=st.integers(0, 10**6),
    episode=st.integers(1, 3),
)


def slow_copy(task: Task) -> SlowEngine:
    kitchen = task.kitchen
    return SlowEngine(
        places=list(kitchen.places),
        recipes={
            product: (tool, inputs)
            for product, recipe in book().recipes.items()
            for tool, inputs in recipe.items()
        },
        dishes=list(kitchen.dishes),
        base=list(book().ingredients),
        agents=kitchen.agents,
        interval=kitchen.interval,
        lifetimes=dict(kitchen.lifetimes),
        stream=list(task.stream),
    )


def assert_same(state: State, slow: SlowEngine) -> None:
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


def malformed(draw: st.DataObject, task: Task) -> str:
    """A text that is a command, or nearly one."""
    places = [*task.kitchen.places, "oven7", "x"]
    words = [
        draw.draw(st.sampled_from(["goto", "get", "put", "activate", "noop", "fly", ""])),
        draw.draw(st.sampled_from(["agent0", "agent1", "agent3", "agent", "agent00", "x"])),
        *draw.draw(st.lists(st.sampled_from([*places, "salmon", "rice"]), max_size=2)),
        draw.draw(st.sampled_from(places)),
    ]
    return "_".join(words[: draw.draw(st.integers(1, len(words)))])


def some_commands(draw: st.DataObject, task: Task, state: State) -> list[str]:
    """Mostly commands that are legal or make sense, in any order, sometimes malformed."""
    kitchen = task.kitchen
    how = draw.draw(st.sampled_from(["sense", "sense", "sense", "legal", "any", "malformed"]))
    if how == "sense":
        commands = shared_greedy(kitchen, state)
    elif how == "legal":
        commands = [
            draw.draw(st.sampled_from(legal_commands(kitchen, state, agent)))
            for agent in range(kitchen.agents)
        ]
    else:
        items = [*kitchen.recipes, "salmon", "rice", "tomato", "nothing"]
        commands = []
        for agent in range(kitchen.agents):
            at = state.agents[agent].at
            place = draw.draw(st.sampled_from([at, at, at, *kitchen.places]))
            verb = draw.draw(st.sampled_from(["goto", "get", "get", "put", "put", "activate"]))
            item = f"_{draw.draw(st.sampled_from(items))}" if verb == "get" else ""
            commands.append(f"{verb}_agent{agent}{item}_{place}")
        if how == "malformed":
            commands.insert(draw.draw(st.integers(0, len(commands))), malformed(draw, task))
    some = draw.draw(st.integers(0, 9)) == 0
    return draw.draw(st.permutations(commands))[: -1 if some else None]


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(draw=st.data(), task=TASKS)
def test_two_engines_agree_on_whatever_is_commanded(draw: st.DataObject, task: Task) -> None:
    slow, state = slow_copy(task), start(task)
    assert_same(state, slow)
    for _ in range(draw.draw(st.integers(1, 25))):
        commands = some_commands(draw, task, state)
        state, step = play(task, state, commands)
        ok, answers = slow.step(commands)
        assert (list(step.ok), [answer.kind.value for answer in step.feedback]) == (ok, answers)
        assert_same(state, slow)


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("agents", [1, 2, 3, 4])
def test_two_engines_agree_on_whole_episodes(level: str, agents: int) -> None:
    for tau in TAUS:
        task = build_task(level, tau, agents, seed=agents)
        slow, state, at_random = slow_copy(task), start(task), Random(agents)
        for timestep in range(60):
            planner = at_random if timestep % 7 == 6 else shared_greedy
            commands = planner(task.kitchen, state)
            state, step = play(task, state, commands)
            assert slow.step(commands)[0] == list(step.ok)
            assert_same(state, slow)


@settings(max_examples=50, deadline=None)
@given(task=TASKS, seed=st.integers(0, 10**6))
def test_legal_commands_are_those_that_are_carried_out(task: Task, seed: int) -> None:
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


@settings(max_examples=40, deadline=None)
@given(task=TASKS, seed=st.integers(0, 10**6))
def test_a_state_survives_plain_data(task: Task, seed: int) -> None:
    state, at_random = start(task), Random(seed)
    for _ in range(15):
        assert load(dump(state)) == state
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
