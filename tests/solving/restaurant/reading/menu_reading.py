"""What the tests of reading share: the shipped menu, its larder and truth, and what is read."""

from __future__ import annotations

from cookmas.kitchen.components import parse_component
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import load_menu_truth
from cookmas.solving.restaurant.reading import Larder, read_recipe

MENU = load_menu()
TRUTH = load_menu_truth(MENU)
LARDER = Larder(ingredients=frozenset(MENU.larder), doneness=MENU.doneness)


def read(prose: str) -> tuple[list[str], list[str]]:
    """Return the components of a text, and its doubts."""
    reading = read_recipe(prose, LARDER)
    return [str(c) for c in reading.components], [str(d) for d in reading.doubts]


def read_components(prose: str) -> list[str]:
    return read(prose)[0]


def wanted(*notation: str) -> list[str]:
    return sorted(str(parse_component(text, MENU.doneness)) for text in notation)
