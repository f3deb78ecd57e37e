"""A timestep of the kitchen: one low-level act of each cook.

The order inside a timestep: the cooks interact one after the other, then all move, then the pots
cook and the gates' time passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import Cook, leave_out, use_counter
from cookmas.worlds.grids.walking import Body, keep_apart
from cookmas.worlds.overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    GATE,
    GATE_TICKS,
    GIVEN,
    INTERACT,
    POT,
    SERVING,
    GateState,
    Ingredients,
    KitchenItem,
    OvercookedKitchen,
    PotContent,
    Scene,
    open_gates,
)

_NEW = {kind: KitchenItem(kind) for kind in GIVEN.values()}


class Happened(NamedTuple):
    """What happened in a timestep."""

    deeds: tuple[str | None, ...]
    """What each cook has done by an interaction; None without an effect.

    Such as `pick onion`, `pick onion from counter`, `put onion in pot 0`, `put dish on counter`,
    `start pot 0`, `pick soup from pot 0`, `deliver soup`, `open gate 0`.
    """
    points: int
    """Points of all deliveries."""
    delivered: tuple[Ingredients, ...]
    """The soups that were delivered, with or without points."""


class _Timestep:
    """The values that change while the cooks interact."""

    __slots__ = ("counters", "delivered", "gates", "kitchen", "points", "pots")

    def __init__(self, kitchen: OvercookedKitchen, scene: Scene) -> None:
        self.kitchen = kitchen
        self.counters = scene.counters
        self.pots = scene.pots
        self.gates = scene.gates
        self.points = 0
        self.delivered: tuple[Ingredients, ...] = ()

    def interact(
        self, cell: Cell, held: KitchenItem | None
    ) -> tuple[KitchenItem | None, str | None]:
        """Return what a cook holds after an interaction with the cell in front, and its deed."""
        kind = self.kitchen.kinds.get(cell, "floor")
        if kind == COUNTER:
            return self._at_counter(cell, held)
        if kind == POT:
            return self._at_pot(cell, held)
        if kind in GIVEN and held is None:
            item = _NEW[GIVEN[kind]]
            return item, f"pick {item.kind}"
        if kind == SERVING and held is not None and held.kind == "soup":
            self.points += self.kitchen.points[held.ingredients]
            self.delivered = (*self.delivered, held.ingredients)
            return None, "deliver soup"
        if kind == GATE and held is None and not self.gates[cell].open:
            self.gates = {**self.gates, cell: GateState(True)}
            return None, f"open gate {self.kitchen.numbers[cell]}"
        return held, None

    def _at_counter(
        self, cell: Cell, held: KitchenItem | None
    ) -> tuple[KitchenItem | None, str | None]:
        self.counters, after = use_counter(self.counters, cell, held)
        if held is not None and after is None:
            return None, f"put {held.kind} on counter"
        if held is None and after is not None:
            return after, f"pick {after.kind} from counter"
        return held, None

    def _at_pot(
        self, cell: Cell, held: KitchenItem | None
    ) -> tuple[KitchenItem | None, str | None]:
        content = self.pots.get(cell)
        number = self.kitchen.numbers[cell]
        if held is None:
            if content is None or content.ticks >= 0 or self.kitchen.starts_by_itself:
                return None, None
            self.pots = {**self.pots, cell: content._replace(ticks=0)}
            return None, f"start pot {number}"
        if held.kind == "soup":
            return held, None
        if held.kind == "dish":
            if content is None or not self.kitchen.is_ready(content.ingredients, content.ticks):
                return held, None
            self.pots = leave_out(self.pots, cell)
            return KitchenItem("soup", content.ingredients), f"pick soup from pot {number}"
        if content is None:
            content = PotContent(())
        if content.ticks >= 0 or len(content.ingredients) == CAPACITY:
            return held, None
        filled = PotContent(tuple(sorted((*content.ingredients, held.kind))))
        self.pots = {**self.pots, cell: filled}
        return None, f"put {held.kind} in pot {number}"


def step(kitchen: OvercookedKitchen, scene: Scene, acts: Sequence[str]) -> tuple[Scene, Happened]:
    """Carry out one act of each cook; return the scene after the timestep, and what happened."""
    held = [cook.held for cook in scene.cooks]
    deeds: list[str | None] = [None] * len(held)
    now = _Timestep(kitchen, scene)
    for number, act in enumerate(acts):
        if act == INTERACT:
            faces = scene.cooks[number].body.faces
            held[number], deeds[number] = now.interact(faces, held[number])
    opened = open_gates(now.gates)
    walks = kitchen.walks(opened)
    before = [cook.body for cook in scene.cooks]
    bodies = keep_apart(before, [walks[move] for move in zip(before, acts, strict=True)])
    pots = _cook(kitchen, now.pots) if now.pots else now.pots
    gates = _pass_time(now.gates, bodies) if opened else now.gates
    after = Scene(tuple(map(Cook, bodies, held)), now.counters, pots, gates)
    return after, Happened(tuple(deeds), now.points, now.delivered)


def _cook(kitchen: OvercookedKitchen, pots: Mapping[Cell, PotContent]) -> Mapping[Cell, PotContent]:
    after = dict(pots)
    for cell, (ingredients, ticks) in pots.items():
        if ticks < 0 and kitchen.starts_by_itself and len(ingredients) == CAPACITY:
            after[cell] = PotContent(ingredients, 1)
        elif 0 <= ticks < kitchen.times[ingredients]:
            after[cell] = PotContent(ingredients, ticks + 1)
    return after


def _pass_time(gates: Mapping[Cell, GateState], bodies: Sequence[Body]) -> dict[Cell, GateState]:
    taken = {body.at for body in bodies}
    after = dict(gates)
    for cell, gate in gates.items():
        if gate.open and cell not in taken:
            after[cell] = (
                GateState(True, gate.ticks + 1) if gate.ticks < GATE_TICKS else GateState()
            )
    return after
