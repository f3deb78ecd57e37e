"""Iterated search over configurations and permutations of order lines, within a fixed effort.

First some configurations are searched with lines in an order that a rule gives. Then lines are
moved in the order that led to the best schedule so far: a local search by insertion, as is usual
for permutation schedules (Nawaz, Enscore and Ham 1983; Ruiz and Stuetzle 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from worlds.restaurant.scheduling.rolling import RollingSearch
from worlds.restaurant.scheduling.states import HOPELESS, Solution
from worlds.restaurant.scheduling.window import Configuration

CONFIGURATIONS = (
    Configuration(more=2, station_cost=1.0, slack=8, order="turns"),
    Configuration(more=2, station_cost=1.0, slack=8, order="arrival"),
    Configuration(more=2, station_cost=1.0, slack=8, order="longest"),
    Configuration(more=4, station_cost=1.0, slack=8, order="longest"),
    Configuration(more=4, station_cost=1.0, slack=8, order="arrival"),
    Configuration(more=3, station_cost=1.0, slack=14, order="longest"),
)
"""Configurations of the search for many lines; the best schedule wins."""

BY_RULE = 3
"""Number of searches with lines ordered by a rule before lines are moved."""

RUNS = 100
"""Greatest number of searches, including those that stop at once."""

WIDTH, NARROW = 4, 3
"""Width of the beam with the order of a rule, and with lines moved in the best order."""

PATIENCE = 20_000
"""Least number of modes that may be tried until a first schedule is found."""

AGAIN = 0.7
"""How often the configuration of the best schedule is used again."""

MOVES = (1, 1, 2, 3)
"""Numbers of lines that are moved at a time, drawn evenly from these."""

FAR = 8
"""By how many places a line is moved at most."""


EARLIER = 0.5
"""How often the line that is served last is moved to an earlier place."""


def best_permutation(rolling: RollingSearch, tries: float) -> Solution | None:
    """Return the best schedule that is found while about `tries` modes are tried.

    Another search is made while all would stay within `tries` if it took as many modes as those
    before it on average. While none has found a schedule, each of the CONFIGURATIONS is
    searched once, while `tries` or PATIENCE are left: a second search would find the same. Return
    None if there is no schedule.

    Raises PlacementError.
    """
    chance = Random(len(rolling.by_name))
    best: tuple[Solution, Configuration, list[str]] | None = None
    for run in range(RUNS):
        if best and rolling.search.tried * (run + 1) > tries * run:
            break
        if best is None and (
            run == len(CONFIGURATIONS) or rolling.search.tried > max(tries, PATIENCE)
        ):
            break
        if best and run >= BY_RULE and len(rolling.by_name) < 2:
            break
        if best is None or run < BY_RULE:
            configuration, width = CONFIGURATIONS[run], WIDTH
            order = rolling.order_lines(configuration)
        else:
            configuration = best[1] if chance.random() < AGAIN else chance.choice(CONFIGURATIONS)
            last = _last_served_line(best[0]) if rolling.search.foresight else None
            order, width = _move_lines(best[2], chance, last), NARROW
        shorter_than = best[0].length if best else HOPELESS
        found = rolling.best_along(configuration, width, shorter_than, order)
        if found and (best is None or found.length <= best[0].length):
            best = found, configuration, order
    return best[0] if best else None


def _move_lines(order: Sequence[str], chance: Random, last: str | None) -> list[str]:
    """Return an order with some lines moved, at times the `last` one to an earlier place."""
    lines = list(order)
    if last in lines and chance.random() < EARLIER:
        place = lines.index(last)
        lines.insert(max(0, place - chance.randint(1, FAR)), lines.pop(place))
        return lines
    for _ in range(chance.choice(MOVES)):
        place = chance.randrange(len(lines))
        line = lines.pop(place)
        lines.insert(max(0, place + chance.randint(-FAR, FAR)), line)
    return lines


def _last_served_line(found: Solution) -> str | None:
    """Return the line that is served last."""
    serves = [
        (placed.start + op.time, op.word)
        for placed in found.placed
        for op in placed.mode.ops
        if op.verb == "serve"
    ]
    return max(serves)[1] if serves else None
