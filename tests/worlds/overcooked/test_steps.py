"""What an interaction does, what it is called, and how long gates stay open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.rules.kitchen import Dynamics, GateState, OvercookedKitchen, Scene
from cookmas.worlds.overcooked.rules.layout import OvercookedLayout, load_kitchen
from cookmas.worlds.overcooked.rules.steps import step

ROOM = OvercookedLayout(grid=["XPXX", "O1 D", "X 2S", "XXXX"], cook_time=2)


def play(
    kitchen: OvercookedKitchen, acts: Sequence[str], scene: Scene | None = None
) -> tuple[Scene, list[str | None], int]:
    """Let the first cook act while the second stays; return its deeds and the points too."""
    scene = scene or kitchen.opening
    deeds, points = [], 0
    for act in acts:
        scene, happened = step(kitchen, scene, [act, "stay"])
        deeds.append(happened.deeds[0])
        points += happened.points
    return scene, [deed for deed in deeds if deed], points


ONION = ["west", "interact", "north", "interact"]


@pytest.mark.parametrize(("dynamics", "start"), [("papers", []), ("current", ["interact"])])
def test_a_soup_is_cooked_and_delivered(dynamics: Dynamics, start: list[str]) -> None:
    kitchen = ROOM.kitchen(dynamics)
    serve = ["east", "east", "interact", "west", "north", "interact"]
    scene, deeds, points = play(kitchen, [*ONION * 3, *start, *serve])
    filling = ["pick onion", "put onion in pot 0"] * 3
    started = ["start pot 0"] * len(start)
    assert deeds == [*filling, *started, "pick dish", "pick soup from pot 0"]
    assert scene.pots == {}
    aside = step(kitchen, scene, ["stay", "west"])[0]
    scene, deeds, points = play(kitchen, ["east", "south", "east", "interact"], aside)
    assert (deeds, points) == (["deliver soup"], 20)
    assert scene.cooks[0].held is None


def test_with_the_current_dynamics_a_pot_starts_at_one_ingredient_and_takes_no_more() -> None:
    scene, deeds, _ = play(ROOM.kitchen("current"), [*ONION, "interact", *ONION])
    assert deeds == ["pick onion", "put onion in pot 0", "start pot 0", "pick onion"]
    assert [pot.ticks for pot in scene.pots.values()] == [2]


def test_with_the_papers_dynamics_empty_hands_start_nothing() -> None:
    scene, deeds, _ = play(ROOM.kitchen("papers"), [*ONION, "interact"])
    assert deeds == ["pick onion", "put onion in pot 0"]
    assert [pot.ticks for pot in scene.pots.values()] == [-1]


def test_items_are_put_on_counters_and_taken_from_them() -> None:
    aside = ["west", "interact", "south", "west", "interact", "interact"]
    scene, deeds, _ = play(ROOM.kitchen("papers"), aside)
    assert deeds == ["pick onion", "put onion on counter", "pick onion from counter"]
    assert scene.counters == {}


def test_a_gate_stays_open_for_ten_timesteps_and_while_somebody_stands_on_it() -> None:
    kitchen = load_kitchen("soup_passing_door", "papers")
    gate = kitchen.gates[0]
    scene, deeds, _ = play(kitchen, ["south", "south", "east", "interact"])
    assert deeds == ["open gate 0"]
    assert scene.gates[gate] == GateState(True, 1)
    entered = play(kitchen, [*["stay"] * 9, "east"], scene)[0]
    assert entered.cooks[0].body == Body(gate, (1, 0))
    assert play(kitchen, ["stay"] * 20, entered)[0].gates[gate].open
    assert not play(kitchen, ["east"], entered)[0].gates[gate].open
    closed = play(kitchen, [*["stay"] * 10, "east"], scene)[0]
    assert closed.gates[gate] == GateState()
    assert closed.cooks[0].body.at == (2, 3)
    assert play(kitchen, ["interact"], closed)[1] == ["open gate 0"]
