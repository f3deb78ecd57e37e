"""Ten dishes in the style of public recipes, whose truths were written before they were read."""

from pathlib import Path

import yaml

from cookmas.kitchen.components import parse_component
from cookmas.solving.restaurant.reading import Larder, read_recipe
from cookmas.solving.restaurant.reading.showing import differences

FOLDER = Path(__file__).parent / "public"
MENU = yaml.safe_load((FOLDER / "menu.yaml").read_text())
FOODS = frozenset(food for foods in MENU["ingredients"].values() for food in foods)
LARDER = Larder(ingredients=FOODS, doneness={})
RIGHT = {"Guacamole", "Rice Pudding", "Oven Wedges"}


def test_no_public_recipe_is_misread_in_silence() -> None:
    right = set()
    for dish, truth in yaml.safe_load((FOLDER / "truth.yaml").read_text()).items():
        reading = read_recipe((FOLDER / "recipes" / f"{dish}.txt").read_text(), LARDER)
        if not differences(reading.components, [parse_component(text, {}) for text in truth]):
            right.add(dish)
        else:
            assert reading.doubts, dish
    assert right == RIGHT
