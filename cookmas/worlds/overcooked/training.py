"""Overcooked-AI in numbers, for training: low-level acts, unless cooks may command none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.worlds.base.training import NOTHING, Array, Rows, Training, place_in
from cookmas.worlds.grids.grid import DIRECTION_NUMBERS
from cookmas.worlds.grids.hands import HIDDEN
from cookmas.worlds.overcooked.rules.kitchen import ACTS, COUNTER, KitchenItem
from cookmas.worlds.overcooked.rules.state import OvercookedState
from cookmas.worlds.overcooked.world import OvercookedWorld

_ITEMS = place_in(["onion", "tomato", "dish", "soup"])
_UNKNOWN = [NOTHING] * 6


class OvercookedTraining(Training):
    """The actions and observations of a kitchen in numbers. Items and directions are numbered too.

    A soup, in hands or on a counter, has its numbers of onions and of tomatoes beside it. The
    columns of a cook that is hidden are NOTHING.
    """

    world: OvercookedWorld

    def list_actions(self) -> Sequence[str]:
        """Return the low-level acts; all actions that can be listed if cooks may command none."""
        self._low = self.world.options.acts != "medium"
        return ACTS if self._low else self.world.every_action()

    def list_arrays(self) -> Mapping[str, Array]:
        """Return the shapes of the observed arrays, by name."""
        kitchen = self.world.kitchen
        self._all = tuple(range(len(self.actions)))
        self._pots = kitchen.pots
        self._counters = kitchen.places[COUNTER]
        self._gates = kitchen.gates
        soup = ("holding", "onions", "tomatoes")
        arrays = {
            "timestep": Array(1, ("timestep", "score")),
            "cooks": Array(kitchen.cooks, ("x", "y", "facing", *soup)),
            "counters": Array(len(self._counters), soup),
            "pots": Array(len(self._pots), ("onions", "tomatoes", "ticks")),
        }
        if self._gates:
            arrays["gates"] = Array(len(self._gates), ("open", "ticks"))
        return arrays

    def legal(self, state: OvercookedState, worker: str) -> Sequence[int]:
        """Return the numbers of the legal actions; of the low-level acts these are all.

        `stay` is the only one in the middle of a medium-level action.
        """
        if self._low:
            busy = worker not in self.world.movers(state)
            return (self.number["stay"],) if busy else self._all
        return super().legal(state, worker)

    def encode(self, state: OvercookedState) -> Mapping[str, Rows]:
        """Return the arrays of an observed state."""
        scene = state.scene
        counters, pots = scene.counters, scene.pots
        return {
            "timestep": ((state.timestep, state.score),),
            "cooks": [
                _UNKNOWN
                if cook == HIDDEN
                else (*cook.body.at, DIRECTION_NUMBERS[cook.body.facing], *_encode_item(cook.held))
                for cook in scene.cooks
            ],
            "counters": [_encode_item(counters.get(cell)) for cell in self._counters]
            if counters
            else [_NO_ITEM] * len(self._counters),
            "pots": [
                (pot.ingredients.count("onion"), pot.ingredients.count("tomato"), pot.ticks)
                if (pot := pots.get(cell))
                else _EMPTY_POT
                for cell in self._pots
            ],
            "gates": [
                (int(gate.open), gate.ticks) for gate in (scene.gates[cell] for cell in self._gates)
            ],
        }


_NO_ITEM = (NOTHING, 0, 0)
_EMPTY_POT = (0, 0, -1)


def _encode_item(item: KitchenItem | None) -> Sequence[int]:
    if item is None:
        return _NO_ITEM
    return _ITEMS[item.kind], item.ingredients.count("onion"), item.ingredients.count("tomato")


TRAINING = OvercookedTraining
