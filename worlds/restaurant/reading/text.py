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
_ENDS = frozenset(".!?") | {"...", "…"}
WRAPPED = 60
"""A line shorter than this, in characters, is a line of its own even in wrapped text."""


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, in order, each with its speaker and step."""
    plain = text.translate(str.maketrans("’‘“”✗", "''\"\" "))
    speakers = _speakers(plain)
    found: list[Sentence] = []
    speaker = step = ""
    for start, end in _blocks(plain, speakers):
        label = _LABEL.match(plain, start, end)
        if label and (label["step"] or not label["who"] or label["who"] in speakers):
            start = label.end()
            if label["who"]:
                speaker = label["who"]
            elif label["step"]:
                step = label["step"]
        found += _split(plain, start, end, speaker, step)
    return found


def _speakers(text: str) -> frozenset[str]:
    """Labels that open at least two lines or stand within them: who speaks."""
    counts: Counter[str] = Counter()
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label and label["who"]:
            counts[label["who"]] += 1
        for match in _INLINE.finditer(line, 1):
            counts[match["who"]] += 1
    return frozenset(who for who, count in counts.items() if count > 1)


def _blocks(text: str, speakers: frozenset[str]) -> list[tuple[int, int]]:
    """Stretches of text that no sentence crosses: lines, or paragraphs where lines are wrapped."""
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text)]
    lengths = sorted(end - start for start, end in lines)
    wrapped = bool(lengths) and lengths[len(lengths) // 2] >= WRAPPED
    width = max((end - start for start, end in lines), default=0)
    blocks: list[tuple[int, int]] = []
    for start, end in lines:
        if not text[start:end].strip():
            continue
        label = _LABEL.match(text, start, end)
        labelled = label and (label["step"] or not label["who"] or label["who"] in speakers)
        if blocks and not labelled:
            before = blocks[-1][1]
            line = text.rfind("\n", 0, before) + 1
            first = text[start:end].split()[0]
            full = before - line + 1 + len(first) > width - 6 and width <= 110
            flows = text[before - 1] not in ".!?:;" and text[start:end].lstrip()[0].islower()
            if (
                wrapped
                and (full or flows)
                and text[before:start].count("\n") == 1
                and (flows or before - line >= WRAPPED)
            ):
                blocks[-1] = (blocks[-1][0], end)
                continue
        blocks.append((start, end))
    out: list[tuple[int, int]] = []
    for start, end in blocks:
        cuts = [
            m.start() for m in _INLINE.finditer(text, start + 1, end)
            if m["who"] in speakers
        ]  # fmt: skip
        edges = [start, *cuts, end]
        out += list(itertools.pairwise(edges))
    return out


def _split(text: str, start: int, end: int, speaker: str, step: str) -> list[Sentence]:
    found: list[Sentence] = []
    tokens: list[Token] = []

    def close(asks: bool) -> None:
        if any(token.text[0].isalnum() for token in tokens):
            found.append(
                Sentence(
                    tokens=tuple(tokens),
                    words=Words(tokens[0].words.start, tokens[-1].words.end),
                    asks=asks, speaker=speaker, step=step,
                )
            )  # fmt: skip
        tokens.clear()

    depth = 0
    for match in _TOKEN.finditer(text, start, end):
        sign = match[0]
        if sign == "\n":
            continue
        depth = max(0, depth + (sign == "(") - (sign == ")"))
        words = Words(match.start(), match.end())
        if sign in _ENDS and not (depth and sign in ("...", "…")):
            if depth:
                tokens.append(Token(";", words))
                continue
            close(sign == "?")
        else:
            tokens.append(Token(sign.lower().strip("'") or sign, words, sign[0].isupper()))
    close(asks=False)
    return found
