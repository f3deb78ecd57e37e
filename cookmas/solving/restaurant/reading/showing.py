"""Display of a reading beside its text, in plain lines of at most 80 columns."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, starmap
from textwrap import wrap
from typing import Any, TypeVar

from cookmas.kitchen.components import Component, find_unshared
from cookmas.solving.restaurant.reading import Doubt, Reading, Words
from cookmas.solving.restaurant.reading.marking import sentences

WIDTH = 80
_SIGNS = re.compile(r"""[.!?;:,"')\]]*""")
"""Signs that may follow the last word of a sentence."""

Item = TypeVar("Item")


def lines_of(text: str, reading: Reading) -> Iterator[str]:
    """Yield the components, and then the text; below each sentence are the steps that begin in it.

    Each step has its words and the source of its minutes. Remarks and doubts follow the steps.
    """
    yield "components"
    for component in reading.components:
        yield from _wrap("  ", str(component))
    if not reading.components:
        yield "  none was understood"
    yield "the text, and what was read from it"
    steps = _by_start(reading.steps, lambda step: min(step.words).start)
    skipped = _by_start(reading.skipped, lambda words: words.start)
    doubts = _by_start(reading.doubts, lambda doubt: doubt.words.start)
    for stretch in _stretches(text):
        yield from _wrap("  | ", stretch.of(text))
        for step in steps(stretch):
            quotes = [f'"{words.of(text)}"' for words in dict.fromkeys(step.words)]
            told = f"{step.food} > {step.step} [{step.source}] {' .. '.join(quotes)}"
            yield from _wrap("      ", told)
        for words in skipped(stretch):
            yield from _wrap("      ", f'skipped as a remark: "{words.of(text)}"')
        for doubt in doubts(stretch):
            yield from _wrap("    ? ", str(doubt))
    yield from doubt_lines(reading.doubts)


def _by_start(
    items: Iterable[Item], start: Callable[[Item], int]
) -> Callable[[Words], Sequence[Item]]:
    """Return a function that returns the items that start within a stretch of the text."""
    inorder = sorted(items, key=start)
    starts = [start(item) for item in inorder]
    return lambda stretch: inorder[
        bisect_left(starts, stretch.start) : bisect_left(starts, stretch.end)
    ]


def _stretches(text: str) -> Iterator[Words]:
    """Yield the text sentence by sentence, without gaps."""
    ends = [sentence.words.end for sentence in sentences(text)]
    behind = [found.end() for end in ends if (found := _SIGNS.match(text, end))]
    return starmap(Words, pairwise([0, *behind[:-1], len(text)]))


def doubt_lines(doubts: Sequence[Doubt]) -> Iterator[str]:
    """Yield the doubts, or a line that says that there are none."""
    yield "doubts" if doubts else "no doubts"
    for doubt in doubts:
        yield from _wrap("  ? ", str(doubt))


def dump_reading(text: str, reading: Reading) -> dict[str, Any]:
    """Return a reading as plain data; each stretch of words is `[start, end, text]`."""

    def dump_stretches(stretches: Iterable[Words]) -> list[Any]:
        return [[*words, words.of(text)] for words in dict.fromkeys(stretches)]

    return {
        "components": [str(component) for component in reading.components],
        "steps": [step._asdict() | {"words": dump_stretches(step.words)} for step in reading.steps],
        "skipped": dump_stretches(reading.skipped),
        "doubts": [doubt._asdict() for doubt in reading.doubts],
    }


def differences(read: Iterable[Component], truth: Iterable[Component]) -> list[str]:
    """Return the components that only the reading or only the truth has, one line each."""
    extra, missing = find_unshared(read, truth)
    return [f"read {c}" for c in extra] + [f"should be {c}" for c in missing]


def _wrap(indent: str, text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=" " * (len(indent) + 2))
