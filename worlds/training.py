"""How a world is put into numbers, for agents that are trained rather than told.

An action is a number, and what an agent sees are arrays whose shapes never change: both depend on
how a world is built, such as its stations and its menu, and on nothing that is still to come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

NOTHING = -1
"""What stands in an array where there is nothing: beyond the last row, or for an unknown name."""

Rows = Sequence[Sequence[int]]
"""The first rows of an array; the others are NOTHING."""


class Array(NamedTuple):
    """What is told in an array: at most `rows` of something, each with these `columns`."""

    rows: int
    columns: tuple[str, ...]


class Training(Protocol):
    """A world in numbers.

    `actions` are what the numbers of the actions stand for, in order; where one names what an
    action is about by its place in a list, such as `serve(line 2)`, the state says which it is.
    `arrays` are what is seen, by name.
    """

    actions: Sequence[str]
    arrays: Mapping[str, Array]

    def text(self, state: Any, number: int) -> str:
        """The action that a number stands for in a state."""
        ...

    def legal(self, state: Any, worker: str) -> Sequence[int]:
        """The numbers of the actions that would not FAIL if nobody else moved."""
        ...

    def seen(self, state: Any) -> Mapping[str, Rows]:
        """What is seen of a state that somebody observes; what finds no room is left out."""
        ...


@runtime_checkable
class TrainingByWorker(Protocol):
    """A training with different actions or observations for each worker."""

    def of(self, worker: str) -> Training:
        """Return the world in numbers as this worker acts in it and sees it."""
        ...


def training_of(training: Training, worker: str) -> Training:
    """Return the numbers of one worker: those of all where the training does not say otherwise."""
    return training.of(worker) if isinstance(training, TrainingByWorker) else training


def place_in(names: Sequence[str]) -> dict[str, int]:
    """The place of each name in a list."""
    return {name: number for number, name in enumerate(names)}
