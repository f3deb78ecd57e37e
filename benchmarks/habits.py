"""Make the file of habits, which says what is always and what is never done to a food.

    python -m benchmarks.habits

The file is `cookmas/solving/restaurant/reading/words/habits.yaml`. Its sources are the truths in
the part of the corpus for learning, and the reader's own readings of the shipped recipes. The truth
of the menu and the other parts of the corpus are never used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import yaml

from cookmas.kitchen.components import Component, parse_component
from cookmas.scenarios.menu import load_menu
from cookmas.solving.restaurant.reading import Larder, read_recipe
from cookmas.solving.restaurant.reading.doubting import FACTS, Habits, facts
from cookmas.solving.restaurant.reading.words import FOLDER

LEARN = Path(__file__).parent.parent / "tests/solving/restaurant/reading/corpus/learn"
HEAD = "# What is always and never done to a food. Made by `python -m benchmarks.habits`.\n"


FEWEST = 4
"""Minimum number of dishes with a food before the food has habits."""


def habits_of(dishes: Iterable[Iterable[Component]]) -> Habits:
    """Return the habits of each food that is in at least FEWEST dishes.

    They are the facts that hold in all these dishes, and the facts that hold in none.
    """
    seen: dict[str, list[set[str]]] = defaultdict(list)
    for dish in dishes:
        for food, true in facts(dish):
            seen[food].append(true)
    return {
        food: {
            "always": sorted(FACTS.intersection(*times)),
            "never": sorted(FACTS - set().union(*times)),
        }
        for food, times in sorted(seen.items()) if len(times) >= FEWEST
    }  # fmt: skip


def main() -> None:
    """Write the file of habits."""
    menu = load_menu()
    larder = Larder(ingredients=frozenset(menu.larder), doneness=menu.doneness)
    recipes = sorted(menu.folder.glob("recipes/*.txt"))
    dishes = [read_recipe(path.read_text(), larder).components for path in recipes]
    for path in sorted(LEARN.glob("*/truth.yaml")):
        for texts in yaml.safe_load(path.read_text()).values():
            dishes.append(tuple(parse_component(text, menu.doneness) for text in texts))
    data = {food: {k: [*v] for k, v in habit.items()} for food, habit in habits_of(dishes).items()}
    text = yaml.safe_dump(data, default_flow_style=None, width=100, sort_keys=False)
    (FOLDER / "habits.yaml").write_text(HEAD + text)


if __name__ == "__main__":
    main()
