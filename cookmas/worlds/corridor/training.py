"""The corridor in numbers, for training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from cookmas.worlds.base.training import NOTHING, Array, Rows, Training, place_in
from cookmas.worlds.corridor.world import Corridor, open_bells

BELLS = 8
"""Greatest number of open bells in an observation: those that were asked for first."""

_MOVES = ("stay", "left", "right")


class CorridorTraining(Training):
    """The representation of a corridor in numbers.

    The representation does not have the places of bells, because only texts name these places.
    """

    def list_actions(self) -> Sequence[str]:
        """Return the moves, and the actions that ring the first, second... open bell."""
        return (*_MOVES, *(f"ring(bell {n})" for n in range(1, BELLS + 1)))

    def list_arrays(self) -> Mapping[str, Array]:
        """Return the shapes of the observed arrays, by name."""
        return {
            "timestep": Array(1, ("timestep",)),
            "walkers": Array(len(self.world.workers), ("place",)),
            "bells": Array(BELLS, ("ringer", "told")),
        }

    def text(self, state: Corridor, number: int) -> str:
        """Return the action that a number means in a state, with the name of the bell."""
        return dict(enumerate(_rings(state), len(_MOVES))).get(number, self.actions[number])

    def legal(self, state: Corridor, worker: str) -> Sequence[int]:
        """Return the numbers of the legal actions."""
        number = place_in([*_MOVES, *_rings(state)])
        return [number[action] for action in self.world.legal(state, worker) if action in number]

    def encode(self, state: Corridor) -> Mapping[str, Rows]:
        """Return the arrays with the walkers' places and the open bells.

        `told` of a bell is 1 if the agent may read the bell's text.
        """
        walker = place_in(self.world.workers)
        return {
            "timestep": [[state["timestep"]]],
            "walkers": [[state["places"][name]] for name in self.world.workers],
            "bells": [
                [walker.get(bell["ringer"], NOTHING), not bell.get("hidden")]
                for bell in islice(open_bells(state).values(), BELLS)
            ],
        }


def _rings(state: Corridor) -> list[str]:
    return [f"ring({name})" for name in islice(open_bells(state), BELLS)]


TRAINING = CorridorTraining
