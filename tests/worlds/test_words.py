"""Situations in words: what each world tells an agent, and that it tells nothing hidden."""

from __future__ import annotations

from typing import Any

import pytest

import cookmas
from cookmas.episodes.base import overrides
from cookmas.episodes.world import Command


def after(name: str, *timesteps: dict[str, str]) -> tuple[Any, Any]:
    scenario = cookmas.load_scenario(name)
    world = scenario.world()
    state = world.start()
    for at, event in scenario.events():
        if at == 0:
            state, _ = world.apply(state, event)
    for actions in timesteps:
        state, outcomes, _ = world.step(state, [Command(*each) for each in actions.items()])
        assert all(outcomes[worker].done for worker in actions)
    return world, state


def told(world: Any, state: Any, worker: str | None) -> list[str]:
    return list(world.narrate(world.observe(state, worker), worker))


def test_a_cook_is_told_of_itself_first() -> None:
    fetch = {"alice": "pickup(potato,ingredient_dispenser)"}
    world, state = after("collab-overcooked/level_1/03", fetch, {}, {}, {})
    order = state.order
    alice = told(world, state, "alice")
    assert alice[0] == f"{order} is ordered."
    assert alice[1] == "You hold potato."
    assert alice[2].startswith("From where you are: an empty counter is 1 move away.")
    assert alice[3] == "bob holds nothing."
    assert alice[4].startswith("From where bob is: an empty counter is 1 move away. pot0 is in")
    bob = told(world, state, "bob")
    assert bob[1] == "You hold nothing."
    assert "alice holds potato." in bob
    assert told(world, state, None)[1] == "bob holds nothing."


def until(world: Any, state: Any, worker: str, sentence: str) -> Any:
    """Return the state of the first timestep in which a worker is told a sentence."""
    for _ in range(12):
        if sentence in told(world, state, worker):
            return state
        state = world.step(state, [])[0]
    raise AssertionError(told(world, state, worker))


def test_who_is_at_an_action_and_what_a_utensil_makes_is_told() -> None:
    fetch = {"alice": "pickup(potato,ingredient_dispenser)"}
    put = {"alice": "put_obj_in_utensil(chopping_board0)"}
    world, state = after("collab-overcooked/level_1/03", fetch, {}, {}, {}, put)
    assert "You are at put_obj_in_utensil(chopping_board0)." in told(world, state, "alice")
    assert "alice is at put_obj_in_utensil(chopping_board0)." in told(world, state, "bob")
    state = until(world, state, "bob", "chopping_board0 has potato and is not started.")
    state = world.step(state, [Command("alice", "cut(chopping_board0)")])[0]
    until(world, state, "bob", "chopping_board0 makes potato_slices for 2 more timesteps.")
    until(world, state, "bob", "chopping_board0 has made potato_slices.")


def test_agents_places_and_orders_of_cuisineworld_are_told() -> None:
    world, state = after("cuisineworld/level_0", {"agent0": "goto_storage0"})
    [dish] = [order.dish for order in state.orders]
    lifetime = state.orders[0].lifetime
    assert told(world, state, "agent1") == [
        "You stand at servingtable0 and hold nothing.",
        "agent0 stands at storage0 and holds nothing.",
        f"{dish} is ordered and expires in {lifetime} timesteps.",
    ]
    inside = state._replace(inside={"pot0": ("rice", "salt")}, busy={"pot0": 2}, orders=())
    assert told(world, inside, None)[2:] == [
        "pot0 contains rice, salt, and is occupied for 2 more timesteps.",
        "Nothing is ordered.",
    ]


def test_walkers_and_bells_are_told() -> None:
    world, state = after("corridor/halves", {"walker_1": "right"})
    sentences = told(world, state, "walker_1")
    assert sentences[0].startswith("You stand at place 1, 1 steps from the left end and ")
    assert sentences[1].startswith("walker_2 stands at place 0, 0 steps from the left end")
    assert any("may ring it." in each for each in sentences[2:])


@pytest.mark.parametrize("name", ["level1/01"])
def test_a_world_without_words_tells_nothing(name: str) -> None:
    world, state = after(name)
    assert not overrides(world, "narrate")
    assert told(world, state, None) == []
