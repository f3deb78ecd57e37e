"""The representation of a world in numbers, for agents that are trained.

An action is a number. An observation is a set of arrays whose shapes never change. The numbers and
the shapes depend only on the fixed parts of a world, such as its stations and its goods, and on no
future event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

NOTHING = -1
"""The number for an empty place in an array: behind the last row, or for an unknown name."""

Rows = Sequence[Sequence[int]]
"""The first rows of an array; all further rows are filled with NOTHING."""


class Array(NamedTuple):
    """The shape of an array."""

    rows: int
    """Greatest number of rows."""
    columns: tuple[str, ...]
    """Name of each column."""


class Training(Protocol):
    """A world in numbers.

    `actions` has the text of each action by its number. An action that names a position in a list,
    such as `serve(line 2)`, means different things in different states. `arrays` are the shapes of
    the observed arrays, by name.
    """

    actions: Sequence[str]
    arrays: Mapping[str, Array]

    def text(self, state: Any, number: int) -> str:
        """Return the text of the action that a number means in a state."""
        ...

    def legal(self, state: Any, worker: str) -> Sequence[int]:
        """Return the numbers of the actions that would not FAIL if no other worker moved."""
        ...

    def encode(self, state: Any) -> Mapping[str, Rows]:
        """Return the arrays of an observed state, without rows that do not fit into an array."""
        ...


@runtime_checkable
class TrainingByWorker(Protocol):
    """A representation in which workers have different actions or observations."""

    def of(self, worker: str) -> Training:
        """Return the representation for this worker."""
        ...


def training_of(training: Training, worker: str) -> Training:
    """Return the representation for one worker; by default all workers share one."""
    return training.of(worker) if isinstance(training, TrainingByWorker) else training


def place_in(names: Sequence[str]) -> dict[str, int]:
    """Return the position of each name in a list, from 0."""
    return {name: number for number, name in enumerate(names)}
