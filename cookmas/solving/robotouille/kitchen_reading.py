"""The states of the engine as stations without names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cookmas.solving.robotouille.kitchen_dishes import (
    CUTS,
    DONE,
    EMPTY,
    FILLING,
    NEVER,
    ONCE_CUT,
    RUBBISH,
    STARTED,
    KitchenVessel,
    NamelessItem,
    NamelessStation,
    Robot,
    Thing,
    WantedDish,
)
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld


class StateReader:
    """The reading of states. Work on an item is left out if no dish wants its kind so."""

    def __init__(self, world: RobotouilleWorld, dishes: Sequence[WantedDish]) -> None:
        wanted = [each for dish in dishes for each in dish.items]
        self._world = world
        self._kinds = {each.kind for each in wanted}
        self._cut = {each.kind for each in wanted if each.cut}
        self._cooked = {each.kind for each in wanted if each.cooked}
        self._fried = {each.kind for each in wanted if each.fried}

    def read(self, state: FactState) -> Iterator[NamelessStation]:
        """Yield the stations."""
        seen = _SeenState(self._world, state)
        for name, (kind, *_) in self._world.level.objects.items():
            if name in seen.below:
                continue
            stack: list[Thing] = []
            on = [each for each in seen.lying_on(name) if each not in self._world.workers]
            while on:
                stack.append(self._thing(seen, on[0]))
                on = [] if isinstance(stack[-1], KitchenVessel) else seen.lying_on(on[0])
            yield NamelessStation(kind, tuple(stack), self._robot_at(seen, name))

    def _robot_at(self, seen: _SeenState, station: str) -> tuple[Robot, ...]:
        for number, worker in enumerate(self._world.workers):
            if seen.below.get(worker) == station:
                held = [self._thing(seen, name) for name in seen.lying_on(worker)]
                return ((number, tuple(held)),)
        return ()

    def _thing(self, seen: _SeenState, name: str) -> Thing:
        kind = self._world.engine.kinds[name]
        if kind not in ("pot", "bowl"):
            return self._item(seen, name, kind)
        inside = seen.lying_on(name)
        if not inside:
            filled = seen.progress.get(("fill-pot", name))
            return KitchenVessel(kind, EMPTY if filled is None else FILLING + filled, ())
        water = inside[0]
        kinds = self._world.engine.kinds
        items = [self._item(seen, each, kinds[each]) for each in seen.lying_on(water)]
        added = sorted(item for item in items if item.kind != RUBBISH)
        boils = _count(seen, "boil-water", water, "isboiling", can=True)
        return KitchenVessel(kind, boils, tuple(added))

    def _item(self, seen: _SeenState, name: str, kind: str) -> NamelessItem:
        if kind not in self._kinds:
            return NamelessItem(RUBBISH, NEVER, NEVER, NEVER)
        facts = seen.facts[name]
        cuts = cooked = fried = NEVER
        later = kind in self._fried and "isfryable" not in facts and "isfryableifcut" in facts
        if "iscut" in facts:
            cuts = CUTS
        elif "iscuttable" in facts and (kind in self._cut or later):
            cuts = seen.progress.get(("cut", name), 0)
        if kind in self._cooked:
            cooked = _count(seen, "cook", name, "iscooked", can="iscookable" in facts)
        if kind in self._fried:
            fried = _count(seen, "fry", name, "isfried", can="isfryable" in facts)
            if fried == NEVER and later:
                fried = ONCE_CUT
        return NamelessItem(kind, cuts, cooked, fried)


class _SeenState:
    """The facts of a state of the engine."""

    def __init__(self, world: RobotouilleWorld, state: FactState) -> None:
        self.facts: dict[str, set[str]] = {}
        """The predicates of each object alone."""
        self.below = world.engine.find_places(state.true)
        """The place of each object: what it is on, in or with."""
        self.progress: dict[tuple[str, str], int] = {}
        """The count of a timer, by its action and its object."""
        self._above: dict[str, list[str]] = {}
        for name, place in self.below.items():
            self._above.setdefault(place, []).append(name)
        for literal in world.engine.literals(state.true):
            if len(literal.args) == 1:
                self.facts.setdefault(literal.args[0], set()).add(literal.predicate)
        for running in state.timers:
            timer = world.engine.timer(running.key)
            key = (running.key.partition(".")[0], timer.about)
            if timer.length > 1:
                self.progress[key] = max(self.progress.get(key, 0), running.counted)

    def lying_on(self, name: str) -> list[str]:
        """Return what is on, in or with an object."""
        return self._above.get(name, [])


def _count(seen: _SeenState, action: str, name: str, done: str, *, can: bool) -> int:
    """Return how far a timer of an object is."""
    if done in seen.facts.get(name, ()):
        return DONE
    if (action, name) in seen.progress:
        return STARTED + seen.progress[action, name]
    return 0 if can else NEVER
