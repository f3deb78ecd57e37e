"""The search for a schedule until the goal: in the shipped kitchen, or else in the rules.

In the rules it takes the best state first, by the timesteps so far and an estimate: what each
object needs, and what must be redone. Which objects serve for the goal is chosen before, the
cheapest in a relaxed problem where nothing gets lost. The robots act one after the other in it.
Then what two robots did in turn is put into one timestep where that is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from cookmas.episodes.world import Command
from cookmas.solving.robotouille.distances import FAR, Distances, find_own_bits
from cookmas.solving.robotouille.kitchen_search import solve
from cookmas.worlds.robotouille.rules.engine import Engine, FactState, GroundAction, bits_of
from cookmas.worlds.robotouille.world import RobotouilleWorld

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


def choose_objects(world: RobotouilleWorld, facts: int) -> dict[str, str]:
    """Return objects for the variables of the goal, from which it seems cheapest to reach."""
    engine, goal = world.engine, world.goal
    cost = _costs(engine, world.workers[0], facts)

    def price(values: Mapping[str, str]) -> int:
        return sum(
            cost.get(engine.bit(literal.predicate, literal.replace(values).args), FAR)
            for literal in goal.literals
            if literal.holds
        )

    best = goal.any_objects()
    while True:
        better = min(_swaps(best, goal.choices), key=price, default=best)
        if price(better) >= price(best):
            return best
        best = better


def _swaps(
    values: Mapping[str, str], choices: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, str]]:
    """Yield the values with another object for one variable, which another one may give away."""
    for name, options in choices.items():
        for option in options:
            owner = next((each for each, value in values.items() if value == option), None)
            if owner is None:
                yield {**values, name: option}
            elif owner != name and values[name] in choices[owner]:
                yield {**values, name: option, owner: values[name]}


def _costs(engine: Engine, worker: str, facts: int) -> dict[int, int]:
    """Return the cost of each bit that can become true if nothing becomes false.

    The cost of an action is 1 and the costs of all it needs; a timer adds its length.
    """
    steps: list[tuple[int, list[int], list[int]]] = []
    for _, _, action in engine.list_actions(worker):
        needs = action.needs.true & ~engine.fixed
        steps.append((1, list(bits_of(needs)), list(bits_of(action.makes.true))))
        for key in action.timers:
            timer = engine.timer(key)
            both = list(bits_of(needs | timer.during.true & ~engine.fixed))
            for _, effect in timer.outcomes[:1]:
                steps.append((timer.length, both, list(bits_of(effect.true))))
    users: dict[int, list[int]] = {}
    for number, (_, needed, _) in enumerate(steps):
        for bit in needed:
            users.setdefault(bit, []).append(number)
    missing = [len(needed) for _, needed, _ in steps]
    total = [price for price, _, _ in steps]
    cost = dict.fromkeys(bits_of(facts), 0)
    queue, done = [(0, bit) for bit in cost], set[int]()
    while queue:
        price, bit = heappop(queue)
        if bit in done:
            continue
        done.add(bit)
        for number in users.get(bit, ()):
            missing[number] -= 1
            total[number] += price
            if missing[number] == 0:
                for made in steps[number][2]:
                    if total[number] < cost.get(made, FAR):
                        cost[made] = total[number]
                        heappush(queue, (total[number], made))
    return cost


WEIGHTS = (1.2, 2.0, 5.0)
"""The weights of the estimate that are tried one after the other; large ones find worse schedules
with less work."""

Schedule = list[dict[str, str]]
"""The actions of the robots at each timestep; a robot that is left out waits."""


class LoneAction(NamedTuple):
    """An action of one robot while the others wait; without an action, all wait."""

    worker: str
    text: str
    action: GroundAction | None


@dataclass(frozen=True, slots=True)
class MovePath:
    """The moves that lead to a state."""

    before: MovePath | None
    move: LoneAction

    def moves(self) -> list[LoneAction]:
        """Return the moves in order."""
        found = list[LoneAction]()
        path: MovePath | None = self
        while path is not None:
            found.append(path.move)
            path = path.before
        return found[::-1]


_Entry = tuple[float, int, int, int, FactState, MovePath | None]
"""An open state with its rank, its estimate, a number that breaks ties, and its timestep."""


def search_rules(
    world: RobotouilleWorld, start: FactState, limit: int, robots: Sequence[str] = ()
) -> Schedule | None:
    """Return a schedule that reaches the goal from a state; None if none was found.

    Only `robots` act in it, or all if there are none. Each weight, and each part of a goal with
    several, may cost `limit` states.
    """
    acting = robots or world.workers
    values = choose_objects(world, start.true)
    literals = [literal.replace(values) for literal in world.goal.literals if literal.holds]
    parts = [0]
    for part in world.goal.parts:
        bits = [world.engine.bit(literals[n].predicate, literals[n].args) for n in part]
        parts.append(parts[-1] | sum(set(bits)))
    for weight in WEIGHTS:
        found = _reach_all(world, parts[1:], start, weight, limit, acting)
        if found is not None:
            return shorten(world, start, [{move.worker: move.text} for move in found])
    return None


def _reach_all(
    world: RobotouilleWorld,
    parts: Sequence[int],
    state: FactState,
    weight: float,
    limit: int,
    acting: Sequence[str],
) -> list[LoneAction] | None:
    """Return moves after which each part was true in turn; None if there are none."""
    found = list[LoneAction]()
    for wanted in parts:
        estimate = SearchEstimate(world.engine, wanted, state)
        more = _reach(world, estimate, state, weight, limit, acting)
        if more is None:
            return None
        for move in more:
            state = _make_move(world, state, move)
        found += more
    return found


def _reach(
    world: RobotouilleWorld,
    estimate: SearchEstimate,
    start: FactState,
    weight: float,
    limit: int,
    acting: Sequence[str],
) -> list[LoneAction] | None:
    """Return moves after which everything wanted is true; None if `limit` states do not suffice."""
    number = count()
    queue: list[_Entry] = [(0, 0, 0, 0, start, None)]
    shortest = {start[1:]: 0}
    for _ in range(limit):
        if not queue:
            return None
        _, _, _, length, state, path = heappop(queue)
        if state.true & estimate.wanted == estimate.wanted:
            return path.moves() if path else []
        for move in _moves(world, state, acting):
            after = _make_move(world, state, move)
            known = shortest.get(after[1:])
            if known is None or length + 1 < known:
                shortest[after[1:]] = length + 1
                left = estimate.count_left(after)
                if left is not None:
                    rank = length + 1 + weight * left
                    newest = -next(number)
                    heappush(queue, (rank, left, newest, length + 1, after, MovePath(path, move)))
    return None


def _moves(
    world: RobotouilleWorld, state: FactState, acting: Sequence[str]
) -> Iterator[LoneAction]:
    """Yield the moves of some robots that fit in a state; waiting is one if a timer runs."""
    for worker in acting:
        for _, text, action in world.engine.applicable(worker, state.true):
            yield LoneAction(worker, text, action)
    if state.timers:
        yield LoneAction(world.workers[0], world.idle, None)


def _make_move(world: RobotouilleWorld, state: FactState, move: LoneAction) -> FactState:
    acted = state if move.action is None else world.engine.act(state, move.action)
    return world.engine.tick(acted)


def shorten(world: RobotouilleWorld, start: FactState, schedule: Schedule) -> Schedule:
    """Return a schedule that also reaches the goal, but not later, and perhaps earlier.

    Where possible a timestep is left out, or joined with the one before it.
    """
    shorter = True
    while shorter:
        shorter = False
        number = 0
        while number < len(schedule):
            kept = [*schedule[:number], *schedule[number + 1 :]]
            candidates = [kept]
            if number and not schedule[number].keys() & schedule[number - 1].keys():
                joined = {**schedule[number - 1], **schedule[number]}
                candidates.insert(0, [*schedule[: number - 1], joined, *schedule[number + 1 :]])
            better = next((each for each in candidates if reaches(world, start, each)), None)
            if better is None:
                number += 1
            else:
                schedule, shorter = better, True
    return schedule


def reaches(world: RobotouilleWorld, start: FactState, schedule: Sequence[dict[str, str]]) -> bool:
    """Return whether a schedule reaches the goal without a FAIL."""
    state = start
    for entry in schedule:
        commands = [Command(name, entry.get(name, world.idle)) for name in world.workers]
        state, outcomes, _ = world.step(state, commands)
        if not all(outcome.done for outcome in outcomes.values()):
            return False
    return world.goal.is_reached(state.true)


STATES = {1: 1000, 2: 200}
"""Greatest number of states that a search in the kitchen expands, by the number of robots."""

LIMIT = 5000
"""Greatest number of states that each attempt of the search in the rules expands."""


QUICK = 5
"""By which part of these numbers a quick search looks at fewer states."""


def find_schedule_alone(world: RobotouilleWorld, state: FactState, robot: str) -> Schedule | None:
    """Return a schedule in which one robot reaches the goal while the others wait, or None."""
    return search_rules(world, state, LIMIT, [robot])


def find_schedule(
    world: RobotouilleWorld, state: FactState, *, quick: bool = False
) -> Schedule | None:
    """Return a schedule that reaches the goal from a state; None if none was found."""
    part = QUICK if quick else 1
    solution = solve(world, state, STATES.get(len(world.workers), 0) // part)
    if solution and solution.schedule is not None:
        return solution.schedule
    return search_rules(world, state, LIMIT // part)
