"""The representation of a plain world in numbers, for training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cookmas.files.errors import InputError
from cookmas.worlds.plain.world import PlainWorld, State
from cookmas.worlds.training import NOTHING, Array, Rows, place_in

Where = tuple[str | int, ...]
"""The path to a value in plain data: the names and the positions from the outside in."""


class PlainTraining:
    """The representation of a plain world, with one array `state`.

    The array has a row for each single value in the first state, at any depth, except the seed. The
    row of a number has the number itself. The row of a worker's name has the position of the
    worker. The row of any other text has NOTHING, and so does the row of a value that a later state
    does not have. Values that only later states have get no row.
    """

    def __init__(self, world: PlainWorld[Any]) -> None:
        actions = world.every_action()
        if actions is None:
            raise InputError(world.name, "cannot number its actions, which training needs")
        self._world = world
        self._places = [place for place in _places(world.start()) if place != ("seed",)]
        self._number = place_in(actions)
        self._worker = place_in(list(world.workers))
        self.actions: Sequence[str] = actions
        self.arrays: Mapping[str, Array] = {"state": Array(len(self._places), ("value",))}

    def text(self, state: State, number: int) -> str:
        """Return the action that a number means."""
        return self.actions[number]

    def legal(self, state: State, worker: str) -> Sequence[int]:
        """Return the numbers of the legal actions."""
        legal = self._world.legal(state, worker)
        return [self._number[action] for action in legal if action in self._number]

    def encode(self, state: State) -> Mapping[str, Rows]:
        """Return the array of a state."""
        return {"state": [[self._value(_value_at(state, place))] for place in self._places]}

    def _value(self, value: Any) -> int:
        if isinstance(value, bool | int | float):
            return int(value)
        return self._worker.get(value, NOTHING) if isinstance(value, str) else NOTHING


def _places(value: Any, where: Where = ()) -> Iterator[Where]:
    """Yield the paths of all single values in plain data, which are not lists or mappings."""
    match value:
        case dict():
            for name, each in value.items():
                yield from _places(each, (*where, name))
        case list():
            for number, each in enumerate(value):
                yield from _places(each, (*where, number))
        case _:
            yield where


def _value_at(value: Any, where: Where) -> Any:
    for step in where:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
