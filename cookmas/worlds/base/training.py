"""The representation of a world in numbers, for agents that are trained.

An action is a number. An observation is a set of arrays whose shapes never change. The numbers and
the shapes depend only on the fixed parts of a world, such as its stations and its goods, and on no
future event. By default the arrays have the values of the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cookmas.episodes.base import World
from cookmas.files.errors import InputError

NOTHING = -1
"""The number for an empty place in an array: behind the last row, or for an unknown name."""

Rows = Sequence[Sequence[int]]
"""The first rows of an array; all further rows are filled with NOTHING."""


class Array(NamedTuple):
    """The shape of an array."""

    rows: int
    """Greatest number of rows."""
    columns: tuple[str, ...]


class Training:
    """A world in numbers; a world overrides what differs.

    By default the actions are those that the world lists, and the observation is one array,
    `state`. It has a row for each single value in the first state, at any depth, except the seed.
    The row of a number has the number itself. The row of a worker's name has the position of the
    worker. The row of any other text has NOTHING, and so does the row of a value that a later state
    does not have. Values that only later states have get no row.
    """

    actions: Sequence[str]
    """The text of each action by its number.

    An action that names a position in a list, such as `serve(line 2)`, means different things in
    different states.
    """
    arrays: Mapping[str, Array]
    """The shapes of the observed arrays, by name."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.actions = self.list_actions()
        self.number = place_in(self.actions)
        self.arrays = self.list_arrays()

    # What a world overrides.

    def list_actions(self) -> Sequence[str]:
        """Return the text of each action. Raise InputError if they cannot be listed."""
        actions = self.world.every_action()
        if actions is None:
            raise InputError(self.world.name, "cannot number its actions, which training needs")
        return actions

    def list_arrays(self) -> Mapping[str, Array]:
        """Return the shapes of the observed arrays, by name."""
        started = self.world.dump(self.world.start())
        self._places = [place for place in _places(started) if place != ("seed",)]
        self._worker = place_in(list(self.world.workers))
        return {"state": Array(len(self._places), ("value",))}

    def encode(self, state: Any) -> Mapping[str, Rows]:
        """Return the arrays of an observed state, without rows that do not fit into an array."""
        data = self.world.dump(state)
        return {"state": [[self._value(_value_at(data, place))] for place in self._places]}

    def text(self, state: Any, number: int) -> str:
        """Return the text of the action that a number means in a state."""
        return self.actions[number]

    def legal(self, state: Any, worker: str) -> Sequence[int]:
        """Return the numbers of the actions that would not FAIL if no other worker moved."""
        legal = self.world.legal(state, worker)
        return [self.number[action] for action in legal if action in self.number]

    def of(self, worker: str) -> Training:
        """Return the representation for one worker; by default all workers share one."""
        return self

    def _value(self, value: Any) -> int:
        if isinstance(value, bool | int | float):
            return int(value)
        return self._worker.get(value, NOTHING) if isinstance(value, str) else NOTHING


Where = tuple[str | int, ...]
"""The path to a value in plain data: the names and the positions from the outside in."""


def place_in(names: Sequence[str]) -> dict[str, int]:
    """Return the position of each name in a list, from 0."""
    return {name: number for number, name in enumerate(names)}


def _places(value: Any, where: Where = ()) -> Iterator[Where]:
    """Yield the paths of all single values in plain data, which are not lists or mappings."""
    match value:
        case dict():
            for name, part in value.items():
                yield from _places(part, (*where, name))
        case list():
            for place, part in enumerate(value):
                yield from _places(part, (*where, place))
        case _:
            yield where


def _value_at(value: Any, where: Where) -> Any:
    for step in where:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
