"""The columns about talks: the matrix of initiating and responding, and the failed initiations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cookmas.evals.columns import Column
from cookmas.evals.requests import MATRIX
from cookmas.evals.trajectories import ASTRAY
from cookmas.evals.verdict import Check, Number, Verdict

Talk = tuple[Check, Check]
"""The checks `initiated` and `responded` of one talk."""

TITLES = ("both", "asked only", "answered only", "neither")
"""The headings of the kinds of MATRIX."""


def _column(name: str, title: str, counts: Callable[[Talk], bool]) -> Column:
    """Return a column that shows how many per cent of the talks count."""

    def values(verdict: Verdict) -> Sequence[Number]:
        talks = zip(verdict.of("initiated"), verdict.of("responded"), strict=False)
        return [100.0 * counts(talk) for talk in talks]

    return Column(name=name, title=title, values=values, unit="%", optional=True)


def _is_kind(kind: tuple[bool, bool]) -> Callable[[Talk], bool]:
    return lambda talk: (talk[0].passed, talk[1].passed) == kind


def _fails_by(category: str) -> Callable[[Talk], bool]:
    return lambda talk: talk[0].reason == category


TALKS: Sequence[Column] = (
    *(
        _column(title.replace(" ", "_"), title, _is_kind(kind))
        for title, kind in zip(TITLES, MATRIX, strict=True)
    ),
    *(_column(category, category, _fails_by(category)) for category in ASTRAY),
)
"""Per cent of the talks: of each kind of MATRIX, and of each category of a failed initiation."""
