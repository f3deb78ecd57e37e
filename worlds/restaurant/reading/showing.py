"""A reading beside the text it comes from, in plain lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, starmap
from textwrap import wrap
from typing import Any

from kitchen.components import Component, unshared
from worlds.restaurant.reading import Doubt, Reading, Words
from worlds.restaurant.reading.text import sentences

WIDTH = 80
SIGNS = ".!?;:,\"')]"
"""What may stand behind the last word of a sentence."""


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
    for stretch in _stretches(text):
        yield from _wrapped("  | ", stretch.of(text))
        for step in reading.steps:
            if min(step.words).start in range(*stretch):
                quotes = [f'"{words.of(text)}"' for words in dict.fromkeys(step.words)]
                told = f"{step.food} > {step.step} [{step.source}] {' .. '.join(quotes)}"
                yield from _wrapped("      ", told)
        for words in reading.skipped:
            if words.start in range(*stretch):
                yield from _wrapped("      ", f'skipped as a remark: "{words.of(text)}"')
        for doubt in reading.doubts:
            if doubt.words.start in range(*stretch):
                yield from _wrapped("    ? ", str(doubt))
    yield from doubt_lines(reading.doubts)


def _stretches(text: str) -> Iterator[Words]:
    """The text, sentence by sentence, each from the end of the one before."""
    ends = [len(text) - len(text[s.words.end :].lstrip(SIGNS)) for s in sentences(text)]
    return starmap(Words, pairwise([0, *ends[:-1], len(text)]))


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
