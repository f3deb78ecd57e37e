"""The foods of a schedule are followed from where they are to where they go."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.kitchen.actions import parse_action
from cookmas.worlds.restaurant.scheduling.tracking import BEFORE, Product, Put, Tracked, track


def tracked(floor: Any, state: Any, *workers: str) -> Tracked:
    """Track schedules that are written as actions with spaces between them, one per worker."""
    kitchen = floor.kitchen("small", workers=len(workers))
    acts = [[parse_action(text) for text in each.split(" ")] for each in workers]
    return track(kitchen, state, list(zip(*acts, strict=True)))


def start(floor: Any, *hands: str, **contents: list[str]) -> Any:
    return floor.with_things(
        floor.shift("small", workers=max(1, len(hands))).state, *hands, **contents
    )


def test_a_food_is_known_by_where_it_was_and_what_was_put_in_there(floor: Any) -> None:
    acts = (
        "navigate(pantry) pick(onion) navigate(board_1) place chop pick navigate(plating_1) place "
        "assemble pick navigate(pass) serve(o1.1)"
    )
    found = tracked(floor, start(floor, plating_1=["plate"]), acts)
    chopped = Product(5, kind="board", station="board_1", puts=(Put(3, Product(1, "onion")),))
    lying = Product(BEFORE, "plating_1")
    dish = Product(
        9, kind="plating", station="plating_1", puts=(Put(BEFORE, lying), Put(7, chopped))
    )
    assert found.served == {"o1.1": Put(11, dish)}
    assert list(dish.find_origins()) == ["plating_1"]


def test_what_cooks_together_leaves_its_vessel_together(floor: Any) -> None:
    state = start(floor, pot_1=["onion", "carrot"], grill_1=["bread", "bread"])
    found = tracked(floor, state, "navigate(pot_1) pick navigate(bin) discard")
    (product,) = found.discarded
    assert [put.product.name for put in product.puts] == ["pot_1", "pot_1"]
    found = tracked(floor, state, "navigate(grill_1) pick navigate(bin) discard")
    (product,) = found.discarded
    assert [(put.product.name, put.product.slot) for put in product.puts] == [("grill_1", 1)]


@pytest.mark.parametrize("served", ["serve(o1.1)", "serve(o9.9)"])
def test_an_action_that_will_fail_does_not_stop_the_rest(floor: Any, served: str) -> None:
    acts = f"navigate(pass) {served} navigate(plates) pick navigate(counter_1) place"
    found = tracked(floor, start(floor, "aisle: onion"), acts)
    assert list(found.served) == [served[6:10]]
    assert [product.name for product in found.put_by] == ["plate"]


def test_a_hand_is_an_origin(floor: Any) -> None:
    found = tracked(floor, start(floor, "aisle: onion"), "navigate(counter_1) place")
    assert [list(product.find_origins()) for product in found.put_by] == [["worker_1"]]


def test_two_workers_use_a_counter_at_the_same_timestep(floor: Any) -> None:
    state = start(floor, "counter_1", "counter_1: egg", counter_1=["bread", "butter"])
    acts = (
        "pick wait navigate(bin) discard wait wait",
        "place navigate(bin) wait navigate(counter_1) pick wait",
    )
    found = tracked(floor, state, *acts)
    assert [list(product.find_origins()) for product in found.discarded] == [["counter_1"]]
    assert [product.name for product in found.put_by] == ["worker_2"]


def test_what_is_not_there_is_not_taken(floor: Any) -> None:
    found = tracked(
        floor, start(floor), "navigate(board_1) pick chop place navigate(pass) serve(o1.1)"
    )
    assert found == Tracked()
