"""Whether a menu can be read and cooked: its recipes against its truth, its truth in a kitchen."""

from __future__ import annotations

from pathlib import Path

from episodes.errors import InputError
from scenarios.check import check
from scenarios.kitchens import build_kitchen, kitchen_path
from scenarios.menu import SHIPPED_MENU, Menu, load_menu
from scenarios.truth.truth import load_menu_truth
from worlds.restaurant.proof import prove
from worlds.restaurant.reading import Larder, read_recipe
from worlds.restaurant.reading.showing import differences
from worlds.restaurant.scheduling.schedule import makeable

KITCHEN = "standard"
"""The kitchen in which a menu's truth must be possible."""


def checked(path: Path) -> list[str]:
    """Check a file as `scenarios.check` does; of a menu, also how it is read and whether it cooks.

    Returns what was found, a sentence each. Raises InputError for a truth that no kitchen can make.
    """
    found = check(path, prove)
    if path.name != "menu.yaml":
        return found
    folder = SHIPPED_MENU if path.parent.resolve() == SHIPPED_MENU else path.parent
    menu = load_menu(folder)
    return [*found, *_cooked(menu), *_read(menu)]


def _cooked(menu: Menu) -> list[str]:
    kitchen = build_kitchen(kitchen_path(KITCHEN), menu)
    _, problems = makeable(kitchen, load_menu_truth(menu))
    for item, why in problems.items():
        raise InputError(str(menu.folder), f"{item}: {why}; expected what a kitchen can make")
    return [f"its truth: every item can be made in the {KITCHEN} kitchen"]


def _read(menu: Menu) -> list[str]:
    larder = Larder(ingredients=frozenset(menu.larder), doneness=menu.doneness)
    truth = load_menu_truth(menu)
    found: list[str] = []
    for item in menu.items:
        reading = read_recipe(menu.recipe_file(item).read_text(encoding="utf-8"), larder)
        found += [f"{item}: {doubt}" for doubt in reading.doubts]
        found += [f"{item}: {each}" for each in differences(reading.components, truth[item])]
    return found or ["its recipes: the embedded reader reads each as its truth, without doubts"]
