"""Partial schedules: the states of the search, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from worlds.restaurant.scheduling.mode import Mode, Spot
from worlds.restaurant.scheduling.resources import Levels

HOPELESS = float("inf")
"""The score of a state that is not gone on with."""


class Unplaceable(Exception):  # noqa: N818
    """Something under way cannot be gone on with; `name` is the station or worker that has it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True, slots=True)
class Placed:
    """A mode that was started at `start`: where its spots are, and the number of each block."""

    start: int
    mode: Mode
    spots: Mapping[Spot, str]
    blocks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """A schedule as placed modes.

    `length` in timesteps from now; `pinned` says which worker must do a block; `missing` are the
    stations that were taken to be back in service in time.
    """

    placed: tuple[Placed, ...]
    length: int
    pinned: Mapping[int, int]
    missing: frozenset[str]


class State:
    """A partial schedule: what is left to do, what is taken, what was placed so far."""

    __slots__ = (
        "begun",
        "blocks",
        "ended",
        "ends",
        "full_at",
        "key",
        "last",
        "left",
        "levels",
        "open_at",
        "placed",
        "served",
        "t",
        "todo",
    )

    def __init__(self, todo: int, levels: Levels, left: dict[int, int]) -> None:
        self.t = 0
        self.todo = todo
        self.levels = levels
        self.left = left
        self.full_at: dict[int, int] = {}
        self.open_at: dict[int, tuple[str, int]] = {}
        self.begun = 0
        self.ends: tuple[tuple[int, str, int], ...] = ()
        self.placed: tuple[object, Placed] | None = None
        self.last = 0
        self.served = 0
        self.ended = 0
        self.blocks = 0
        self.key = 0.0

    def copy(self) -> State:
        """A state that can go another way; what it shares with this one is never changed."""
        new = State(self.todo, self.levels, self.left)
        new.t = self.t
        new.full_at = self.full_at
        new.open_at = self.open_at
        new.begun = self.begun
        new.ends = self.ends
        new.placed = self.placed
        new.last = self.last
        new.served = self.served
        new.ended = self.ended
        new.blocks = self.blocks
        return new

    def placements(self) -> tuple[Placed, ...]:
        """What was placed so far, the first first."""
        placed: list[Placed] = []
        node = self.placed
        while node is not None:
            node, item = node  # type: ignore[assignment]
            placed.append(item)
        return tuple(reversed(placed))


def quality(state: State) -> tuple[int, int, int]:
    """How early a schedule ends, then how early it serves and is done with everything."""
    return state.last, state.served, state.ended
