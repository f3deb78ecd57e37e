"""The account of numbers: each number of a recipe has a use, or it is found here.

A number is a time, an amount of a food, the heat of an oven, the number of a step, or part of a
story. `doubting` says which times no step uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from cookmas.solving.restaurant.reading.clauses import WORDS
from cookmas.solving.restaurant.reading.marking import NUMBER
from cookmas.solving.restaurant.reading.values import NOUNS, VERBS, Clause, Mark, MarkKind, Words
from cookmas.solving.restaurant.reading.words import Lexicon, load

_OVEN, _PIECES, _HEATS = (frozenset(load("times")[key]) for key in ("marks", "pieces", "heats"))
_LONG = re.compile(r"\d{3}")
_THINGS = NOUNS | {"place", "shape", "stranger"}
"""Kinds of words for what a number counts."""
_STEP = frozenset[MarkKind](
    {"process", "cook", "cut", "shape", "level", "time", "food", "kind", "mixture"}
)
"""Kinds of words of a step; a sentence without them tells a story."""


def find_unused_numbers(clauses: Sequence[Clause], lexicon: Lexicon) -> Iterator[Words]:
    """Yield each number that no rule uses, and each time that is left over in a remark."""
    steps = {clause.step for clause in clauses}
    measures = lexicon.sets["measures"]
    for _, sentence in groupby(clauses, key=lambda clause: clause.sentence):
        said = [*sentence]
        kinds = {mark.kind for clause in said for mark in clause.marks}
        told = [clause for clause in said if clause.mode in ("told", "while")]
        timed = any(mark.span is not None for clause in told for mark in clause.marks)
        last: list[Mark] = []
        for clause in said:
            alone = timed and not {mark.kind for mark in clause.marks} & (VERBS | NOUNS)
            for at, mark in enumerate(clause.marks):
                pieces = len(last) > 1 and last[1].word in _PIECES and last[0].kind in _THINGS
                if mark.span is not None:
                    bare = not mark.span.sure and not _is_said(mark)
                    unused = clause not in told and (alone or bare)
                elif mark.value == NUMBER:
                    meant = _is_in_a_story(clause, at, story=not kinds & _STEP)
                    meant = meant or pieces or _is_heat(clause.marks, at)
                    unused = not meant and not _is_amount(clause.marks, at, measures)
                else:
                    unused = mark.kind == "step" and mark.value not in steps
                if unused:
                    yield mark.words
                last = [*last[-1:], mark]


def _is_said(mark: Mark) -> bool:
    """Return whether a number is in words."""
    return not any(sign.isnumeric() for sign in mark.word)


def _is_in_a_story(clause: Clause, at: int, *, story: bool) -> bool:
    """Return whether the number at a position means nothing in the kitchen.

    `story` says that its sentence has no step; there it is in words, or long (`room 212`).
    """
    marks, word = clause.marks, clause.marks[at].word
    if not _is_said(marks[at]):
        return story and len(word) > 2 and word.isdigit()
    before = marks[at - 1].word if at else ""
    after = marks[at + 1].word if at + 1 < len(marks) else ""
    several = after.isalpha() and len(after) > 4 and after.endswith("s")  # `forty years`
    parted = not after and before in ("in", "into")  # `cut in two`
    stray = clause.mode not in ("told", "while") or (story and len(marks) > 1)
    return word == "one" or several or parted or stray


def _is_heat(marks: Sequence[Mark], at: int) -> bool:
    """Return whether a number is a heat: `180 °C`, `at 350`, `gas mark 6`."""
    word, before = marks[at].word, marks[at - 1].word if at else ""
    hot = at + 1 < len(marks) and marks[at + 1].word in _HEATS
    if before in ("at", "to"):
        return hot or (word.isdigit() and len(word) > 2)
    return before in _OVEN or (hot and _LONG.search(word) is not None)


def _is_amount(marks: Sequence[Mark], at: int, measures: frozenset[str]) -> bool:
    """Return whether a number counts or measures a food: `2 cups of flour`.

    In words it may also count pans: `one pot`.
    """
    of = part = False
    for mark in marks[at + 1 :]:
        if mark.kind in _THINGS and (mark.kind != "place" or _is_said(marks[at])):
            return of or mark.kind != "pronoun"
        part = part or mark.kind == "part"
        of = of or mark.value == "of"
        measured = mark.value == "of" or mark.kind == "part" or mark.word in measures
        if not measured and not (of and mark.word in WORDS["articles"]):
            break
    return part
