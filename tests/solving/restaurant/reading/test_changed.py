"""Metamorphic tests: a text in which one thing is changed is read as before but for that thing.

Of the corpus, the recipes that are read right; and all of the menu, which are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from cookmas.kitchen.components import parse_component
from cookmas.solving.restaurant.reading import Reading, ReadStep, read_recipe
from cookmas.solving.restaurant.reading.showing import differences
from tests.sampling import sampled
from tests.solving.restaurant.reading.menu_reading import LARDER, MENU

CORPUS = Path(__file__).parent / "corpus"
VOICES = sorted(path.parent for path in CORPUS.glob("*/*/truth.yaml"))
ALIKE = ("carrot", "cucumber", "garlic", "mushroom", "onion", "tomato")
"""Foods that go by no other name, and of which each is cut, cooked and mixed in some dish."""
RECIPES = sorted(MENU.folder.glob("recipes/*.txt"))


def right(voice: Path) -> Iterator[str]:
    """The recipes of a voice that are read right."""
    for dish, notation in yaml.safe_load((voice / "truth.yaml").read_text()).items():
        text = (voice / "recipes" / f"{dish}.txt").read_text()
        truth = [parse_component(each, MENU.doneness) for each in notation]
        if not differences(read_recipe(text, LARDER).components, truth):
            yield text


def told(reading: Reading) -> Counter[tuple[str, str]]:
    """Its steps but those whose minutes are reckoned from those of others."""
    return Counter((s.food, s.step) for s in reading.steps if s.source != "inferred")


def retimed(text: str, reading: Reading) -> Iterator[tuple[ReadStep, str]]:
    """Each step that alone goes by minutes in the text, and the text with a minute more of it."""
    for step in reading.steps:
        low, _, high = step.step.rpartition(" ")[2].partition("-")
        words = step.words[-1]
        shared = sum(words in other.words for other in reading.steps) > 1
        if step.source != "told" or shared or not low.isdigit() or "of" in words.of(text):
            continue
        ends = dict.fromkeys(str(int(end) + 1) for end in (low, high or low))
        yield step, f"{text[: words.start]}{'-'.join(ends)} minutes{text[words.end :]}"


def misread(text: str) -> tuple[int, list[str]]:
    """How many texts with another number were read, and where that changed more than its step."""
    reading = read_recipe(text, LARDER)
    before, wrong, steps = told(reading), list[str](), list(retimed(text, reading))
    for step, changed in steps:
        after = told(read_recipe(changed, LARDER))
        if [*(before - after)] != [(step.food, step.step)] or len(after - before) != 1:
            wrong.append(f"{step.food} > {step.step}: {after - before}")
    return len(steps), wrong


@pytest.mark.parametrize("voice", sampled(VOICES, 2), ids=lambda path: path.name)
def test_another_number_in_the_corpus_changes_exactly_its_step(voice: Path) -> None:
    found = [misread(text) for text in right(voice)]
    assert sum(count for count, _ in found)
    assert [each for _, wrong in found for each in wrong] == []


@pytest.mark.parametrize("path", sampled(RECIPES, 3), ids=lambda path: path.stem)
def test_another_number_on_the_menu_changes_exactly_its_step(path: Path) -> None:
    assert misread(path.read_text())[1] == []


def swaps(text: str, leaves: set[str]) -> Iterator[tuple[str, str, str]]:
    """Each of these foods in the text, another that is not in the dish, and the text with it."""
    for food in leaves.intersection(ALIKE):
        for other in set(ALIKE) - leaves:
            changed = re.sub(rf"\b{food}(s|es)?\b", other, text, flags=re.IGNORECASE)
            if changed != text:
                yield food, other, changed


@pytest.mark.parametrize("path", sampled(RECIPES, 3), ids=lambda path: path.stem)
def test_another_food_changes_exactly_the_food(path: Path) -> None:
    text = path.read_text()
    reading = read_recipe(text, LARDER)
    leaves = {leaf for component in reading.components for leaf in component.ingredients()}
    for food, other, changed in swaps(text, leaves):
        wanted = [re.sub(rf"\b{food}\b", other, str(each)) for each in reading.components]
        found = [str(each) for each in read_recipe(changed, LARDER).components]
        assert sorted(found) == sorted(str(parse_component(w, MENU.doneness)) for w in wanted)
