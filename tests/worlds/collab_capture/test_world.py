"""Collab Capture: its maps, its button, and what people and models are told."""

from __future__ import annotations

from pathlib import Path

from cookmas.episodes.world import Command
from cookmas.world_names import domain_of
from cookmas.worlds.collab_capture.world import CaptureLevel
from tests.worlds.rooms.opened import CAPTURE, fields_of, opened, step, write_map


def test_the_check_says_that_a_game_cannot_be_won(tmp_path: Path) -> None:
    path = write_map(tmp_path / "mine.yaml", CAPTURE, {"horizon": 2})
    remarks = domain_of(CAPTURE).check(path)
    assert "it cannot be won in 2 turns" in remarks


def test_a_map_needs_no_doors() -> None:
    fields = fields_of(CAPTURE)
    del fields["doors"]
    assert CaptureLevel(**fields).doors == []


def test_a_button_is_pressed_only_where_there_is_one() -> None:
    world = opened(CAPTURE)
    after, outcomes, _ = world.step(world.start(), [Command("alice", "press")])
    assert outcomes["alice"].fail == "nothing_here"
    assert outcomes["bob"].fail == "no_action"
    assert after["players"]["alice"] == 1


def test_people_see_the_rooms_with_doors_and_everybody_in_them() -> None:
    world, domain = opened(CAPTURE), domain_of(CAPTURE)
    state = step(world, world.start(), "move(6)", "move(9)")
    state = step(world, state, "stay", "press")
    rooms, doors = domain.viewing.panels(world, state)
    lines = {item.name: (item.what, item.note) for item in rooms.items}
    assert lines["room 6"] == ("to 5, 9, 1", "alice")
    assert lines["room 9"] == ("to 6", "button of the door 1-2; bob")
    assert [(x.name, x.what) for x in doors.items] == [
        ("rooms 1 and 2", "open"),
        ("rooms 3 and 4", "open"),
    ]
    assert domain.viewing.action(world, state, "bob", "press") == "presses the button"
    assert domain.viewing.action(world, state, "bob", "move(6)") == "goes to room 6"
    assert domain.viewing.keys(world, state, "bob") == {"6": "move(6)", " ": "press"}
    assert domain.viewing.place_workers(world, state)["thief"].at == f"room {state['thief']}"
    (goal,) = domain.viewing.goals(world, state)
    assert goal.status == "open"


def test_the_situation_is_told_in_words() -> None:
    told = opened(CAPTURE).narrate(opened(CAPTURE).start(), "bob")
    assert told[1] == "You are in room 6, next to rooms 5, 9 and 1."
    assert told[-1] == "The door between rooms 3 and 4 is open."
