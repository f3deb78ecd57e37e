"""The corpus written without sight of the reader: what is read right stays right, and only that."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from cookmas.kitchen.components import parse_component
from cookmas.solving.restaurant.reading import Reading, read_recipe
from cookmas.solving.restaurant.reading.showing import differences, dump_reading, lines_of
from tests.solving.restaurant.reading.menu_reading import LARDER, MENU

CORPUS = Path(__file__).parent / "corpus"
RIGHT = {
    "learn/blog": 11, "learn/chatty": 10, "learn/letters": 9, "learn/numbered": 7,
    "learn/phone": 9, "learn/questions": 5, "middle/copywriter": 2, "middle/notebook": 7,
}  # fmt: skip
"""How many recipes of each voice are read right."""


def texts(voice: str) -> Iterator[tuple[str, list[str]]]:
    """Each recipe of a voice and its truth."""
    folder = CORPUS / voice
    for dish, components in yaml.safe_load((folder / "truth.yaml").read_text()).items():
        yield (folder / "recipes" / f"{dish}.txt").read_text(), components


def is_right(reading: Reading, truth: list[str]) -> bool:
    """Whether a reading is its truth."""
    return not differences(
        reading.components, [parse_component(text, MENU.doneness) for text in truth]
    )


@pytest.mark.parametrize("voice", RIGHT)
def test_a_voice_is_read_as_well_as_it_was(voice: str) -> None:
    right = sum(is_right(read_recipe(text, LARDER), truth) for text, truth in texts(voice))
    assert right == RIGHT[voice]


@pytest.mark.parametrize("voice", RIGHT)
def test_every_step_has_its_words_and_lines_are_narrow(voice: str) -> None:
    for text, _ in texts(voice):
        reading = read_recipe(text, LARDER)
        assert all(0 <= w.start < w.end <= len(text) for s in reading.steps for w in s.words)
        assert max(map(len, lines_of(text, reading))) <= 80
        assert all(doubt.quote for doubt in reading.doubts)
        assert len(dump_reading(text, reading)["steps"]) == len(reading.steps)
