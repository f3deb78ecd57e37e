"""A reading beside the text it comes from, in plain lines of at most 80 columns."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, starmap
from textwrap import wrap
from typing import Any, TypeVar

from kitchen.components import Component, unshared
from worlds.restaurant.reading import Doubt, Reading, Words
from worlds.restaurant.reading.text import sentences

WIDTH = 80
_SIGNS = re.compile(r"""[.!?;:,"')\]]*""")
"""What may stand behind the last word of a sentence."""

Item = TypeVar("Item")


def lines_of(text: str, reading: Reading) -> Iterator[str]:
    """The components; then the text, and below each sentence the steps that begin there.

    A step has its words and where its value comes from; below are also remarks and doubts.
    """
    yield "components"
    for component in reading.components:
        yield from _wrapped("  ", str(component))
    if not reading.components:
        yield "  none was understood"
    yield "the text, and what was read from it"
    steps = _by_start(reading.steps, lambda step: min(step.words).start)
    skipped = _by_start(reading.skipped, lambda words: words.start)
    doubts = _by_start(reading.doubts, lambda doubt: doubt.words.start)
    for stretch in _stretches(text):
        yield from _wrapped("  | ", stretch.of(text))
        for step in steps(stretch):
            quotes = [f'"{words.of(text)}"' for words in dict.fromkeys(step.words)]
            told = f"{step.food} > {step.step} [{step.source}] {' .. '.join(quotes)}"
            yield from _wrapped("      ", told)
        for words in skipped(stretch):
            yield from _wrapped("      ", f'skipped as a remark: "{words.of(text)}"')
        for doubt in doubts(stretch):
            yield from _wrapped("    ? ", str(doubt))
    yield from doubt_lines(reading.doubts)


def _by_start(
    items: Iterable[Item], start: Callable[[Item], int]
) -> Callable[[Words], Sequence[Item]]:
    """Return a function to those of the items that start within a stretch of the text."""
    inorder = sorted(items, key=start)
    starts = [start(item) for item in inorder]
    return lambda stretch: inorder[
        bisect_left(starts, stretch.start) : bisect_left(starts, stretch.end)
    ]


def _stretches(text: str) -> Iterator[Words]:
    """The text, sentence by sentence, each from the end of the one before."""
    ends = [sentence.words.end for sentence in sentences(text)]
    behind = [found.end() for end in ends if (found := _SIGNS.match(text, end))]
    return starmap(Words, pairwise([0, *behind[:-1], len(text)]))


def doubt_lines(doubts: Sequence[Doubt]) -> Iterator[str]:
    """What was not understood, or that all was."""
    yield "doubts" if doubts else "no doubts"
    for doubt in doubts:
        yield from _wrapped("  ? ", str(doubt))


def plain_data(text: str, reading: Reading) -> dict[str, Any]:
    """A reading as plain data: words are given with their positions in the text."""

    def quoted(stretches: Iterable[Words]) -> list[Any]:
        return [[*words, words.of(text)] for words in dict.fromkeys(stretches)]

    return {
        "components": [str(component) for component in reading.components],
        "steps": [step._asdict() | {"words": quoted(step.words)} for step in reading.steps],
        "skipped": quoted(reading.skipped),
        "doubts": [doubt._asdict() for doubt in reading.doubts],
    }


def differences(read: Iterable[Component], truth: Iterable[Component]) -> list[str]:
    """What a reading has and the truth has not, and the other way round."""
    extra, missing = unshared(read, truth)
    return [f"read {c}" for c in extra] + [f"should be {c}" for c in missing]


def _wrapped(indent: str, text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=" " * (len(indent) + 2))
