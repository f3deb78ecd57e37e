"""What a world cannot play is refused in one line: options, names and files of a user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import cookmas
from cookmas.files.errors import CookMASError
from cookmas.world_names import domain_of
from tests.worlds.rooms.opened import CAPTURE, ESCAPE, fields_of

OPTIONS: dict[str, list[tuple[dict[str, Any], str]]] = {
    "collab-overcooked/level_1/01": [
        ({"gamma": "0"}, "more than 0"),
        ({"mode": "new"}, "default or"),
        ({"agents": 3}, "no such"),
    ],
    "cuisineworld/level_99": [({}, "there is no level 'level_99'")],
    "cuisineworld/level_3": [
        ({"tau": "7"}, "--tau: expected one of 1.0"),
        ({"agents": "9"}, "--agents"),
        ({"agents": "two"}, "--agents: expected a whole number"),
        ({"cooks": "2"}, "--cooks: there is no such option"),
        ({"more_cooks": "2"}, "--more-cooks: there is no such option"),
        ({"episode": "4"}, "episode"),
    ],
    "overcooked/cramped_room": [
        ({"layout": "moon"}, "there is no layout 'moon'"),
        ({"layout": "moon.layout"}, "there is no such file"),
        ({"horizon": 0}, "expected at least 1 and at most 100000"),
        ({"horizon": "long"}, "expected a whole number"),
        ({"dynamics": "new"}, "expected papers or current"),
        ({"hide_partner": "maybe"}, "--hide-partner: expected yes or no"),
        ({"speed": 3}, "there is no such option, only --layout, --horizon"),
    ],
}


@pytest.mark.parametrize(
    ("name", "settings", "why"), [(name, *row) for name, rows in OPTIONS.items() for row in rows]
)
def test_a_wrong_option_is_refused(name: str, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(CookMASError) as refused:
        cookmas.load_scenario(name, settings=settings)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("value", ["9" * 6000, "x", "", "1.5", "\uff11"])
def test_options_of_a_world_are_whole_numbers(value: str) -> None:
    with pytest.raises(CookMASError, match="--seed: expected a whole number") as error:
        cookmas.load_scenario("cuisineworld/level_1", settings={"seed": value})
    assert len(str(error.value)) < 100


def small(last: str, reader: str) -> dict[str, Any]:
    """Return a file of Collab-Overcooked with a kitchen of one cell of floor."""
    layout = {"grid": ["XXX", "X1X", last], "cooks": ["a"], "readers": [reader]}
    return {"orders": {"boiled_egg": 1.0}, "own_layout": layout}


def level(*dishes: str, **recipes: Any) -> dict[str, Any]:
    """Return a file of CuisineWorld."""
    places = ["storage", "servingtable", "pot"]
    return {"own": {"places": places, "dishes": [*dishes]}, "recipes": recipes}


BELL = {"name": "red", "text": "Here."}


def bells(*bells: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a file of the corridor."""
    return {"title": "Bells", "bells": [*bells], **fields}


OWN = {"places": ["storage", "servingtable", "pot"], "dishes": ["d9"]}
TREE = {
    f"{kind}{n}": {"pot": [f"d{n - 1}", f"e{n - 1}"] if n else ["pork"]}
    for n in range(10)
    for kind in "de"
}
SUSHI = {"own": OWN, "recipes": TREE}


def cards(**fields: Any) -> dict[str, Any]:
    """Return a file of Hanabi with two players and the cards R1, R1, R1 and R2."""
    return {"players": 2, "colours": 1, "ranks": 2, "hand": 1, **fields}


def deal(*deck: str, at: int = 0) -> dict[str, Any]:
    return cards(events=[{"at": at, "kind": "deal", "deck": [*deck]}])


def rooms(name: str, **changed: Any) -> dict[str, Any]:
    """Return the map of the paper with some fields changed."""
    return {**fields_of(name), **changed}


def doors(*between: list[int]) -> dict[str, Any]:
    each = [{"between": rooms, "button": 1, "start": "open"} for rooms in between]
    return rooms(CAPTURE, doors=each)


FILES: dict[str, list[tuple[dict[str, Any], str]]] = {
    "collab-overcooked": [
        ({"orders": {"pizza": 1.0}}, "there is no recipe for 'pizza'"),
        ({"orders": {}}, "orders"),
        ({"orders": {"boiled_egg": 2.0}}, "orders"),
        ({"orders": {"boiled_egg": 1.0}, "layout": "moon"}, "there is no layout 'moon'"),
        (small("XQX", "a"), "'Q' is none"),
        (small("XXX", "b"), "no cook"),
        (small("XXX", "a"), "delivery"),
    ],
    "cuisineworld": [
        (level("a", a={"pot": ["a"]}), "recipe a: needs itself"),
        (level("a", a={"pot": ["b"]}, b={"pan": ["a"]}), "needs itself"),
        (level("a", a={"pot": ["rice", "rice"]}), "takes each item once"),
        (level("a", "a", a={"pot": ["rice"]}), "name each dish once"),
        (level("a_b", a_b={"pot": ["rice"]}), "cannot have '_'"),
        ({"own": {"places": ["storage"], "dishes": ["stew"]}}, "serving table"),
        ({"kitchen": "nowhere"}, "nowhere"),
        ({**SUSHI, "own": {**OWN, "places": ["pot"] * 100}}, "at most 99"),
        ({**SUSHI, "own": {**OWN, "dishes": ["x" * 201]}}, "at most 200"),
        ({**SUSHI, "recipes": {f"x{n}": {} for n in range(201)}}, "at most 200"),
        (SUSHI, "needs more than 200 steps"),
        ({**SUSHI, "seed": 10**16}, "has more than 15 digits"),
    ],
    "corridor": [
        (bells(), "bells"),
        (bells(BELL, BELL), "ask for each once"),
        (bells({**BELL, "ringer": "bob"}), "there is no walker 'bob'"),
        (bells({**BELL, "at": 1001}), "bells.0.at"),
        (bells(*[BELL] * 100), "bells: expected at most 99 of them"),
        (bells({**BELL, "text": "x" * 1001}), "at most 1000"),
        (bells({**BELL, "name": "x" * 61}), "at most 60"),
        (bells(BELL, length=100), "length"),
    ],
    "hanabi": [
        (deal("R2", "R1", "R1"), "deck: expected each card of this variant, such as R1"),
        (deal("R2", "R1", "R1", "R3"), "deck: expected each card of this variant"),
        (deal("R2", "R1", "R1", "R1", at=1), "events: expected the deal at timestep 0"),
        (cards(events=[{"at": 0, "kind": "storm"}]), "event: expected `deal` with a deck"),
        (cards(players=5), "hand: the hands need 5 cards, and the deck has 4"),
        (cards(players=6), "players"),
        (cards(hand=0), "hand"),
        (cards(colours=["red"]), "colours"),
    ],
    CAPTURE: [
        (rooms(CAPTURE, ways=[[2], [1, 3], [2, 4], [5]]), "ways: there is no room 5, only 1 to 4"),
        (rooms(CAPTURE, ways=[[2], []]), "ways: room 2: expected a way that leads out of it"),
        (rooms(CAPTURE, ways=[[2, 2], [1]]), "ways: room 1: expected each other room at most once"),
        (rooms(CAPTURE, ways=[*fields_of(CAPTURE)["ways"][:8], [5]]), "expected a way back"),
        (rooms(CAPTURE, thief=1), "thief: expected a room without a player"),
        (doors([1, 9]), "doors: there is no way between rooms 1 and 9"),
        (doors([1, 2], [2, 1]), "doors: two doors are on the same way"),
    ],
    ESCAPE: [
        (rooms(ESCAPE, killer=2), "killer: expected a room without a player"),
        (rooms(ESCAPE, generators=[6, 6]), "generators: two are in the same room"),
        (rooms(ESCAPE, exit=12), "exit: there is no room 12, only 1 to 10"),
        (rooms(ESCAPE, players={"alice": 1}), "players"),
    ],
}


@pytest.mark.parametrize(
    ("world", "data", "why"), [(world, *row) for world, rows in FILES.items() for row in rows]
)
def test_a_wrong_file_is_refused(
    world: str, data: dict[str, Any], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(yaml.safe_dump({"world": world, **data}))
    said = list[str]()
    for judge in (domain_of(world).check, lambda file: cookmas.play(str(file))):
        with pytest.raises(CookMASError) as refused:
            judge(path)
        said.append(str(refused.value))
    assert said[0] == said[1], "what runs is what a check calls sound"
    assert said[0].startswith(f"{path}: ")
    assert why in said[0]
    assert "\n" not in said[0]
