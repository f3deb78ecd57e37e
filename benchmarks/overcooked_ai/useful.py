"""Random play of the kitchen that is useful: cooks walk to places where they can do something.

Each cook has a place in mind, walks there by a shortest way and interacts. A part of its acts is
drawn from all six instead, so that cooks also meet, drop things and do what has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.rules.grounding import ACT_OF
from cookmas.worlds.overcooked.rules.kitchen import (
    ACTS,
    CAPACITY,
    COUNTER,
    DISHES,
    INTERACT,
    ONIONS,
    POT,
    SERVING,
    STAY,
    TOMATOES,
    OvercookedKitchen,
    Scene,
)
from cookmas.worlds.overcooked.rules.places import OvercookedSight
from cookmas.worlds.overcooked.rules.steps import step

STRAY = 0.15
"""Share of the acts that are drawn from all six."""

ASIDE = 0.15
"""Share of the places in mind that are counters although there is another."""


class _Useful:
    """The places that the cooks have in mind.

    Beside each is the cook's body of the timestep before; a cook that was kept from moving takes
    another place.
    """

    def __init__(self, kitchen: OvercookedKitchen, seed: int) -> None:
        self.kitchen = kitchen
        self.draw = Random(seed)
        self.minds: list[tuple[Cell, Body] | None] = [None] * kitchen.cooks

    def acts(self, scene: Scene) -> list[str]:
        return [self._act(scene, number) for number in range(self.kitchen.cooks)]

    def _act(self, scene: Scene, number: int) -> str:
        if self.draw.random() < STRAY:
            return self.draw.choice(ACTS)
        mind = self.minds[number]
        body = scene.cooks[number].body
        if mind is None or mind[1] == body:
            places = self._reachable(scene, number, self._places(scene, number))
            if not places or self.draw.random() < ASIDE:
                places = self._reachable(scene, number, self._counters(scene, number))
            if not places:
                return self.draw.choice(ACTS)
            target = self.draw.choice(places)
        else:
            target = mind[0]
        path = OvercookedSight(self.kitchen, scene, number).way_through(target)
        self.minds[number] = (target, body) if path else None
        if path is None:
            return STAY
        return ACT_OF[path[0]] if path else INTERACT

    def _reachable(self, scene: Scene, number: int, cells: Sequence[Cell]) -> list[Cell]:
        sight = OvercookedSight(self.kitchen, scene, number)
        return [cell for cell in cells if sight.way_through(cell) is not None]

    def _counters(self, scene: Scene, number: int) -> Sequence[Cell]:
        """Return the counters from which a cook can take, or on which it can put."""
        empty = scene.cooks[number].held is None
        return [cell for cell in self.kitchen.places[COUNTER] if (cell in scene.counters) == empty]

    def _places(self, scene: Scene, number: int) -> Sequence[Cell]:
        """Return the cells at which an interaction may have an effect, likelier ones oftener."""
        held = scene.cooks[number].held
        places = self.kitchen.places
        if held is None:
            waiting = [cell for cell, pot in scene.pots.items() if pot.ticks < 0]
            full = [cell for cell in waiting if len(scene.pots[cell].ingredients) == CAPACITY]
            food = [*places[ONIONS], *places[TOMATOES]]
            dishes = places[DISHES] * 3 if len(scene.pots) > len(waiting) else ()
            gates = [cell for cell, gate in scene.gates.items() if not gate.open]
            soups = [cell for cell, item in scene.counters.items() if item.kind == "soup"]
            return [*food * 3, *dishes, *waiting, *full * 4, *gates, *soups * 6]
        if held.kind == "soup":
            return places[SERVING]
        if held.kind == "dish":
            return [cell for cell, pot in scene.pots.items() if pot.ticks >= 0]
        return [
            cell
            for cell in places[POT]
            if cell not in scene.pots or len(scene.pots[cell].ingredients) < CAPACITY
        ]


def play_usefully(
    kitchen: OvercookedKitchen, seed: int, timesteps: int
) -> Iterator[tuple[tuple[str, ...], Scene, int]]:
    """Yield the acts of each timestep of a random play, the scene after them, and the points."""
    useful = _Useful(kitchen, seed)
    scene = kitchen.opening
    for _ in range(timesteps):
        acts = tuple(useful.acts(scene))
        scene, happened = step(kitchen, scene, acts)
        yield acts, scene, happened.points
