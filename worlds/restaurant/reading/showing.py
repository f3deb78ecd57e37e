"""A reading beside the text it comes from, in plain lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

from kitchen.components import Component, combine
from worlds.restaurant.reading import Doubt, Reading

WIDTH = 80


def lines_of(text: str, reading: Reading) -> Iterable[str]:
    """The components; each step beside the words it was read from; what was skipped; doubts."""
    yield "components"
    for component in reading.components:
        yield from _wrapped("  ", str(component))
    yield "steps, and the words they were read from"
    for step in reading.steps:
        quotes = [f'"{words.of(text)}"' for words in dict.fromkeys(step.words)]
        yield from _wrapped(
            "  ", f"{step.food} > {step.step}  [{step.source}]  {' .. '.join(quotes)}"
        )
    if reading.skipped:
        yield "skipped as a remark"
        for words in reading.skipped:
            yield from _wrapped("  ", words.of(text))
    yield from doubt_lines(reading.doubts)


def doubt_lines(doubts: Sequence[Doubt]) -> Iterable[str]:
    """What was not understood, or that all was."""
    if not doubts:
        yield "no doubts"
        return
    yield "doubts"
    for doubt in doubts:
        yield from _wrapped("  ? ", str(doubt))


def plain_data(text: str, reading: Reading) -> dict[str, Any]:
    """A reading as plain data: words are given with their positions in the text."""
    return {
        "components": [str(component) for component in reading.components],
        "steps": [
            {
                "food": step.food,
                "step": step.step,
                "source": step.source,
                "words": [[*words, words.of(text)] for words in dict.fromkeys(step.words)],
            }
            for step in reading.steps
        ],
        "skipped": [[*words, words.of(text)] for words in reading.skipped],
        "doubts": [doubt_data(doubt) for doubt in reading.doubts],
    }


def doubt_data(doubt: Doubt) -> dict[str, Any]:
    """A doubt as plain data."""
    return {"reason": doubt.reason, "words": [*doubt.words], "quote": doubt.quote}


def differences(read: Iterable[Component], truth: Iterable[Component]) -> list[str]:
    """What a reading has and the truth has not, and the other way round; levels are minutes."""
    mine, theirs = [_plain(c) for c in read], [_plain(c) for c in truth]
    for component in [c for c in mine if c in theirs]:
        if component in theirs:
            mine.remove(component)
            theirs.remove(component)
    return [f"read {c}" for c in mine] + [f"should be {c}" for c in theirs]


def _plain(component: Component) -> Component:
    inner = combine(map(_plain, component.parts)) if component.parts else component
    return inner.with_steps(step._replace(level=None) for step in component.steps)


def _wrapped(indent: str, text: str) -> list[str]:
    return wrap(
        " ".join(text.split()),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=" " * len(indent) + "  ",
    )
