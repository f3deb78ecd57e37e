"""Actions in words for people, world by world."""

from __future__ import annotations

import pytest

import cookmas
from cookmas.world_names import domain_of

COLLAB, OVERCOOKED = "collab-overcooked/level_3/01", "overcooked/soup_passing_door"

WORDS = {
    COLLAB: {
        "pickup(egg,counter)": "takes egg from counter",
        "wait(1)": "waits",
        "wait(3)": "waits 3 timesteps",
        "put_obj_in_utensil(pot0)": "puts it into pot0",
        "place_obj_on_counter()": "lays it on a counter",
        "fill_dish_with_food(pot0)": "fills the dish from pot0",
        "deliver()": "delivers",
        "cook(pot0)": "starts pot0",
        "sing": "sing",
    },
    OVERCOOKED: {
        "north": "goes north",
        "stay": "stays",
        "interact": "interacts",
        "pick_up(onion,o0)": "takes onion from onion dispenser o0",
        "put(onion,c0)": "puts onion into pot c0",
        "start(c0)": "starts pot c0",
        "place(dish,k2)": "lays dish on counter k2",
        "deliver(soup,d0)": "delivers soup at serving d0",
        "open(g0)": "opens gate g0",
        "move_away": "moves away",
        "put(onion,<b>)": "puts onion into <b>",
        "sing": "sing",
    },
}


@pytest.mark.parametrize(
    ("scenario", "action", "words"), [(name, *row) for name in WORDS for row in WORDS[name].items()]
)
def test_actions_are_told_in_words(scenario: str, action: str, words: str) -> None:
    world = cookmas.load_scenario(scenario).world()
    viewing = domain_of(scenario.partition("/")[0]).viewing
    assert viewing.action(world, world.start(), world.workers[0], action) == words
