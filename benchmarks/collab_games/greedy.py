"""Compute what readings of "greedy" reach in Collab Capture.

    python -m benchmarks.collab_games.greedy

The paper does not say what its greedy baseline does. Here both players take a move after which they
are nearest to the thief, and press no button. A reading says which distance counts, whether a
player may stay, what it knows of the thief's move, and which of several equally near rooms it
takes. The rates are exact for the map of the paper; docs/reference/collab-games-rules.md
says what follows from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from benchmarks.page import table
from cookmas.world_names import domain_of
from cookmas.worlds.collab_capture.rules import CaptureEngine, Chase
from cookmas.worlds.collab_capture.world import CaptureWorld
from cookmas.worlds.rooms.rules import STAY, Ways, count_steps, move_alone

HORIZON = 30
"""Turns after which the thief has escaped."""

SHORT = 6
"""Turns of the last column: the published mean."""

COLUMNS = (
    f"| distance | may stay | knows | ties by chance: rate | turns | rate in {SHORT} turns "
    "| first room: rate | turns | last room: rate | turns |"
)

KNOWS = {
    "now": "where the thief is",
    "next": "where it goes if nobody moves",
    "answer": "where it goes after the own move",
}

DISTANCES = {
    "open": "open ways",
    "all": "all ways",
    "numbers": "numbers of the rooms",
}

TIES: Mapping[str, Callable[[Sequence[int]], Sequence[int]]] = {
    "chance": lambda rooms: rooms,
    "first": lambda rooms: rooms[:1],
    "last": lambda rooms: rooms[-1:],
}
"""Of the nearest rooms in the order of the map those of which one is drawn."""


class GreedyReading(NamedTuple):
    """A reading of "greedy"; the fields are keys of DISTANCES, KNOWS and TIES."""

    distance: str
    stays: bool
    knows: str
    ties: str


class GreedyResult(NamedTuple):
    """The result of two greedy players."""

    rate: float
    """Probability that the thief is caught within HORIZON turns."""
    turns: float
    """Mean turns until then; 0 if it is never caught."""
    short: float
    """Probability that it is caught within SHORT turns."""


def play(world: CaptureWorld, reading: GreedyReading) -> GreedyResult:
    """Return what two players reach who play by a reading."""
    now: Mapping[Chase, float] = {world.position(world.start()): 1.0}
    caught = []
    for _ in range(HORIZON):
        after: dict[Chase, float] = defaultdict(float)
        for position, likely in now.items():
            one, two = (choose(world, position, player, reading) for player in (0, 1))
            for joint in product(one, two):
                after[world.engine.turn(position, joint)] += likely / (len(one) * len(two))
        caught.append(sum(likely for position, likely in after.items() if position.caught))
        now = {position: likely for position, likely in after.items() if not position.caught}
    rate = sum(caught)
    turns = sum(turn * likely for turn, likely in enumerate(caught, 1))
    return GreedyResult(rate, turns / rate if rate else 0.0, sum(caught[:SHORT]))


def choose(
    world: CaptureWorld, position: Chase, player: int, reading: GreedyReading
) -> Sequence[int]:
    """Return the moves of which a player draws one."""
    engine, room = world.engine, position.players[player]
    ways = world.ways if reading.distance == "all" else engine.open_ways(position.doors)
    rooms = [*((room,) if reading.stays else ()), *engine.open_ways(position.doors)[room]]

    def far(to: int) -> float:
        thief = find_thief(engine, position, player, to, reading.knows)
        return -1 if thief is None else measure(ways, to, thief, reading.distance)

    least = min(map(far, rooms))
    chosen = TIES[reading.ties]([to for to in rooms if far(to) == least])
    return [STAY if to == room else to for to in chosen]


def find_thief(
    engine: CaptureEngine, position: Chase, player: int, to: int, knows: str
) -> int | None:
    """Return where a player expects the thief if it goes to a room; None if it catches it there."""
    if knows == "now":
        return position.thief
    move = STAY if knows == "next" or to == position.players[player] else to
    after = engine.turn(position, move_alone(player, move))
    return None if after.caught and knows == "answer" else after.thief


def measure(ways: Ways, room: int, goal: int, distance: str) -> float:
    """Return the distance between two rooms; infinity if no way leads from one to the other."""
    if distance == "numbers":
        return abs(room - goal)
    return count_steps(ways, room).get(goal, float("inf"))


def rows(world: CaptureWorld) -> Iterator[str]:
    """Yield the rows of the table."""
    for distance, stays, knows in product(DISTANCES, (False, True), KNOWS):
        chance, first, last = (play(world, GreedyReading(distance, stays, knows, x)) for x in TIES)
        cells = [
            f"{chance.rate:.2f} | {tell_turns(chance)} | {chance.short:.2f}",
            f"{first.rate:.2f} | {tell_turns(first)}",
            f"{last.rate:.2f} | {tell_turns(last)}",
        ]
        said = f"{DISTANCES[distance]} | {'yes' if stays else 'no'} | {KNOWS[knows]}"
        yield f"| {said} | {' | '.join(cells)} |"


def tell_turns(reached: GreedyResult) -> str:
    """Return the mean turns; a dash if the thief is never caught."""
    return f"{reached.turns:.2f}" if reached.rate else "-"


def main() -> None:
    """Print the table."""
    scenario: Any = domain_of("collab-capture").scenario("building", {})
    print(table(COLUMNS, [*rows(scenario.world())]))


if __name__ == "__main__":
    main()
