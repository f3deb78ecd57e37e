"""Cross-play: who played with whom in a world of two seats, as a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cookmas.studies.bench.spec import Point
from cookmas.studies.report.estimates import cases_of
from cookmas.studies.report.results import Arm, Played
from cookmas.studies.report.tables import Table, shown_estimate
from evals.columns import Column
from evals.statistics import Estimate, estimate


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A pair: the mean of its episodes, and how many of them are scored."""

    found: Estimate | None
    scored: int
    self_play: bool

    def shown(self, column: Column) -> str:
        """Return the text of the cell; self-play is marked by a star."""
        said = shown_estimate(self.found, column)
        if self.found is not None:
            said += f", n={self.scored}"
        return f"* {said}" if self.self_play else said


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """All pairs of two seats in one column of a world, at one value of what was varied."""

    seats: tuple[str, str]
    at: Point
    column: Column
    arms: Mapping[tuple[str, str], Sequence[Played]]

    @property
    def title(self) -> str:
        """Return what is in it."""
        return f"Cross-play: {self.column.title}{'' if self.at is None else f', {self.at}'}"

    @cached_property
    def rows(self) -> list[str]:
        """Return who played in the first seat, in the order of the suite."""
        return list(dict.fromkeys(one for one, _ in self.arms))

    @cached_property
    def columns(self) -> list[str]:
        """Return who played in the second seat."""
        return list(dict.fromkeys(other for _, other in self.arms))

    def cell(self, one: str, other: str) -> Cell | None:
        """Return the cell of a pair; None where it did not play."""
        played = self.arms.get((one, other))
        return None if played is None else self._cell(played, self_play=one == other)

    def _cell(self, played: Sequence[Played], *, self_play: bool = False) -> Cell:
        found = estimate(cases_of(played, self.column), share=self.column.share)
        once = (each.values[self.column.name] for each in played if not each.copy)
        scored = sum(any(x is not None for x in values) for values in once)
        return Cell(found=found, scored=scored, self_play=self_play)

    def table(self) -> Table:
        """Return the matrix as a table."""
        first, second = self.seats

        def shown(cell: Cell | None) -> str:
            return "" if cell is None else cell.shown(self.column)

        return Table(
            title=self.title,
            columns=[f"{first} with {second}", *self.columns],
            rows=[
                [one, *(shown(self.cell(one, other)) for other in self.columns)]
                for one in self.rows
            ],
            about=f"Rows say who plays {first}, columns who plays {second}; the two seats are not "
            "the same, so (a, b) and (b, a) are different cells. n counts the scored episodes; a "
            "star marks self-play.",
        )

    def _with_others(self, name: str, seat: int) -> list[Played]:
        """Return the episodes of a player in a seat, in which somebody else has the other."""
        return [
            each
            for pair, played in self.arms.items()
            if pair[seat] == name != pair[1 - seat]
            for each in played
        ]

    def apart(self) -> Table | None:
        """Return self-play beside play with others, for each player; None without either."""
        rows = []
        for name in self.rows:
            own = self.arms.get((name, name), ())
            others = [self._with_others(name, seat) for seat in (0, 1)]
            if own and all(others):
                cells = [self._cell(played) for played in (own, *others)]
                rows.append([name, *(cell.shown(self.column) for cell in cells)])
        if not rows:
            return None
        return Table(
            title=f"Self-play and play with others: {self.column.title}",
            columns=["player", "self-play", *(f"as {seat} with others" for seat in self.seats)],
            rows=rows,
        )


def matrices(arms: Sequence[Arm], column: Column) -> Iterator[Matrix]:
    """Return the matrices of a world: one for each pair of seats and value of what was varied.

    A single pair makes none.
    """
    found: dict[tuple[tuple[str, str], Point], dict[tuple[str, str], list[Played]]] = {}
    for arm in arms:
        if len(arm.seats) == 2:
            (first, one), (second, other) = arm.seats.items()
            cells = found.setdefault(((first, second), arm.at), {})
            cells.setdefault((one, other), []).extend(arm.played)
    for (seats, at), cells in found.items():
        if len(cells) > 1:
            yield Matrix(seats=seats, at=at, column=column, arms=cells)
