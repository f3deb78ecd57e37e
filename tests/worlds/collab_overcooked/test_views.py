"""Collab-Overcooked in words, in numbers, and for a model."""

from __future__ import annotations

from typing import Any

import pytest

import cookmas
from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.world_names import domain_of
from cookmas.worlds.collab_overcooked.rules.kitchen import UtensilContent
from cookmas.worlds.collab_overcooked.voice import VOICE
from cookmas.worlds.collab_overcooked.words import tell_kitchen
from tests.worlds.collab_overcooked.test_world import begun, play

NAME = "collab-overcooked"


def test_the_terminal_shows_the_grid_the_utensils_and_what_cooks_do() -> None:
    world, state = begun("level_2/01")
    viewing = domain_of(NAME).viewing
    state = play(world, state, {"alice": "pickup(potato,ingredient_dispenser)"})
    state, _, _ = world.step(state, [Command("alice", "put_obj_in_utensil(chopping_board0)")])
    cooking = {(3, 0): UtensilContent((), 1, "boiled_egg", 2), (4, 3): UtensilContent(("egg",), 1)}
    state = state._replace(scene=state.scene._replace(utensils=cooking))
    assert viewing.place_workers(world, state)["alice"].holds == "potato"
    panels = {panel.title: panel.items for panel in viewing.panels(world, state)}
    assert [item.what for item in panels["kitchen"]][:2] == ["X  X  X  P *X", "I  .  X  1^ X"]
    assert [item.what for item in panels["utensils"]] == ["boiled egg, 2 of 3", "egg"]
    assert panels["in action"][1].what == "put_obj_in_utensil(chopping_board0)"
    assert [goal.status for goal in viewing.goals(world, state)] == ["open"]


def test_an_order_is_told_in_words() -> None:
    viewing = domain_of(NAME).viewing
    assert viewing.event({"kind": "order", "dish": "boiled_egg"}) == "boiled egg is ordered"
    assert viewing.event({"kind": "begin"}) == "begin"


@pytest.mark.parametrize(
    ("filled", "last"),
    [
        (0, "Empty: pot0, chopping_board0, oven0, blender0."),
        (3, "Empty: blender0."),
        (4, "blender0 has egg and is not started."),
    ],
)
def test_utensils_with_nothing_in_them_are_told_last(filled: int, last: str) -> None:
    world, state = begun("level_2/01")
    cells = list(world.kitchen.utensils.values())[:filled]
    scene = state.scene._replace(utensils=dict.fromkeys(cells, UtensilContent(("egg",), 1)))
    told = list(tell_kitchen(world.kitchen, state._replace(scene=scene), "bob", ways=False))
    assert told[-1] == last
    assert len(told) == 3 + filled + (filled < 4)


def test_the_rules_for_a_model_say_who_reaches_what_and_not_the_recipe() -> None:
    world, _ = begun("level_4/02")
    told = world.about
    assert "bob (start 1) reaches counter, delivery, oven0, pot0, and reads the recipe." in told
    assert "alice (start 2) reaches blender0, chopping_board0" in told
    assert "lentil" not in told


def test_a_model_that_does_not_see_the_recipe_is_not_told_it() -> None:
    world, state = begun("turned/04")
    outline = VOICE.tell_state(world, state)
    assert "tables" not in outline
    assert outline["order"] == state.order


def test_lists_and_pictures_show_the_tasks() -> None:
    domain: Any = domain_of(NAME)
    assert len(domain.names()) == 48
    assert [len(domain.names(f"level_{level}")) for level in range(1, 7)] == [5] * 6
    row = domain.row(load_scenario(f"{NAME}/twin/06"))
    assert row["layout"] == "twin"
    assert row["timesteps"] == 96
    shown = domain.show(["level_1/03"], {}).data
    assert shown["grid"][1] == "I X1X"
    assert list(shown["recipes"]) == ["boiled_egg"]


def test_random_play_lasts_to_the_horizon() -> None:
    run = cookmas.play(f"{NAME}/level_1/01", "random")
    assert run.trace.end is not None
    assert run.trace.end.termination == "horizon"
