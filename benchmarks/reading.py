"""Measure the accuracy and the speed of the embedded reader on a corpus.

    python -m benchmarks.reading CORPUS_FOLDER...

A folder of the corpus has one folder for each voice, which is one way of writing. The folder of a
voice has `recipes/<Dish>.txt`, `truth.yaml` (dish to components) and `wishes.yaml` (item, note and
its meaning). A doubt is a sentence about words that the reader did not understand. For each voice
and in total, the command prints the number of

- correct recipes,
- wrong recipes with a doubt, and wrong recipes with a doubt in a sentence that names a food of a
  wrong component,
- correct recipes with a doubt,
- correct notes, wrong notes with a doubt, and correct notes with a doubt.

Then it prints the milliseconds to read a recipe, and the time to read a text divided by the time to
read its first half (about 2 if time is proportional to length).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import mean
from typing import Any

import yaml

from cookmas.kitchen.components import Component, find_unshared, parse_component
from cookmas.kitchen.customizations import (
    Customization,
    Done,
    Extra,
    Longer,
    Swap,
    Without,
    customise,
)
from cookmas.scenarios.menu import Menu, load_menu
from cookmas.solving.restaurant.reading import Larder, Reading, Words, read_note, read_recipe
from cookmas.solving.restaurant.reading.marking import sentences
from cookmas.solving.restaurant.reading.words import lexicon_of

WISHES = {"done": Done, "without": Without, "extra": Extra, "swap": Swap, "longer": Longer}


@dataclass(slots=True)
class ReadingTally:
    """The counts of texts for a voice.

    `right` texts are read correctly, all others are wrong. `right_doubted` and `wrong_doubted` are
    the right and the wrong texts with a doubt. `wrong_placed` are the wrong recipes with a doubt in
    a sentence that names a food of a wrong component.
    """

    texts: int = 0
    right: int = 0
    wrong_doubted: int = 0
    wrong_placed: int = 0
    right_doubted: int = 0

    def add(self, other: ReadingTally) -> None:
        """Add the counts of another voice."""
        for name in (each.name for each in fields(self)):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def find_differences(read: Sequence[Component], truth: Sequence[Component]) -> set[str]:
    """Return the names of foods in components that only one of two dishes has."""
    extra, missing = find_unshared(read, truth)
    return {leaf for component in (*extra, *missing) for leaf in component.ingredients()}


def is_placed(text: str, reading: Reading, foods: set[str], larder: Larder) -> bool:
    """Return whether a doubt of a reading is in a sentence that names one of the foods."""
    lexicon = lexicon_of(larder.ingredients)
    for sentence in sentences(text):
        words = [token.text for token in sentence.tokens]
        named: set[str] = set()
        for at in range(len(words)):
            for entry in lexicon.at(words, at)[1]:
                if entry.kind == "food":
                    named.add(entry.value)
                elif entry.kind == "kind":
                    named |= set(lexicon.kinds[entry.value])
        if named & foods and any(_is_inside(d.words, sentence.words) for d in reading.doubts):
            return True
    return False


def _is_inside(words: Words, sentence: Words) -> bool:
    return sentence.start <= words.start < sentence.end


def measure(
    voice: Path, menu: Menu, larder: Larder
) -> tuple[ReadingTally, ReadingTally, list[float]]:
    """Read all texts in the folder `voice`; return the counts of its recipes and of its notes.

    The third result has the CPU seconds to read each recipe.
    """
    truth: dict[str, list[str]] = yaml.safe_load((voice / "truth.yaml").read_text())
    dishes = {
        dish: [parse_component(text, menu.doneness) for text in texts]
        for dish, texts in truth.items()
    }
    recipes, notes, seconds = ReadingTally(), ReadingTally(), []
    for dish, components in dishes.items():
        text = (voice / "recipes" / f"{dish}.txt").read_text()
        start = time.process_time()
        reading = read_recipe(text, larder)
        seconds.append(time.process_time() - start)
        wrong = find_differences(reading.components, components)
        recipes.texts += 1
        recipes.right += not wrong
        recipes.right_doubted += not wrong and bool(reading.doubts)
        recipes.wrong_doubted += bool(wrong and reading.doubts)
        recipes.wrong_placed += bool(wrong) and is_placed(text, reading, wrong, larder)
    wishes: list[dict[str, Any]] = yaml.safe_load((voice / "wishes.yaml").read_text())
    for entry in wishes:
        components = dishes[entry["item"]]
        meant: list[Customization] = [
            WISHES[wish["kind"]](**{k: v for k, v in wish.items() if k != "kind"})
            for wish in entry["means"]
        ]
        found, doubts = read_note(entry["note"], components, larder)
        right = customise(components, found, menu.doneness) == customise(
            components, meant, menu.doneness
        )
        notes.texts += 1
        notes.right += right
        notes.right_doubted += right and bool(doubts)
        notes.wrong_doubted += not right and bool(doubts)
    return recipes, notes, seconds


def main(folders: Sequence[str]) -> None:
    """Print the counts for each voice, the totals and the times."""
    menu = load_menu()
    larder = Larder(ingredients=frozenset(menu.larder), doneness=menu.doneness)
    lexicon_of(larder.ingredients)
    recipes, notes, seconds = ReadingTally(), ReadingTally(), list[float]()
    print("voice          recipes right  wrong: doubt, placed  right: doubt | notes right  w  r")
    for folder in folders:
        for voice in sorted(path for path in Path(folder).iterdir() if path.is_dir()):
            tallies = measure(voice, menu, larder)
            print(_line(voice.name, tallies[0], tallies[1]))
            recipes.add(tallies[0])
            notes.add(tallies[1])
            seconds += tallies[2]
    print(_line("all", recipes, notes))
    if seconds:
        print(f"a recipe takes {1000 * mean(seconds):.1f} ms, at worst {1000 * max(seconds):.1f}")
    print(f"a text twice as long takes {twice(menu, larder):.1f} times as long")


def twice(menu: Menu, larder: Larder) -> float:
    """Return the time to read 100,000 characters divided by the time to read the first half."""
    prose = "".join(menu.recipe_file(item).read_text() for item in menu.items) * 4
    half, whole = (_processes_of(prose[:length], larder) for length in (50_000, 100_000))
    return whole / half


def _processes_of(text: str, larder: Larder) -> float:
    start = time.process_time()
    read_recipe(text, larder)
    return time.process_time() - start


def _line(name: str, recipes: ReadingTally, notes: ReadingTally) -> str:
    wrong = recipes.texts - recipes.right
    return (
        f"{name:<14} {recipes.right:>4} of {recipes.texts:<6} "
        f"{recipes.wrong_doubted:>6}, {recipes.wrong_placed} of {wrong:<6} "
        f"{recipes.right_doubted:>6}      | {notes.right:>3} of {notes.texts:<4} "
        f"{notes.wrong_doubted:>2} {notes.right_doubted:>2}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
