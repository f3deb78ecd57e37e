"""Rows of measures: a small check of an episode is one row with its name, its unit and its finder.

A table of rows is an evaluator. A row is also the measure that the report of a verdict lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cookmas.evals.columns import Direction, Measure
from cookmas.evals.verdict import EPISODE, Check, Value, make_unscored


class Measured(NamedTuple):
    """What a row measures of one subject."""

    value: Value
    reason: str = ""
    evidence: str = ""
    passed: bool | None = None
    """Whether the check is passed; a value that is a bool says so itself."""


def share_of(part: int, whole: int, unit: str = "", evidence: str = "") -> Measured:
    """Return a share, whose reason has the two numbers."""
    return Measured(round(part / whole, 4), f"{part} of {whole} {unit}".rstrip(), evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureRow(Measure):
    """A measure that knows how it is found."""

    find: Callable[..., Measured | str | None]
    """Function that measures a subject, or returns the reason in words why it is unscored.

    It gets what its group has for the subject. It returns None if there is no such check.
    """

    def check(self, subject: str, *given: Any) -> Check | None:
        """Return the check of a subject; None if there is none."""
        found = self.find(*given)
        if found is None:
            return None
        if isinstance(found, str):
            return make_unscored(self.name, subject, found)
        passed = found.value if isinstance(found.value, bool) else found.passed
        return Check(
            name=self.name,
            subject=subject,
            value=found.value,
            passed=passed,
            evidence=found.evidence,
            reason=found.reason,
        )


def row(
    name: str,
    find: Callable[..., Measured | str | None],
    unit: str = "",
    better: Direction | None = None,
    measured_in: str = "",
) -> MeasureRow:
    """Return a row of a table of measures.

    `find` measures one subject. `unit` is shown behind each value; `measured_in` is the unit in the
    reference of metrics, if it has another word there.
    """
    return MeasureRow(name=name, find=find, unit=unit, better=better, measured_in=measured_in)


Subjects = Mapping[str, tuple[Any, ...]]
"""What the rows of a group get for each subject, by the subject's name."""


class RowGroup(NamedTuple):
    """Rows that are measured together, of one subject after the other."""

    subjects: Callable[[Any], Subjects]
    """Function that lists the subjects of an episode by its evidence."""
    rows: Iterable[MeasureRow]


def of_episode(*rows: MeasureRow) -> RowGroup:
    """Return a group whose subject is the episode; its rows get the evidence."""
    return RowGroup(lambda evidence: {EPISODE: (evidence,)}, rows)


def of_each(subjects: Callable[[Any], Subjects], *rows: MeasureRow) -> RowGroup:
    """Return a group with several subjects, such as the workers."""
    return RowGroup(subjects, [replace(row, of=True) for row in rows])


class MeasureTable:
    """An evaluator that yields the checks of its rows, group by group."""

    def __init__(self, *groups: RowGroup) -> None:
        self._groups = groups
        self.rows = tuple(row for group in groups for row in group.rows)
        """All rows, in order."""

    def __call__(self, evidence: Any) -> Iterator[Check]:
        """Yield the checks of an episode."""
        for group in self._groups:
            for subject, given in group.subjects(evidence).items():
                found = (row.check(subject, *given) for row in group.rows)
                yield from filter(None, found)

    def __getitem__(self, name: str) -> MeasureRow:
        """Return the row of a name."""
        return next(row for row in self.rows if row.name == name)
