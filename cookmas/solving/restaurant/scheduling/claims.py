"""Claims: the things in the kitchen, matched with the components that the open order lines want.

The match that saves most is made first. The tree of a line has its dish at the root, then the
dish's components, then their parts; a place is a node of such a tree.

| constraint | method |
|---|---|
| a thing serves one place of one line | `_choose`: `taken` keys, `covered` paths |
| a running vessel gets the food that it waits for | `_Offer.urgent` |
| food that first cooks alone has its own minutes for it | `_tree`, with `cook_apart` |

A food whose steps so far are the first steps of a component continues where it is. A pot, mixer or
plating place that holds some of the right foods gets the missing ones.

| constraint | method |
|---|---|
| a recipe has its steps in order, with their minutes | `_steps_left` |
| foods that lie together fit the parts of one join | `_claim_gathering`, by a maximum matching |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cookmas.kitchen.components import Component, StepSpec, fits, maximum_matching, pair_off
from cookmas.kitchen.foods import Dish, Food, Plate, Thing
from cookmas.kitchen.layout import KIND_OF_PROCESS, PLATE_NAME, Kitchen, Station
from cookmas.kitchen.stages import FoodInSlot, Held, Joining, Lying, Source, joining_of
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


def claims_on(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Mapping[str, Sequence[Component]],
    given_up: frozenset[str] = frozenset(),
    apart: frozenset[str] = frozenset(),
) -> dict[Path, Claim]:
    """Return the claims on things in the kitchen, each by the place in a line's tree that the
    thing serves.

    Things of the stations and workers in `given_up` serve nothing. Lines in `apart` cook some of
    their foods alone first.
    """
    candidates = [
        candidate for candidate in _candidates(kitchen, state) if candidate.holder not in given_up
    ]
    if not candidates:
        return {}
    nodes = [
        node for line, parts in wanted.items() for node in _tree(line, tuple(parts), line in apart)
    ]
    return _choose(nodes, candidates, state)


def kinds_for(
    kitchen: Kitchen, state: KitchenState, wanted: Mapping[str, Sequence[Component]], worker: int
) -> set[str]:
    """Return the kinds of station where a worker can place or serve the thing in its hand in order
    to serve some line.
    """
    thing = state.workers[worker].holding
    assert thing is not None
    candidate = Candidate(kitchen.workers[worker], Held(worker), None, (Content(0, thing),))
    kinds: set[str] = set()
    for line, parts in wanted.items():
        joined: dict[Path, str] = {}
        for node in _tree(line, tuple(parts)):
            joined[node.path] = node.join.kind if node.join else "plating"
            if claim := claim_whole(node, candidate, candidate.contents[0], state):
                end = joined[node.path[:-1]] if node.component else "pass"
                kinds.add(KIND_OF_PROCESS[claim.steps[0].process].name if claim.steps else end)
    return kinds


def may_use_at(
    kitchen: Kitchen, state: KitchenState, wanted: Mapping[str, Sequence[Component]], name: str
) -> bool:
    """Return whether some line can use anything that lies in the station `name`."""
    candidates = [
        candidate for candidate in _candidates(kitchen, state) if candidate.holder == name
    ]
    nodes = [node for line, parts in wanted.items() for node in _tree(line, tuple(parts))]
    return any(any(claims_of(node, candidate, state)) for node in nodes for candidate in candidates)


def _candidates(kitchen: Kitchen, state: KitchenState) -> Iterator[Candidate]:
    for worker, place in enumerate(state.workers):
        name = kitchen.workers[worker]
        if place.holding is not None and name not in state.out:
            yield Candidate(name, Held(worker), None, (Content(0, place.holding),))
    for name, stopped in state.contents.items():
        station = kitchen.stations[name]
        contents = tuple(_as_if_running(state, name, content) for content in stopped)
        if station.kind.name in ("mixer", "plating", "pot", "pan"):
            yield Candidate(name, FoodInSlot(), station, contents)
        if not station.kind.vessel or len(contents) == 1:
            for content in contents:
                yield Candidate(name, Lying(name, content.slot), station, (content,))


def _as_if_running(state: KitchenState, name: str, content: Content) -> Content:
    """Return a content whose clock runs even if a fault has stopped the clock, since the fault may
    end at any time.
    """
    if content.since is None or name not in state.out:
        return content
    return content._replace(since=state.timestep - state.minutes_cooked(name, content))


def _tree(
    line: str, components: tuple[Component, ...], apart: bool = False
) -> Iterator[ComponentNode]:
    yield ComponentNode((line,), None, components, None)
    yield ComponentNode((line, PLATE_NAME), PLATE, (), None)
    stack: list[tuple[Path, Component]] = [
        ((line, str(i)), component) for i, component in enumerate(components)
    ]
    while stack:
        path, component = stack.pop()
        join_ = choose_joining(component, apart) if component.parts else None
        yield ComponentNode(path, component, join_.parts if join_ else (), join_)
        if join_:
            stack.extend(((*path, str(i)), part) for i, part in enumerate(join_.parts))


class _Offer(NamedTuple):
    """A claim on a place, with the keys by which offers are compared, the most important first.

    `urgent` is true for food that must go into a running vessel, `whole` for a finished dish.
    `saves` is the approximate number of timesteps that the claim saves, plus one if foods of the
    line already lie on a plating place without a plate. `gathers` is true for things that lie
    together. `minutes_left` are the minutes of the remaining steps. The last two keys prefer
    earlier places of the lines and earlier candidates.
    """

    urgent: bool
    whole: bool
    saves: int
    gathers: bool
    minutes_left: int
    before_node: int
    before_candidate: int
    path: Path
    claim: Claim

    def key(self) -> tuple[bool, bool, int, bool, int, int, int]:
        """Return the sort key of the offer."""
        return (
            self.urgent,
            self.whole,
            self.saves,
            self.gathers,
            self.minutes_left,
            self.before_node,
            self.before_candidate,
        )


def _choose(
    nodes: Sequence[ComponentNode],
    candidates: Sequence[Candidate],
    state: KitchenState,
) -> dict[Path, Claim]:
    found = [
        (order, number, node, claim)
        for number, candidate in enumerate(candidates)
        for order, node in enumerate(nodes)
        for claim in claims_of(node, candidate, state)
    ]
    begun = {
        node.path[0]
        for _, _, node, claim in found
        if node.component is None and claim.present and PLATE_NAME not in claim.present
    }
    running = {
        node.path: claim.present.keys()
        for _, _, node, claim in found
        if claim.present and any(food.since is not None for food in claim.present.values())
    }
    offers = [
        _Offer(
            urgent=node.path[-1] not in running.get(node.path[:-1], (node.path[-1],)),
            whole=node.component is None and claim.present is None,
            saves=claim.sunk_work + (node.path[0] in begun),
            gathers=claim.present is not None,
            minutes_left=sum(step.low for step in claim.steps),
            before_node=-order,
            before_candidate=-number,
            path=node.path,
            claim=claim,
        )
        for order, number, node, claim in found
    ]
    offers.sort(key=_Offer.key, reverse=True)
    claims: dict[Path, Claim] = {}
    covered: set[Path] = set()
    taken: set[tuple[str, int]] = set()
    for offer in offers:
        path, claim = offer.path, offer.claim
        if claim.candidate.keys & taken or path in claims or _is_within(path, covered):
            continue
        covers = {path} if claim.present is None else {(*path, child) for child in claim.present}
        if any(_is_within(other, covers) for other in [*claims, *covered]):
            continue
        claims[path] = claim
        covered |= covers
        taken |= claim.candidate.keys
    return claims


def _is_within(path: Path, covers: set[Path]) -> bool:
    return any(path[:n] in covers for n in range(1, len(path) + 1))
