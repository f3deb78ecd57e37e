"""Iterated search over configurations and permutations of order lines, within a fixed effort.

A configuration has the parameters of one search (`window.Configuration`).

The first searches use configurations whose rules order the lines. The later ones move lines in the
order of the best schedule so far. This is a local search by insertion, as is usual for permutation
schedules (Nawaz, Enscore and Ham 1983; Ruiz and Stuetzle 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cookmas.worlds.restaurant.scheduling.rolling import RollingSearch
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, Solution
from cookmas.worlds.restaurant.scheduling.window import Configuration

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

WIDTH, NARROW, NARROWEST = 4, 3, 1
"""Width of the beam if a rule orders the lines, if lines of the best order are moved, and in
`best_by_rule`.
"""

PATIENCE = 3_000
"""Number of modes that may always be tried until a first schedule is found."""

AGAIN = 0.7
"""How often the configuration of the best schedule is used again."""

MOVES = (1, 1, 2, 3)
"""Numbers of lines that are moved at a time, drawn evenly from these."""

FAR = 8
"""Greatest number of places by which a line is moved."""


def best_permutation(rolling: RollingSearch, tries: float) -> Solution | None:
    """Return the best schedule of searches that try about `tries` modes together; None if there is
    none.

    A further search begins only if the total is expected to stay within `tries`, at the average of
    the searches so far. Until a schedule is found, each of the CONFIGURATIONS is searched once, as
    long as the greater of `tries` and PATIENCE is not exceeded. Repeating them would find nothing,
    since the searches are deterministic.

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
            order, width = _move_lines(best[2], chance), NARROW
        shorter_than = best[0].length if best else HOPELESS
        found = rolling.best_along(configuration, width, shorter_than, order)
        if found and (best is None or found.length <= best[0].length):
            best = found, configuration, order
    return best[0] if best else None


def best_by_rule(rolling: RollingSearch, shorter_than: float) -> Solution | None:
    """Return the best schedule of narrow searches with the first configurations; None if there is
    none.

    The first configuration that yields no schedule ends the search.
    """
    best = None
    for configuration in CONFIGURATIONS[:BY_RULE]:
        new = rolling.best_along(configuration, NARROWEST, shorter_than)
        if new is None:
            break
        if new.length < shorter_than:
            best, shorter_than = new, new.length
    return best


def _move_lines(order: Sequence[str], chance: Random) -> list[str]:
    """Return the order after some lines are moved."""
    lines = list(order)
    for _ in range(chance.choice(MOVES)):
        place = chance.randrange(len(lines))
        line = lines.pop(place)
        lines.insert(max(0, place + chance.randint(-FAR, FAR)), line)
    return lines
