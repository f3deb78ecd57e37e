"""Recipes with a step for each action, as the paper's Listing 5 and with a step moved."""

from __future__ import annotations

import asyncio

import pytest

import cookmas
from cookmas.files.errors import InputError
from cookmas.worlds.collab_overcooked.domain import DOMAIN


def recipe(name: str, **settings: str) -> list[str]:
    scenario = cookmas.load_scenario(f"collab-overcooked/{name}", settings=settings)
    (_, event), *_ = scenario.events()
    return asyncio.run(scenario.look_up(event["dish"])).splitlines()


SOUP = [
    "1. Pick up the bell pepper.",
    "2. Put the bell pepper into the chopping board.",
    "3. Start the chopping board, which takes 3 timesteps.",
    "4. Pick up the bell pepper slices from the chopping board.",
    "5. Place the bell pepper slices on the counter.",
]


def test_each_step_is_an_action() -> None:
    steps = recipe("level_3/01", recipe="steps")
    assert steps[:5] == SOUP
    assert len(steps) == 16
    assert steps[-2:] == ["15. Fill the dish from the pot.", "16. Deliver it."]


def test_a_later_step_can_come_first() -> None:
    steps = recipe("level_3/01", recipe="steps", moved="3")
    assert steps[:3] == [
        "1. Start the chopping board, which takes 3 timesteps.",
        "2. Pick up the bell pepper.",
        "3. Put the bell pepper into the chopping board.",
    ]
    assert [step.partition(" ")[2] for step in steps[3:5]] == [
        s.partition(" ")[2] for s in SOUP[3:]
    ]


def test_a_scenario_is_shown_with_the_recipe_that_its_readers_see() -> None:
    shown = DOMAIN.show(["level_3/01"], {"recipe": "steps"})
    assert shown.data["recipes"]["baked_bell_pepper_soup"].splitlines()[:5] == SOUP


def test_prose_is_what_a_recipe_is_otherwise() -> None:
    assert len(recipe("level_3/01")) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recipe": "steps", "moved": "17"}, "moved: expected 0 to 16, not 17"),
        ({"recipe": "steps", "moved": "-1"}, "moved: expected at least 0 and at most 200, not -1"),
        ({"moved": "3"}, "moved: only a recipe by steps"),
        ({"recipe": "poem"}, "expected prose or steps"),
    ],
)
def test_other_recipes_are_refused(settings: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        recipe("level_3/01", **settings)
