"""The estimate of how many timesteps are left: what each object needs, and what must be redone."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.solving.robotouille.distances import FAR, Distances, find_own_bits
from cookmas.worlds.robotouille.rules.engine import Engine, FactState, bits_of

AGAIN = 6
"""Timesteps to take an object away and bring it back."""

Threat = tuple[int, Sequence[tuple[int, int]]]
"""A wanted bit, and for each action that makes it what it needs of others and what it spoils."""


class SearchEstimate:
    """The estimate for some wanted bits."""

    def __init__(self, engine: Engine, wanted: int, start: FactState) -> None:
        self._engine = engine
        self.wanted = wanted
        workers = engine.by_type[engine.domain.entries.worker]
        self._of_workers = _bits_of_workers(engine, workers)
        self._distances = list[Distances]()
        places = engine.find_standing_bits(workers)
        for kind in sorted(engine.moving - {engine.domain.entries.worker}):
            for name in engine.by_type.get(kind, ()):
                if own := wanted & find_own_bits(engine, name):
                    each = Distances(engine, name, own, start.true, places)
                    self._distances.append(each)
        self._threats = list(self._find_threats(workers[0]))

    def count_left(self, state: FactState) -> int | None:
        """Return the estimate in a state; None if what is wanted seems out of reach."""
        total = sum(each.of(state) for each in self._distances)
        if total >= FAR:
            return None
        spoiled = 0
        for threat in self._threats:
            spoiled |= _find_spoiled(threat, state.true)
        return total + AGAIN * spoiled.bit_count()

    def _find_threats(self, worker: str) -> Sequence[Threat]:
        """Return the wanted bits for which an action may spoil what is wanted of other objects."""
        found = []
        for each in self._distances:
            for bit in bits_of(each.wanted):
                ways = [
                    (
                        action.needs.true & ~each.mask & ~self._of_workers,
                        action.makes.false & self.wanted & ~each.mask,
                    )
                    for _, _, action in self._engine.list_actions(worker)
                    if action.makes.true & bit
                ]
                if any(spoils for _, spoils in ways):
                    found.append((bit, ways))
        return found


def _find_spoiled(threat: Threat, facts: int) -> int:
    """Return the true wanted bits that become false if the bit of a threat is made now.

    Return 0 if an action spoils nothing, or none fits.
    """
    bit, ways = threat
    if facts & bit:
        return 0
    spoils = [spoiled & facts for needs, spoiled in ways if facts & needs == needs]
    return min(spoils, key=int.bit_count, default=0)


def _bits_of_workers(engine: Engine, workers: Sequence[str]) -> int:
    """Return the bits of all predicates that name a worker."""
    bits = 0
    for predicate, types in engine.domain.predicates.items():
        for position, kind in enumerate(types):
            if kind == engine.domain.entries.worker:
                for worker in workers:
                    bits |= engine.bits_with(predicate, position, worker)
    return bits
