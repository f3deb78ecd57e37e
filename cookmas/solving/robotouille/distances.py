"""Distances: how many timesteps a robot needs at least for one object of the goal alone.

For one object only the predicates about itself and its place are looked at, and everything else is
taken to be as an action needs it. What comes later comes at once. An action costs one
timestep, and one more if the robot is elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from cookmas.worlds.robotouille.rules.engine import Engine, FactState, GroundAction, GroundLiterals

FAR = 10**4
"""The distance from where the goal of an object cannot be reached."""


class _Step(NamedTuple):
    """An action as one object sees it."""

    place: int
    """Bits that say where the robot stands for it."""
    needs: int
    forbids: int
    adds: int
    deletes: int
    cost: int


class Distances:
    """The distances of one object from what is wanted of it."""

    def __init__(self, engine: Engine, name: str, wanted: int, facts: int, places: int) -> None:
        """Take the object, the wanted bits that name it, and the state from which the search goes.

        `places` are the bits that say where robots stand.
        """
        self._engine = engine
        self._places = places
        self.wanted = wanted
        self.mask = find_own_bits(engine, name)
        self._table = self._explore(facts, self._steps())

    def of(self, state: FactState) -> int:
        """Return the distance in a state."""
        facts, done = state.true, 0
        for running in state.timers:
            timer = self._engine.timer(running.key)
            if timer.counts_actions:
                for _, effect in timer.outcomes:
                    done += running.counted if effect.true & self.mask & ~facts else 0
            elif timer.during.hold(facts):
                facts = timer.outcomes[0][1].apply(timer.ceases.apply(facts))
        found = self._table.get(facts & self.mask)
        if found is None:
            return FAR
        away, near = found
        return max(0, min((near[p] for p in near if p & facts), default=away) - done)

    def _steps(self) -> list[_Step]:
        """Return the actions that change something of the object, and their timers, once each."""
        steps: dict[_Step, None] = {}
        engine, nothing = self._engine, GroundLiterals(0, 0)
        for worker in engine.by_type[engine.domain.entries.worker]:
            for _, _, action in engine.list_actions(worker):
                steps[self._project(action, nothing, action.makes, 1)] = None
                for key in action.timers:
                    timer = engine.timer(key)
                    cost = timer.length if timer.counts_actions else 1
                    for _, effect in timer.outcomes[:1]:
                        steps[self._project(action, timer.during, effect, cost)] = None
        return [step for step in steps if step.deletes or step.adds & ~step.needs]

    def _project(
        self, action: GroundAction, during: GroundLiterals, effect: GroundLiterals, cost: int
    ) -> _Step:
        needs = (action.needs.true | during.true & ~action.makes.true) & self.mask
        forbids = (action.needs.false | during.false) & self.mask
        adds, deletes = effect.true & self.mask, effect.false & self.mask
        return _Step(action.needs.true & self._places, needs, forbids, adds, deletes, cost)

    def _explore(
        self, facts: int, steps: Sequence[_Step]
    ) -> Mapping[int, tuple[int, Mapping[int, int]]]:
        """Return the distance from elsewhere, and from each place, for all that can become true."""
        first = facts & self.mask
        seen, queue = {first}, [first]
        edges: dict[int, list[tuple[int, _Step]]] = {}
        for bits in queue:
            for step in steps:
                if bits & step.needs == step.needs and not bits & step.forbids:
                    after = bits & ~step.deletes | step.adds
                    if after != bits:
                        edges.setdefault(after, []).append((bits, step))
                        if after not in seen:
                            seen.add(after)
                            queue.append(after)
        table: dict[int, tuple[int, dict[int, int]]] = {}
        heap: list[tuple[int, int, int]] = [
            (0, 0, bits) for bits in seen if bits & self.wanted == self.wanted
        ]
        while heap:
            distance, place, bits = heappop(heap)
            away, near = table.setdefault(bits, (FAR, {}))
            if place == 0:
                if distance >= away:
                    continue
                table[bits] = (distance, near)
            elif distance >= min(near.get(place, FAR), away):
                continue
            else:
                near[place] = distance
            for before, step in edges.get(bits, ()):
                if place in (0, step.place):
                    heappush(heap, (distance + step.cost, step.place, before))
                    heappush(heap, (distance + step.cost + 1, 0, before))
        return table


def find_own_bits(engine: Engine, name: str) -> int:
    """Return the bits of the predicates about an object alone, and about its place."""
    bits = 0
    domain = engine.domain
    for predicate, types in domain.predicates.items():
        own = domain.rests.get(predicate, 0)
        alone = len(types) == 1 or not engine.moving & {*types[:own], *types[own + 1 :]}
        fits = name in engine.by_type.get(types[own], ())
        if predicate in domain.changing and fits and (alone or predicate in domain.rests):
            bits |= engine.bits_with(predicate, own, name)
    return bits
