"""Claims: the things in the kitchen, matched with the components that the open order lines want.

The match that saves most is made first (see `matching` for which things match). The tree of a line
has its dish at the root, then the dish's components, then their parts; a place is a node of such a
tree.

| constraint | method |
|---|---|
| a thing serves one place of one line | `_choose`: `taken` keys, `covered` paths |
| a running vessel gets the food that it waits for | `_Offer.urgent` |
| food that first cooks alone has its own minutes for it | `_tree`, with `cook_apart` |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import KIND_OF_PROCESS, PLATE_NAME, Kitchen
from cookmas.kitchen.stages import FoodInSlot, Held, Lying
from cookmas.kitchen.state import Content, KitchenState
from cookmas.solving.restaurant.scheduling.matching import (
    PLATE,
    Candidate,
    Claim,
    ComponentNode,
    Path,
    choose_joining,
    claim_whole,
    claims_of,
)


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
