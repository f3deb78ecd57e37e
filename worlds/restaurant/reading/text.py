# ruff: noqa: RUF001 - dashes and quotation marks of prose
"""Text to sentences: lines, labels, tokens."""

from __future__ import annotations

import itertools
import re
from collections import Counter

from worlds.restaurant.reading.values import Sentence, Token, Words

_TOKEN = re.compile(
    r"\.\.\.|…|\d+|[A-Za-zÀ-ÿ']+(?:-[A-Za-zÀ-ÿ]+)*'?|[.,;:!?()=+&–—-]|\n", re.UNICODE
)
_LABEL = re.compile(
    r"[ \t]*(?:(?P<step>\d+[a-z]?|[a-z])[.)]|(?P<who>[A-Z][A-Za-z]*)(?P<sign>[:.])|[-*•])(?=\s|$)"
)
_INLINE = re.compile(r"(?P<who>[A-Z][a-z]+):(?=\s)")
_PAUSES = frozenset({"...", "…"})
_ENDS = frozenset(".!?") | _PAUSES
WRAPPED = 60
"""A line shorter than this, in characters, is a line of its own even in wrapped text."""
WIDEST = 110
"""Lines longer than this, in characters, are not wrapped by hand."""


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, in order, each with its speaker and step."""
    plain = text.translate(str.maketrans("’‘“”✗", "''\"\" "))
    speakers = _speakers(plain)
    found: list[Sentence] = []
    speaker = step = ""
    for start, end in _blocks(plain, speakers):
        label = _label(plain, start, end, speakers)
        if label:
            start = label.end()
            speaker, step = label["who"] or speaker, label["step"] or step
        found += _split(plain, start, end, speaker, step)
    return found


def _label(text: str, start: int, end: int, speakers: frozenset[str]) -> re.Match[str] | None:
    """The number, bullet or speaker that a line opens with."""
    label = _LABEL.match(text, start, end)
    return label if label and (not label["who"] or label["who"] in speakers) else None


def _speakers(text: str) -> frozenset[str]:
    """Labels that open at least two lines or stand within them: who speaks."""
    counts: Counter[str] = Counter()
    for line in text.splitlines():
        label = _LABEL.match(line)
        counts.update([label["who"]] if label and label["who"] else [])
        counts.update(match["who"] for match in _INLINE.finditer(line, 1))
    return frozenset(who for who, count in counts.items() if count > 1)


def _blocks(text: str, speakers: frozenset[str]) -> list[tuple[int, int]]:
    """Stretches of text that no sentence crosses: lines, or paragraphs where lines are wrapped."""
    lines = [m.span() for m in re.finditer(r"[^\n]+", text) if m[0].strip()]
    lengths = sorted(end - start for start, end in lines)
    wrapped = bool(lengths) and lengths[len(lengths) // 2] >= WRAPPED
    blocks: list[tuple[int, int]] = []
    for start, end in lines:
        goes_on = blocks and wrapped and _goes_on(text, blocks[-1][1], start, end, lengths[-1])
        if goes_on and not _label(text, start, end, speakers):
            blocks[-1] = (blocks[-1][0], end)
        else:
            blocks.append((start, end))
    out: list[tuple[int, int]] = []
    for start, end in blocks:
        cuts = [m.start() for m in _INLINE.finditer(text, start + 1, end) if m["who"] in speakers]
        out += itertools.pairwise([start, *cuts, end])
    return out


def _goes_on(text: str, before: int, start: int, end: int, width: int) -> bool:
    """Whether a line goes on with the one that ended at `before`, in a wrapped paragraph."""
    if text[before:start].count("\n") != 1:
        return False
    if text[before - 1] not in ".!?:;" and text[start:end].lstrip()[0].islower():
        return True
    length = before - text.rfind("\n", 0, before) - 1
    first = text[start:end].split()[0]
    return length >= WRAPPED and width <= WIDEST and length + 1 + len(first) > width - 6


def _split(text: str, start: int, end: int, speaker: str, step: str) -> list[Sentence]:
    found: list[Sentence] = []
    tokens: list[Token] = []

    def close(*, asks: bool) -> None:
        if any(token.text[0].isalnum() for token in tokens):
            words = Words(tokens[0].words.start, tokens[-1].words.end)
            found.append(
                Sentence(tokens=tuple(tokens), words=words, asks=asks, speaker=speaker, step=step)
            )
        tokens.clear()

    depth = 0
    for match in _TOKEN.finditer(text, start, end):
        sign, words = match[0], Words(*match.span())
        depth = max(0, depth + (sign == "(") - (sign == ")"))
        if sign in _ENDS and not (depth and sign in _PAUSES):
            if depth:
                tokens.append(Token(";", words))
            else:
                close(asks=sign == "?")
        elif sign != "\n":
            tokens.append(Token(sign.lower().strip("'") or sign, words))
    close(asks=False)
    return found
