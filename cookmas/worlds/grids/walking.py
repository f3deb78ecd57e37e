"""Walking and turning: a body that moves into a cell without floor only turns.

Bodies move at the same time. If two would be in one cell, or would change places, no body moves;
all of them turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from cookmas.worlds.grids.grid import DIRECTIONS, Cell, Direction, Grid, neighbour

NOBODY: frozenset[Cell] = frozenset()

_LETTERS = {direction: letter for letter, direction in DIRECTIONS.items()}


class Body(NamedTuple):
    """The place of a body, and the direction in which it looks."""

    at: Cell
    facing: Direction

    @property
    def faces(self) -> Cell:
        """The cell in front."""
        return neighbour(self.at, self.facing)


def dump_body(body: Body) -> dict[str, Any]:
    """Return a body as plain data."""
    return {"at": list(body.at), "facing": _LETTERS[body.facing]}


def load_body(data: Mapping[str, Any]) -> Body:
    """Return the body of the plain data of `dump_body`."""
    return Body((data["at"][0], data["at"][1]), DIRECTIONS[data["facing"]])


def move(grid: Grid, body: Body, letter: str) -> Body:
    """Return a body after a move in a direction, as if no other body were on the grid."""
    direction = DIRECTIONS[letter]
    beside = neighbour(body.at, direction)
    return Body(beside if beside in grid.floor else body.at, direction)


def move_together(grid: Grid, bodies: Sequence[Body], letters: Sequence[str]) -> list[Body]:
    """Return the bodies after a timestep; one whose text is no direction stays as it is."""
    moves = list_moves(grid)
    moved = [moves.get(each, each[0]) for each in zip(bodies, letters, strict=True)]
    return keep_apart(bodies, moved)


@lru_cache(maxsize=256)
def list_moves(grid: Grid) -> Mapping[tuple[Body, str], Body]:
    """Return where a move in each direction leads each body, as if it were alone."""
    bodies = [Body(at, facing) for at in grid.floor for facing in DIRECTIONS.values()]
    return {(body, letter): move(grid, body, letter) for body in bodies for letter in DIRECTIONS}


def keep_apart(bodies: Sequence[Body], moved: list[Body]) -> list[Body]:
    """Return the bodies after their moves; if two would meet or change places, all only turn.

    `moved` has each body after its move, as if it were alone.
    """
    if not collide(bodies, moved):
        return moved
    return [Body(before.at, after.facing) for before, after in zip(bodies, moved, strict=True)]


def collide(bodies: Sequence[Body], moved: Sequence[Body]) -> bool:
    """Return whether two bodies would meet or change places; `moved` has each after its move."""
    for number, body in enumerate(moved):
        for other in range(number):
            same = body.at == moved[other].at
            swapped = body.at == bodies[other].at and bodies[number].at == moved[other].at
            if same or swapped:
                return True
    return False


@lru_cache(maxsize=65536)
def shortest_path(
    grid: Grid, body: Body, target: Cell, taken: frozenset[Cell] = NOBODY
) -> tuple[str, ...] | None:
    """Return the fewest moves after which a body faces a cell, turns included.

    Cells in `taken` are not walked on. Of equally short ways the first in the order of the
    directions is returned. Return None if there is no way.
    """
    if body.faces == target:
        return ()
    moves = list_moves(grid)
    before: dict[Body, tuple[Body, str]] = {body: (body, "")}
    queue = deque([body])
    while queue:
        here = queue.popleft()
        for letter in DIRECTIONS:
            after = moves[here, letter]
            if after in before or after.at in taken:
                continue
            before[after] = (here, letter)
            if after.faces == target:
                return _way_back(before, body, after)
            queue.append(after)
    return None


def _way_back(before: dict[Body, tuple[Body, str]], start: Body, end: Body) -> tuple[str, ...]:
    letters = []
    while end != start:
        end, letter = before[end]
        letters.append(letter)
    return tuple(reversed(letters))


@lru_cache(maxsize=65536)
def nearest(
    grid: Grid, body: Body, targets: tuple[Cell, ...], taken: frozenset[Cell] = NOBODY
) -> tuple[Cell, tuple[str, ...]] | None:
    """Return the target that can be faced with the fewest moves, and these moves.

    Of equally near targets the first is returned. Return None if none can be reached.
    """
    best: tuple[Cell, tuple[str, ...]] | None = None
    for target in targets:
        path = shortest_path(grid, body, target, taken)
        if path is not None and (best is None or len(path) < len(best[1])):
            best = target, path
    return best
