"""A grid of cells, written as text: one letter for each cell, a space for floor.

Digits are floor too, on which the body of that number starts. Every other letter is a solid cell,
whose meaning is the world's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

Cell = tuple[int, int]
"""A cell: its column and its row, from the upper left corner."""

Direction = tuple[int, int]
"""A step to a neighbouring cell: the changes of column and row."""

DIRECTIONS: Mapping[str, Direction] = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}
"""The four directions by letter; rows count downwards."""

DIRECTION_NUMBERS: Mapping[Direction, int] = {
    direction: number for number, direction in enumerate(DIRECTIONS.values())
}
"""The number of each direction, from 0, for training."""

FLOOR = " "
MOST_CELLS = 30
"""Greatest number of rows and of columns."""


def neighbour(cell: Cell, direction: Direction) -> Cell:
    """Return the next cell in a direction."""
    return cell[0] + direction[0], cell[1] + direction[1]


@dataclass(frozen=True)
class Grid:
    """A rectangle of cells whose border is solid."""

    rows: tuple[str, ...]
    """The text of each row, from the top."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.rows)

    @classmethod
    def of_rows(cls, rows: Sequence[str]) -> Grid:
        """Return the grid of a text. Raise ValueError if it is no closed rectangle with starts."""
        if not 3 <= len(rows) <= MOST_CELLS or not 3 <= len(rows[0]) <= MOST_CELLS:
            raise ValueError(f"expected 3 to {MOST_CELLS} rows and columns")
        for number, row in enumerate(rows):
            if "\t" in row:
                raise ValueError(f"row {number} has a tab: write a space for each cell of floor")
            if len(row) != len(rows[0]):
                raise ValueError(
                    f"expected rows of the same length, but row {number} has {len(row)} columns "
                    f"and row 0 has {len(rows[0])}"
                )
        grid = cls(tuple(rows))
        open_cells = [cell for cell in grid.floor if grid.at_border(cell)]
        if open_cells:
            x, y = min(open_cells)
            raise ValueError(f"expected a closed border, but column {x} of row {y} is floor")
        digits = sorted(letter for row in rows for letter in row if letter.isdigit())
        if not digits or digits != [str(number + 1) for number in range(len(digits))]:
            raise ValueError("expected the starts 1, 2 and so on, each once")
        return grid

    @cached_property
    def floor(self) -> frozenset[Cell]:
        """The cells on which a body can stand."""
        return frozenset(
            (x, y)
            for y, row in enumerate(self.rows)
            for x, letter in enumerate(row)
            if letter == FLOOR or letter.isdigit()
        )

    @cached_property
    def starts(self) -> tuple[Cell, ...]:
        """The cells on which the bodies start, by number."""
        found = {
            letter: (x, y)
            for y, row in enumerate(self.rows)
            for x, letter in enumerate(row)
            if letter.isdigit()
        }
        return tuple(found[digit] for digit in sorted(found))

    @cached_property
    def solid(self) -> Mapping[Cell, str]:
        """The letters of the cells on which no body can stand, row by row."""
        return {
            (x, y): letter
            for y, row in enumerate(self.rows)
            for x, letter in enumerate(row)
            if (x, y) not in self.floor
        }

    def at_border(self, cell: Cell) -> bool:
        """Return whether a cell lies at the border."""
        return cell[0] in (0, len(self.rows[0]) - 1) or cell[1] in (0, len(self.rows) - 1)

    def region(self, start: Cell) -> frozenset[Cell]:
        """Return the floor that can be reached from a cell."""
        found, left = {start}, [start]
        while left:
            cell = left.pop()
            for direction in DIRECTIONS.values():
                beside = neighbour(cell, direction)
                if beside in self.floor and beside not in found:
                    found.add(beside)
                    left.append(beside)
        return frozenset(found)

    def cells_touched(self, start: Cell) -> frozenset[Cell]:
        """Return the solid cells that a body that starts on a cell can come to face."""
        return frozenset(
            beside
            for cell in self.region(start)
            for direction in DIRECTIONS.values()
            if (beside := neighbour(cell, direction)) not in self.floor
        )
