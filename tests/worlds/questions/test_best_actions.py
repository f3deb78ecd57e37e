"""The best actions of CuisineWorld and of two robots, beside all that can be done."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from benchmarks.questions.small import SANDWICH, compare_small, list_small_worlds
from cookmas.solving.cuisineworld.quickest import find_quickest
from cookmas.solving.robotouille.kitchen_search import find_best_beginnings
from cookmas.world_names import domain_of
from cookmas.worlds.base.questions import Question
from cookmas.worlds.cuisineworld.rules.kitchen import Agent, Order
from cookmas.worlds.robotouille.world import RobotouilleWorld
from tests.sampling import CONFORMANCE

SMALL = {small.name: small for small in list_small_worlds()}

EVERY = 1 if CONFORMANCE else 60


@pytest.mark.parametrize("name", SMALL)
def test_the_best_actions_in_states_of_a_small_world_are_those_found_backwards(name: str) -> None:
    compared = list(compare_small(SMALL[name], EVERY))
    assert len(compared) > 8
    for question, best in compared:
        assert set(question.right) == best, question.text


def _cuisine() -> tuple[Any, Any]:
    scenario: Any = domain_of("cuisineworld").scenario("level_2", {})
    world = scenario.world()
    return world, world.start()._replace(orders=(Order(9, "tunaSashimi"),))


def _ask(world: Any, state: Any, seat: str) -> list[Question]:
    questioner = domain_of(world.name).questioner
    return list(questioner.ask_all(world, state, seat, "planning", Random(0)))


def test_a_dish_at_hand_is_brought_to_the_table() -> None:
    world, state = _cuisine()
    hands = (Agent("chopboard0", "tunaSashimi"), Agent("storage0"))
    (question,) = _ask(world, state._replace(agents=hands), "agent0")
    assert list(question.right) == ["goto_servingtable0"]
    assert question.depth == 2


def test_without_an_order_or_in_too_large_a_search_there_is_no_question() -> None:
    world, state = _cuisine()
    assert not _ask(world, state._replace(orders=()), "agent0")
    assert find_quickest(world.kitchen, state, "tunaSashimi", 0, 20_000)
    assert find_quickest(world.kitchen, state, "tunaSashimi", 0, 1) is None
    late = state._replace(timestep=58)
    assert find_quickest(world.kitchen, late, "tunaSashimi", 0, 20_000) is None


def _robots(**changed: Any) -> RobotouilleWorld:
    return RobotouilleWorld(SANDWICH.model_copy(update=changed))


AT_HAND = {**SANDWICH.objects, "lettuce1": ["lettuce", "robot2", "iscut"]}
"""The second robot holds what is still to be put where the first one stands."""


def test_a_search_for_robots_is_limited_and_is_for_two_in_the_shipped_kitchen() -> None:
    world = _robots(objects=AT_HAND)
    assert find_best_beginnings(world, world.start(), "robot1", 2000)
    assert find_best_beginnings(world, world.start(), "robot1", 1) is None
    alone = _robots(objects={x: entry for x, entry in AT_HAND.items() if x != "robot1"})
    assert find_best_beginnings(alone, alone.start(), "robot2", 2000) is None
    scenario: Any = domain_of("robotouille").scenario("two-robots/7", {})
    soup = scenario.world()
    assert find_best_beginnings(soup, soup.start(), "robot1", 10) is None


def test_an_action_that_only_the_other_robot_makes_possible_is_no_option() -> None:
    """The second robot goes where the first one leaves; this is best, but not legal before it."""
    world = _robots(objects=AT_HAND)
    assert "move(board1, table1)" not in world.legal(world.start(), "robot2")
    assert find_best_beginnings(world, world.start(), "robot2", 2000) is None
    found = find_best_beginnings(world, world.start(), "robot1", 2000)
    assert found
    assert found[1] == 2
