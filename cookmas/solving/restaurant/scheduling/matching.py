"""Matching: whether a thing in the kitchen serves a place in the tree of a line (see `claims`).

A food whose steps so far are the first steps of a component continues where it is. A pot, mixer or
plating place that holds some of the right foods gets the missing ones.

| constraint | method |
|---|---|
| a recipe has its steps in order, with their minutes | `_steps_left` |
| foods that lie together fit the parts of one join | `_claim_gathering`, by a maximum matching |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cookmas.kitchen.components import Component, StepSpec, fits, maximum_matching, pair_off
from cookmas.kitchen.foods import Dish, Food, Plate, Thing
from cookmas.kitchen.layout import KIND_OF_PROCESS, PLATE_NAME, Station
from cookmas.kitchen.stages import FoodInSlot, Joining, Source, joining_of
from cookmas.kitchen.state import Content, KitchenState

Path = tuple[str, ...]
"""A place in the tree of a line: the line, then the numbers of the component and of parts.

The place of the plate is the line and the plate's name.
"""

PLATE = Component(PLATE_NAME)

FETCH = 4
"""Approximate timesteps to fetch a thing, or to carry it away. With more, food that lies about is
reused even if little work is done on it.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A thing in a hand or in a slot, or all things in one station together.

    `holder` is the name of the station or worker that has it, `place` the source that it would be
    to a stage. `station` is None for a thing in a hand.
    """

    holder: str
    place: Source
    station: Station | None
    contents: tuple[Content, ...]

    @property
    def keys(self) -> frozenset[tuple[str, int]]:
        """The slots of the candidate, as pairs of holder and slot.

        The thing in a slot serves only one place.
        """
        return frozenset((self.holder, content.slot) for content in self.contents)


@dataclass(frozen=True, slots=True)
class Claim:
    """A candidate that serves a place in a line's tree.

    `sunk_work` is the approximate work that need not be done again, in timesteps. A claim on a
    single thing has the remaining `steps`; if `stays`, the first of them takes place where the
    thing lies. A claim on things that lie together has in `present` the thing for each part of the
    place, and in `extras` the slots of things that must be removed.
    """

    candidate: Candidate
    sunk_work: int
    steps: tuple[StepSpec, ...] = ()
    stays: bool = False
    present: Mapping[str, Content] | None = None
    extras: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ComponentNode:
    """A node in the tree of a line: a component with its parts, and how they are joined.

    The component None stands for the dish itself.
    """

    path: Path
    component: Component | None
    parts: tuple[Component, ...]
    join: Joining | None


def claims_of(node: ComponentNode, candidate: Candidate, state: KitchenState) -> Iterator[Claim]:
    """Yield the claim of a candidate on a place; nothing if it does not serve the place."""
    first = candidate.contents[0]
    if not isinstance(candidate.place, FoodInSlot):
        if claim := claim_whole(node, candidate, first, state):
            yield claim
    elif candidate.station is not None and (
        claim := _claim_gathering(node, candidate, candidate.station, state)
    ):
        yield claim


def claim_whole(
    node: ComponentNode, candidate: Candidate, content: Content, state: KitchenState
) -> Claim | None:
    """Return the claim of a single thing on a place; None if it does not serve the place."""
    thing = content.thing
    if node.component is None:
        if isinstance(thing, Dish) and pair_off(thing.components, node.parts) is not None:
            return Claim(candidate, _sunk_work(thing))
        return None
    if isinstance(thing, Plate):
        clean = node.component == PLATE and not _on_plating(candidate)
        return Claim(candidate, _sunk_work(thing)) if clean else None
    if not isinstance(thing, Food):
        return None
    station = candidate.station
    running = station is not None and content.since is not None
    steps = _steps_left(thing, node.component, content, station, state)
    if steps is None:
        return None
    first = KIND_OF_PROCESS[steps[0].process].name if steps else ""
    stays = running or (
        station is not None
        and first == station.kind.name != "plating"
        and station.name not in state.out
        and (station.kind.role != "tool" or len(state.contents[station.name]) == 1)
    )
    if station is not None and station.kind.role == "appliance" and not stays:
        return None
    return Claim(candidate, _sunk_work(thing), steps, stays)


def _on_plating(candidate: Candidate) -> bool:
    return candidate.station is not None and candidate.station.kind.name == "plating"


def _sunk_work(thing: Thing) -> int:
    """Return the approximate work that a thing has taken so far, in timesteps."""
    if isinstance(thing, Food):
        done = sum(step.minutes for step in thing.steps)
        return done + (sum(map(_sunk_work, thing.parts)) + 1 if thing.parts else FETCH)
    return FETCH + sum(map(_sunk_work, thing.components)) if isinstance(thing, Dish) else FETCH


def _steps_left(
    food: Food,
    component: Component,
    content: Content,
    station: Station | None,
    state: KitchenState,
) -> tuple[StepSpec, ...] | None:
    """Return the steps that turn `food` into `component`; None if no steps can.

    If the food is cooking, the first step is that cooking, in minutes since its clock started.
    """
    if bool(food.parts) != bool(component.parts) or len(food.steps) > len(component.steps):
        return None
    if food.parts:
        if pair_off(food.parts, component.parts) is None:
            return None
    elif food.name != component.name:
        return None
    left = list(component.steps)
    for number, done in enumerate(food.steps):
        want = component.steps[number]
        last = number == len(food.steps) - 1
        if done.process != want.process or done.minutes > want.high:
            return None
        if done.minutes >= want.low:
            left = left[1:]
        elif not last:
            return None
        else:
            left[0] = StepSpec(want.process, want.low - done.minutes, want.high - done.minutes)
    if station is None or content.since is None:
        return tuple(left)
    process = station.kind.processes[0]
    if (
        food.steps
        and food.steps[-1].process == process
        and len(left) == len(component.steps) - len(food.steps)
    ):
        want, minutes = component.steps[len(food.steps) - 1], food.steps[-1].minutes
        left.insert(0, StepSpec(process, want.low - minutes, want.high - minutes))
    if not left or left[0].process != process:
        return None
    minutes = state.timestep - content.since
    least = left[0].low if station.name in state.out else 0
    return tuple(left) if least <= minutes <= left[0].high else None


def _claim_gathering(
    node: ComponentNode, candidate: Candidate, station: Station, state: KitchenState
) -> Claim | None:
    if node.component is None:
        kind, parts = "plating", node.parts
    elif node.join is not None:
        kind, parts = node.join.kind, node.join.parts
    else:
        return None
    stopped = station.name in state.out
    foods = [c for c in candidate.contents if isinstance(c.thing, Food)]
    plates = [c for c in candidate.contents if isinstance(c.thing, Plate)]
    if kind != station.kind.name or len(foods) + len(plates) != len(candidate.contents):
        return None
    options = [
        [p for p in range(len(parts)) if _lies_right(node, p, content, state, stopped)]
        for content in foods
    ]
    matched = maximum_matching(options)
    present = {str(part): foods[index] for index, part in matched.items()}
    extras = tuple(c.slot for index, c in enumerate(foods) if index not in matched)
    if plates and node.component is None:
        present[PLATE_NAME] = plates[0]
    elif plates:
        extras += (plates[0].slot,)
    if not present or (extras and station.kind.name != "plating"):
        return None
    if stopped and (station.kind.role == "tool" or len(present) < len(parts)):
        return None
    sunk_work = sum(_sunk_work(content.thing) for content in present.values()) - FETCH * len(extras)
    return Claim(candidate, sunk_work, present=present, extras=extras) if sunk_work > 0 else None


def _lies_right(
    node: ComponentNode, number: int, content: Content, state: KitchenState, stopped: bool
) -> bool:
    assert isinstance(content.thing, Food)
    if not fits(content.thing, node.parts[number]):
        return False
    if content.since is None or node.join is None:
        return not stopped
    minutes = state.timestep - content.since
    step = node.join.cooking[number]
    return (step.low if stopped else 0) <= minutes <= step.high


def choose_joining(component: Component, apart: bool) -> Joining:
    """Return how the parts of a component become one food.

    With `apart`, parts that cook longer than the rest of a vessel cook alone first.
    """
    join = joining_of(component)
    return cook_apart(join) if apart and join.cooking else join


def cook_apart(join: Joining) -> Joining:
    """Return a join in a vessel in which all parts go in and come out at the same time.

    All parts cook together for as long as the part with the shortest time allows. A part that must
    cook for longer cooks alone before, for the difference. Half of the minutes by which its recipe
    lets it cook longer go to the cooking alone, the rest to the common one.
    """
    together = min(step.high for step in join.cooking)
    parts: list[Component] = []
    cooking: list[StepSpec] = []
    for part, step in zip(join.parts, join.cooking, strict=True):
        before = step.low - together
        if before > 0:
            spare = (step.high - step.low) // 2
            alone = StepSpec(step.process, before, before + spare)
            part = part.with_steps((*part.steps, alone))
            step = StepSpec(step.process, together, step.high - before - spare)
        parts.append(part)
        cooking.append(step)
    return replace(join, parts=tuple(parts), cooking=tuple(cooking))
