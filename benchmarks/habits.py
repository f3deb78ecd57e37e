"""Make the habits of foods, `worlds/restaurant/reading/words/habits.yaml`.

    python -m benchmarks.habits

The sources are the truths of the training part of the corpus, and the reader's readings of the
shipped menu. The truth of the menu and the other parts of the corpus are never used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import yaml

from kitchen.components import Component, parse_component
from scenarios.menu import load_menu
from worlds.restaurant.reading import Larder, read_recipe
from worlds.restaurant.reading.doubting import FACTS, Habits, facts
from worlds.restaurant.reading.words import FOLDER

LEARN = Path(__file__).parent.parent / "tests/worlds/restaurant/reading/corpus/learn"
HEAD = "# What is always and never done to a food. Made by `python -m benchmarks.habits`.\n"


FEWEST = 4
"""Minimum number of dishes for a habit."""


def habits_of(dishes: Iterable[Iterable[Component]]) -> Habits:
    """Return the facts that are always, and never, true of each food that is in enough dishes."""
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
    """Write the file."""
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
