"""The corridor in numbers, for training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from cookmas.worlds.base.training import NOTHING, Array, Rows, Training, place_in
from cookmas.worlds.corridor.world import Corridor, CorridorWorld, open_bells

BELLS = 8
"""Greatest number of open bells in an observation: those that were asked for first."""


class CorridorTraining(Training):
    """The representation of a corridor in numbers.

    The representation does not have the places of bells, because only texts name these places.
    """

    def __init__(self, world: CorridorWorld) -> None:
        self._world = world
        rings = (f"ring(bell {n})" for n in range(1, BELLS + 1))
        self.actions: Sequence[str] = ("stay", "left", "right", *rings)
        self.arrays: Mapping[str, Array] = {
            "timestep": Array(1, ("timestep",)),
            "walkers": Array(len(world.workers), ("place",)),
            "bells": Array(BELLS, ("ringer", "told")),
        }
        self._number = place_in(self.actions)
        self._walker = place_in(list(world.workers))

    def text(self, state: Corridor, number: int) -> str:
        """Return the action that a number means in a state, with the name of the bell."""
        nth = number - self._number["ring(bell 1)"]
        bell = next(islice(open_bells(state), nth, None), None) if nth >= 0 else None
        return f"ring({bell})" if bell else self.actions[number]

    def legal(self, state: Corridor, worker: str) -> Sequence[int]:
        """Return the numbers of the legal actions."""
        rings = {f"ring({name})": n for n, name in enumerate(open_bells(state), start=1)}
        texts = self._world.legal(state, worker)
        listed = (f"ring(bell {rings[text]})" if text in rings else text for text in texts)
        return [self._number[text] for text in listed if text in self._number]

    def encode(self, state: Corridor) -> Mapping[str, Rows]:
        """Return the arrays with the walkers' places and the open bells.

        `told` of a bell is 1 if the agent may read the bell's text.
        """
        return {
            "timestep": [[state["timestep"]]],
            "walkers": [[state["places"][name]] for name in self._world.workers],
            "bells": [
                [self._walker.get(bell["ringer"], NOTHING), not bell.get("hidden")]
                for bell in islice(open_bells(state).values(), BELLS)
            ],
        }
