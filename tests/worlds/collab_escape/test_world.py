"""Collab Escape: its maps, its generators, and what people and models are told."""

from __future__ import annotations

from cookmas.episodes.world import Command
from cookmas.world_names import domain_of
from tests.worlds.rooms.opened import ESCAPE, opened, step


def test_the_optimum_of_the_paper_s_map_is_shown() -> None:
    shown = domain_of(ESCAPE).show(["building"], {}).data
    assert shown["optimum"] == (
        "optimal play wins in 40 turns with probability 1, after 6.5 on average"
    )


def test_a_generator_is_fixed_where_it_is() -> None:
    world = opened(ESCAPE)
    after, outcomes, _ = world.step(world.start(), [Command("alice", "fix")])
    assert outcomes["alice"].done
    assert outcomes["bob"].fail == "no_action"
    assert after["players"]["alice"] == 1


def test_people_see_the_generators_and_where_the_killer_goes() -> None:
    world, domain = opened(ESCAPE), domain_of(ESCAPE)
    state = step(world, world.start(), "fix", "move(1)")
    rooms, killer = domain.viewing.panels(world, state)
    lines = {item.name: item.note for item in rooms.items}
    assert lines["room 1"] == "generator; alice, bob"
    assert lines["room 7"].startswith("exit")
    assert killer.items[0].what == "nobody"
    goals = {goal.name: goal.note for goal in domain.viewing.goals(world, state)}
    assert goals["generator 1"] == "1 of 2 fixes"


def test_the_situation_is_told_in_words() -> None:
    world = opened(ESCAPE)
    told = world.narrate(world.start(), "alice")
    assert "The killer is in room 6." in told
    assert "Next it goes at random to one of rooms 5 and 7." in told
    followed = {**world.start(), "follows": "bob"}
    assert "Next it goes to room 2." in world.narrate(followed, "alice")
    assert "The generator in room 1 needs 2 of 2 fixes." in told
    assert told[-1] == (
        "The exit in room 7 leads out once all generators are repaired; its room can be entered "
        "before."
    )
    beside = {**world.start(), "players": {"alice": 6, "bob": 1}}
    assert "move(7)" in world.legal(beside, "alice")
    repaired = {**world.start(), "fixes": {1: 2, 6: 2}}
    assert world.narrate(repaired, "alice")[-1] == "The exit in room 7 leads out now."
