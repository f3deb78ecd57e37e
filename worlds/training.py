"""The representation of a world in numbers, for agents that are trained.

An action is a number. An observation is a set of arrays whose shapes never change. Both depend on
how a world is built, such as its stations and its goods, and on nothing that is still to come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

NOTHING = -1
"""The value of a place in an array that has nothing: beyond the last row, or an unknown name."""

Rows = Sequence[Sequence[int]]
"""The first rows of an array; the others are NOTHING."""


class Array(NamedTuple):
    """The shape of an array."""

    rows: int
    """Greatest number of rows."""
    columns: tuple[str, ...]
    """Name of each column."""


class Training(Protocol):
    """A world in numbers.

    `actions` are the texts of the numbers, in order. An action that names something by its place in
    a list, such as `serve(line 2)`, depends on the state. `arrays` are the shapes of the observed
    arrays, by name.
    """

    actions: Sequence[str]
    arrays: Mapping[str, Array]

    def text(self, state: Any, number: int) -> str:
        """Return the action that a number stands for in a state."""
        ...

    def legal(self, state: Any, worker: str) -> Sequence[int]:
        """Return the numbers of the actions that would not FAIL if no other worker moved."""
        ...

    def encode(self, state: Any) -> Mapping[str, Rows]:
        """Return the arrays of an observed state; rows beyond an array's size are left out."""
        ...


@runtime_checkable
class TrainingByWorker(Protocol):
    """A training with different actions or observations for each worker."""

    def of(self, worker: str) -> Training:
        """Return the world in numbers as this worker acts in it and sees it."""
        ...


def training_of(training: Training, worker: str) -> Training:
    """Return the training of one worker; by default all workers have the same."""
    return training.of(worker) if isinstance(training, TrainingByWorker) else training


def place_in(names: Sequence[str]) -> dict[str, int]:
    """Return the place of each name in a list."""
    return {name: number for number, name in enumerate(names)}
