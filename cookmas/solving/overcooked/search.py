"""A search over what all cooks do together: a beam of joint plans of medium-level steps.

A step of a cook is to walk to a place and interact. All cooks walk in the simulator itself, so a
plan is a list of joint low-level acts that happen as planned if all cooks follow it. Plans are
compared at equal timesteps, by the points that they got and by what their scene is worth.

A scene is worth the points that will come of what is there, by an estimate. Each part of the work
on a soup is worth a share of the soup's points. The shares grow from step to step, so a plan that
does more of the work is better, and the delivery is best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import product
from typing import NamedTuple

from cookmas.solving.overcooked.goals import Goals, find_missing
from cookmas.solving.overcooked.ways import FAR, nearest_moves, ways_to
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.walking import collide
from cookmas.worlds.overcooked.rules.kitchen import (
    INTERACT,
    MOVES,
    POT,
    SERVING,
    STAY,
    KitchenItem,
    OvercookedKitchen,
    Scene,
    open_gates,
)
from cookmas.worlds.overcooked.rules.serving import list_served_orders
from cookmas.worlds.overcooked.rules.steps import step

FILLED = 0.36
"""Share of a pot that has all ingredients but does not cook."""

COOKING = 0.42
"""Share of a pot that begins to cook."""

READY = 0.62
"""Share of a pot that is ready."""

SERVED = 0.85
"""Share of a soup on a dish."""

ITEM = 0.07
"""Share of an item that is wanted, in hands or on a counter."""

MOVE = 0.002
"""Share that each move to the next place costs."""

UNREACHED = 30
"""Moves that count for a place that cannot be reached."""


def estimate(kitchen: OvercookedKitchen, scene: Scene) -> float:
    """Return the points that the work in a scene is worth."""
    wanted: Counter[str] = Counter()
    worth = 0.0
    best = max((recipe.points for recipe in list_served_orders(kitchen)), default=0)
    for cell in kitchen.pots:
        pot = scene.pots.get(cell)
        if pot is not None and pot.ticks >= 0:
            share = COOKING + (READY - COOKING) * pot.ticks / kitchen.times[pot.ingredients]
            worth += share * kitchen.points[pot.ingredients]
            wanted["dish"] += 1
            continue
        found = find_missing(kitchen, pot.ingredients if pot else ())
        if found is None:
            continue
        points, missing = found
        wanted.update(missing)
        if pot is not None:
            size = len(pot.ingredients)
            worth += FILLED * points * size / (size + len(missing))
            wanted["dish"] += not missing
    items = [
        (_moves_of(kitchen, scene, item, number), item)
        for number, cook in enumerate(scene.cooks)
        if (item := cook.held)
    ]
    items += [(_moves_on(kitchen, cell, item), item) for cell, item in scene.counters.items()]
    for moves, item in sorted(items):
        far = MOVE * min(moves, UNREACHED)
        if item.kind == "soup":
            worth += (SERVED - far) * kitchen.points[item.ingredients]
        elif wanted[item.kind] > 0:
            wanted[item.kind] -= 1
            worth += (ITEM - far) * best
    return worth


def _moves_of(kitchen: OvercookedKitchen, scene: Scene, item: KitchenItem, number: int) -> int:
    body = scene.cooks[number].body
    cells = kitchen.places[SERVING if item.kind == "soup" else POT]
    opened = frozenset(kitchen.gates)
    return min((ways_to(kitchen, opened, cell).moves.get(body, FAR) for cell in cells), default=FAR)


def _moves_on(kitchen: OvercookedKitchen, cell: Cell, item: KitchenItem) -> int:
    return 3 + nearest_moves(kitchen, cell, SERVING if item.kind == "soup" else POT)


HASTE = 0.002
"""Share of its points that a delivery loses with each timestep in which it is later."""

PATIENCE = 2
"""Timesteps without a move after which cooks that block each other choose again."""

CHOOSING = 2
"""Greatest number of cooks that choose in a timestep; others wait for the next one."""

WAITED_TIMESTEPS = 4
"""Greatest number of timesteps for which a cook waits before it chooses again."""

DETOUR = 4
"""Most moves that a way around another cook may be longer."""


class Effort(NamedTuple):
    """How much is searched."""

    ahead: int = 60
    """Timesteps that are planned."""
    width: int = 16
    """Joint plans that are kept for each timestep."""


class Aim(NamedTuple):
    """What a cook is at: a cell to interact with, one move, or waiting."""

    cell: Cell | None
    """The cell to interact with; None for a move or waiting."""
    move: str = ""
    """The move; empty for waiting."""
    wait: int = 0
    """Timesteps for which the cook waits."""
    firm: bool = False
    """Whether nothing shortens the waiting."""


class JointPlan(NamedTuple):
    """What all cooks do together."""

    acts: tuple[tuple[str, ...], ...]
    """The joint acts of the next timesteps."""
    aims: tuple[Aim | None, ...]
    """What each cook is at first; None if there is no timestep."""
    value: float
    """What the plan gets, and what its last scene is worth, in points."""


class _Node(NamedTuple):
    """A joint plan up to a timestep."""

    timestep: int
    scene: Scene
    aims: tuple[Aim | None, ...]
    gained: float
    value: float
    stuck: bool
    acts: tuple[tuple[str, ...], ...]
    begun: tuple[Aim | None, ...]
    before: _Node | None


class _Search:
    """One search from a scene."""

    def __init__(self, kitchen: OvercookedKitchen, effort: Effort, end: int, over: bool) -> None:
        self.kitchen = kitchen
        self.effort = effort
        self.end = end
        self.over = over

    def plan(self, scene: Scene, aims: tuple[Aim | None, ...]) -> JointPlan:
        """Return the best plan in which the cooks are at some aims already."""
        start = _Node(0, scene, aims, 0.0, 0.0, False, (), aims, None)
        layers: list[dict[object, _Node]] = [{} for _ in range(self.end + 1)]
        layers[0][0] = start
        for layer in layers[: self.end]:
            for node in nlargest(self.effort.width, layer.values(), key=_value):
                for aims in self._choices(node):
                    after = self._advance(node, aims)
                    key = _key(after)
                    known = layers[after.timestep].get(key)
                    if known is None or known.value < after.value:
                        layers[after.timestep][key] = after
            layer.clear()
        last = max(layers[self.end].values(), key=_value)
        best: _Node | None = last
        parts: list[_Node] = []
        while best is not None:
            parts.append(best)
            best = best.before
        parts.reverse()
        acts = tuple(joint for part in parts for joint in part.acts)
        return JointPlan(acts, parts[min(1, len(parts) - 1)].begun, last.value)

    def _choices(self, node: _Node) -> Iterator[tuple[Aim | None, ...]]:
        goals = Goals(self.kitchen, node.scene)
        options: list[list[Aim | None]] = []
        choosing = [number for number, aim in enumerate(node.aims) if aim is None][:CHOOSING]
        for number, aim in enumerate(node.aims):
            if number not in choosing:
                options.append([aim or Aim(None, wait=1)])
                continue
            found: list[Aim | None] = [Aim(cell) for cell in dict.fromkeys(goals.of(number))]
            found.append(Aim(None, wait=WAITED_TIMESTEPS))
            if node.stuck:
                found += [Aim(None, move=move) for move in MOVES]
            options.append(found)
        return product(*options)

    def _advance(self, node: _Node, begun: tuple[Aim | None, ...]) -> _Node:
        """Return the node after the first timestep in which a cook has reached its aim."""
        scene, gained, timestep = node.scene, node.gained, node.timestep
        acts: list[tuple[str, ...]] = []
        aims = list(begun)
        stuck = 0
        while True:
            joint, blocked = self._joint(scene, aims)
            before = scene
            scene, happened = step(self.kitchen, scene, joint)
            timestep += 1
            acts.append(joint)
            gained += happened.points * (1 - HASTE * timestep)
            moved = any(a.body != b.body for a, b in zip(scene.cooks, before.cooks, strict=True))
            stuck = stuck + 1 if blocked and not moved else 0
            done = self._update(aims, joint, scene)
            if done or timestep == self.end or stuck == PATIENCE:
                break
        is_stuck = stuck == PATIENCE
        if is_stuck:
            aims = [aim if aim and aim.firm else None for aim in aims]
        value = gained
        if not (self.over and timestep == self.end):
            value += estimate(self.kitchen, scene)
        return _Node(
            timestep, scene, tuple(aims), gained, value, is_stuck, tuple(acts), begun, node
        )

    def _update(self, aims: list[Aim | None], joint: Sequence[str], scene: Scene) -> bool:
        """Take the aims away that are reached or void; return whether there is one."""
        found = False
        for number, aim in enumerate(aims):
            if aim is None:
                continue
            if aim.cell is None:
                wait = aim.wait - 1
                aims[number] = aim._replace(wait=wait) if wait > 0 else None
            elif joint[number] == INTERACT or self._is_void(scene, number, aim.cell):
                aims[number] = None
            found = found or aims[number] is None
        if found:
            aims[:] = [None if aim and aim.cell is None and not aim.firm else aim for aim in aims]
        return found

    def _is_void(self, scene: Scene, number: int, cell: Cell) -> bool:
        if not scene.gates:
            return False
        moves = ways_to(self.kitchen, open_gates(scene.gates), cell).moves
        return scene.cooks[number].body not in moves

    def _joint(self, scene: Scene, aims: Sequence[Aim | None]) -> tuple[tuple[str, ...], bool]:
        """Return the acts that lead the cooks to their aims, and whether one blocks another."""
        opened = open_gates(scene.gates)
        acts = [self._act(scene, opened, number, aim) for number, aim in enumerate(aims)]
        if not self._collide(scene, opened, acts):
            return tuple(acts), False
        best: tuple[int, tuple[str, ...]] | None = None
        for number, aim in enumerate(aims):
            for act in self._alternatives(scene, opened, number, aim):
                changed = [*acts]
                changed[number] = act
                if self._collide(scene, opened, changed):
                    continue
                left = self._moves_left(scene, opened, aims, changed)
                if best is None or left < best[0]:
                    best = left, tuple(changed)
        if best is None:
            return (STAY,) * len(acts), True
        return best[1], True

    def _act(self, scene: Scene, opened: frozenset[Cell], number: int, aim: Aim | None) -> str:
        if aim is None:
            return STAY
        if aim.cell is None:
            return aim.move or STAY
        cook = scene.cooks[number]
        act = ways_to(self.kitchen, opened, aim.cell).lead.get(cook.body)
        if act is not None:
            return act
        if cook.held and cook.held.kind == "dish" and self.kitchen.kinds[aim.cell] == POT:
            pot = scene.pots.get(aim.cell)
            if pot and 0 <= pot.ticks < self.kitchen.times[pot.ingredients]:
                return STAY
        return INTERACT

    def _alternatives(
        self, scene: Scene, opened: frozenset[Cell], number: int, aim: Aim | None
    ) -> Iterator[str]:
        """Yield what a cook can do in place of its act: walk around another cook, or stay."""
        body = scene.cooks[number].body
        if aim is not None and aim.cell is not None:
            direct = ways_to(self.kitchen, opened, aim.cell).moves.get(body, FAR)
            for other, cook in enumerate(scene.cooks):
                if other != number:
                    around = ways_to(self.kitchen, opened, aim.cell, cook.body.at)
                    if around.moves.get(body, FAR) <= direct + DETOUR and body in around.lead:
                        yield around.lead[body]
        yield STAY

    def _moves_left(
        self,
        scene: Scene,
        opened: frozenset[Cell],
        aims: Sequence[Aim | None],
        acts: Sequence[str],
    ) -> int:
        walks = self.kitchen.walks(opened)
        total = 0
        for cook, aim, act in zip(scene.cooks, aims, acts, strict=True):
            if aim is not None and aim.cell is not None:
                body = walks[cook.body, act]
                total += ways_to(self.kitchen, opened, aim.cell).moves.get(body, FAR)
                total += act == STAY
        return total

    def _collide(self, scene: Scene, opened: frozenset[Cell], acts: Sequence[str]) -> bool:
        walks = self.kitchen.walks(opened)
        bodies = [cook.body for cook in scene.cooks]
        return collide(bodies, [walks[move] for move in zip(bodies, acts, strict=True)])


def _value(node: _Node) -> float:
    return node.value


def _key(node: _Node) -> object:
    scene = node.scene
    things = frozenset(scene.counters.items()), frozenset(scene.pots.items())
    return scene.cooks, things, tuple(scene.gates.values()), node.aims


class _Hashed:
    """A scene as the key of a cache."""

    __slots__ = ("key", "scene")

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.key = (
            scene.cooks,
            frozenset(scene.counters.items()),
            frozenset(scene.pots.items()),
            frozenset(scene.gates.items()),
        )

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and self.key == other.key


@lru_cache(maxsize=1024)
def _plan(
    kitchen: OvercookedKitchen,
    scene: _Hashed,
    left: int,
    effort: Effort,
    aims: tuple[Aim | None, ...],
) -> JointPlan:
    end = min(left, effort.ahead)
    return _Search(kitchen, effort, end, left <= effort.ahead).plan(scene.scene, aims)


def plan_together(
    kitchen: OvercookedKitchen,
    scene: Scene,
    left: int,
    effort: Effort,
    aims: tuple[Aim | None, ...] = (),
) -> JointPlan:
    """Return the best joint plan of the next timesteps that is found.

    `left` is the number of timesteps that are left. `aims` has what each cook is expected to be at;
    None for a cook of which nothing is known. The result depends on the arguments alone.
    """
    return _plan(kitchen, _Hashed(scene), left, effort, aims or (None,) * len(scene.cooks))


def value_of_going(
    kitchen: OvercookedKitchen,
    scene: Scene,
    left: int,
    effort: tuple[int, int],
    to: Mapping[int, Cell],
) -> float:
    """Return what the best joint plan is worth in which some cooks, by number, go to cells first.

    `effort` has the fields of `Effort`.
    """
    aims = tuple(Aim(to[cook]) if cook in to else None for cook in range(kitchen.cooks))
    return plan_together(kitchen, scene, left, Effort(*effort), aims).value
