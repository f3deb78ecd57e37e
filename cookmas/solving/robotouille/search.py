"""The search for a schedule: the best state first, by the timesteps so far and an estimate.

The robots act one after the other in the search. Then what two robots did in turn is put into one
timestep where that is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from cookmas.episodes.world import Command
from cookmas.solving.robotouille.estimate import SearchEstimate
from cookmas.solving.robotouille.relaxed import choose_objects
from cookmas.worlds.robotouille.rules.engine import FactState, GroundAction
from cookmas.worlds.robotouille.world import RobotouilleWorld

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
