"""The first stage for recipes: from text to sentences of tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from cookmas.solving.restaurant.reading.values import Sentence, Token, Words

_TOKEN = re.compile(
    r"\d+(?:[.,:/\u2044]\d+)*|[½¼¾⅓⅔]"  # a number is never torn apart
    r"|(?:[^\W\d_]|')+(?:-[^\W\d_]+)*'?|[\U0001F300-\U0001FAFF]"
    r"|[.,;:!?()=+&/°–—-]"  # noqa: RUF001 - dashes of prose
    r"|(?:[^\w\s\"]|_)(?=\s*\d)"  # no sign before a number is lost
)
_LABEL = re.compile(
    r"^[ \t]*(?:(?P<step>\d+[a-z]?|[a-z])[.)]|[-*•])(?=\s)"
    r"|\b(?P<who>[A-Z](?=\.)|[A-Z][A-Za-z]*(?=:))[.:](?=\s)",
    re.MULTILINE,
)
_PLAIN = str.maketrans("’‘“”✗…‐‑‒―⸺⸻−﹘﹣－", "''\"\" ." + 10 * "-")  # noqa: RUF001 - signs of prose
_DOTS = re.compile(r"(?<=\d)(?:\.{2,}|…)(?=\d)")
"""Dots between two numbers are a dash: `10...12`."""
WRAPPED = 60
"""If half of the lines have at least this many characters, line breaks do not end sentences."""


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text, in order, each with its step number."""
    plain = _DOTS.sub(lambda dots: "-" * len(dots[0]), text).translate(_PLAIN)
    widths = sorted(len(line) for line in plain.splitlines() if line.strip())
    wrapped = bool(widths) and widths[len(widths) // 2] >= WRAPPED
    breaks = re.finditer(r"\n\s*\n" if wrapped else r"\n", plain)
    labels = _labels(plain)
    found: list[Sentence] = []
    step = ""
    for start, end in pairwise([*sorted({0, *labels, *(m.end() for m in breaks)}), len(plain)]):
        if label := labels.get(start):
            start = label.end()
            step = label["step"] or step
        for tokens, asks in _runs(plain, start, end):
            if any(token.text[0].isalnum() or token.text > "\U0001f000" for token in tokens):
                words = tokens[0].words.extend_to(tokens[-1].words)
                found.append(Sentence(tuple(tokens), words, asks, step))
    return found


def _labels(text: str) -> dict[int, re.Match[str]]:
    """Return the labels of a text, by position.

    They are the numbers and bullets at the start of lines, and speakers who are named repeatedly.
    """
    labels = list(_LABEL.finditer(text))
    spoken = Counter(label["who"] for label in labels)
    return {each.start(): each for each in labels if not each["who"] or spoken[each["who"]] > 1}


def _runs(text: str, start: int, end: int) -> Iterator[tuple[list[Token], bool]]:
    """Yield the tokens of each sentence between two positions, and whether it is a question."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        sign = match[0]
        if sign in (".", "!", "?"):
            yield tokens, sign == "?"
            tokens = []
        else:
            tokens.append(Token(sign.lower().strip("'") or sign, Words(*match.span())))
    yield tokens, False
