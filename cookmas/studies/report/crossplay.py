"""Cross-play: the results of pairs of planners in a world of two seats, as a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import stdev

from cookmas.evals.columns import Column
from cookmas.evals.statistics import Estimate, estimate
from cookmas.studies.bench.spec import Point
from cookmas.studies.report.estimates import cases_of
from cookmas.studies.report.results import ArmResults, EpisodeNumbers
from cookmas.studies.report.tables import Table, format_estimate


@dataclass(frozen=True, kw_only=True)
class Cell:
    """The result of one pair of planners."""

    found: Estimate | None
    """Mean over the pair's episodes, with its interval; None if no episode is scored."""
    scored: int
    """Number of scored episodes, without copies."""
    self_play: bool
    """True if both seats have the same planner."""

    def format(self, column: Column) -> str:
        """Return the text of the cell; a star marks self-play."""
        text = format_estimate(self.found, column)
        if self.found is not None:
            text += f", n={self.scored}"
        return f"* {text}" if self.self_play else text


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """The results of all pairs of planners in two seats: one column, at one value of the varied
    option.
    """

    seats: tuple[str, str]
    """Names of the first and the second seat."""
    at: Point
    """Value of the varied option; None if nothing is varied."""
    column: Column
    arms: Mapping[tuple[str, str], Sequence[EpisodeNumbers]]
    """The episodes of each pair, by the planners in the first and the second seat."""

    @property
    def title(self) -> str:
        """The column, and the value of the varied option."""
        return f"Cross-play: {self.column.title}{'' if self.at is None else f', {self.at}'}"

    @cached_property
    def rows(self) -> list[str]:
        """The planners in the first seat, in the order of the suite."""
        return list(dict.fromkeys(one for one, _ in self.arms))

    @cached_property
    def columns(self) -> list[str]:
        """The planners in the second seat."""
        return list(dict.fromkeys(other for _, other in self.arms))

    def cell(self, one: str, other: str) -> Cell | None:
        """Return the cell of a pair; None if the pair did not play."""
        played = self.arms.get((one, other))
        return None if played is None else self._cell(played, self_play=one == other)

    def _cell(self, played: Sequence[EpisodeNumbers], *, self_play: bool = False) -> Cell:
        mean = estimate(cases_of(played, self.column), share=self.column.share)
        once = (each.values[self.column.name] for each in played if not each.copy)
        scored = sum(any(x is not None for x in values) for values in once)
        return Cell(found=mean, scored=scored, self_play=self_play)

    def table(self) -> Table:
        """Return the matrix as a table."""
        first, second = self.seats

        def format_cell(cell: Cell | None) -> str:
            return "" if cell is None else cell.format(self.column)

        return Table(
            title=self.title,
            columns=[f"{first} with {second}", *self.columns],
            rows=[
                [one, *(format_cell(self.cell(one, other)) for other in self.columns)]
                for one in self.rows
            ],
            about=f"Rows say who plays {first}, columns who plays {second}; the two seats are not "
            "the same, so (a, b) and (b, a) are different cells. n counts the scored episodes; a "
            "star marks self-play.",
        )

    def _with_others(self, name: str, seat: int) -> list[EpisodeNumbers]:
        """Return the episodes in which a planner has a seat and plays with another planner."""
        return [
            each
            for pair, played in self.arms.items()
            if pair[seat] == name != pair[1 - seat]
            for each in played
        ]

    def table_of_self_play(self) -> Table | None:
        """Return a table that compares each planner's self-play with its play with others.

        Return None if no planner has both.
        """
        rows = []
        for name in self.rows:
            own = self.arms.get((name, name), ())
            others = [self._with_others(name, seat) for seat in (0, 1)]
            if own and all(others):
                cells = [self._cell(played) for played in (own, *others)]
                rows.append([name, *(cell.format(self.column) for cell in cells)])
        if not rows:
            return None
        return Table(
            title=f"Self-play and play with others: {self.column.title}",
            columns=["player", "self-play", *(f"as {seat} with others" for seat in self.seats)],
            rows=rows,
        )

    def fragility(self) -> Table | None:
        """Return a table of how much each planner's figure varies with its partner.

        A figure is the standard deviation of the planner's means over its partners, without itself.
        Return None if no planner has two partners in a seat.
        """
        players = list(dict.fromkeys([*self.rows, *self.columns]))
        spreads = {name: [self._spread(name, seat) for seat in (0, 1)] for name in players}
        rows = [
            [name, *("" if each is None else f"{each:.3f}" for each in spread)]
            for name, spread in spreads.items()
            if any(each is not None for each in spread)
        ]
        if not rows:
            return None
        return Table(
            title=f"Partner-specific fragility: {self.column.title}",
            columns=["player", *(f"as {seat}" for seat in self.seats)],
            rows=rows,
            about="Standard deviation of a player's means over its partners, self-play apart; 0 "
            "says that the partner makes no difference.",
        )

    def _spread(self, name: str, seat: int) -> float | None:
        """Return the standard deviation of a planner's means over its partners in a seat."""
        cells = [
            self._cell(played)
            for pair, played in self.arms.items()
            if pair[seat] == name != pair[1 - seat]
        ]
        return find_fragility([cell.found.mean for cell in cells if cell.found is not None])


def find_fragility(means: Sequence[float]) -> float | None:
    """Return the standard deviation of a planner's means over its partners; None below two."""
    return stdev(means) if len(means) > 1 else None


def matrices(arms: Sequence[ArmResults], column: Column) -> Iterator[Matrix]:
    """Yield the matrices of a world: one for each pair of seats and value of the varied option.

    A single pair of planners makes no matrix.
    """
    found: dict[tuple[tuple[str, str], Point], dict[tuple[str, str], list[EpisodeNumbers]]] = {}
    for arm in arms:
        if len(arm.seats) == 2:
            (first, one), (second, other) = arm.seats.items()
            cells = found.setdefault(((first, second), arm.at), {})
            cells.setdefault((one, other), []).extend(arm.played)
    for (seats, at), cells in found.items():
        if len(cells) > 1:
            yield Matrix(seats=seats, at=at, column=column, arms=cells)
