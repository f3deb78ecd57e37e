"""Sharing: which of the lines that could use the same thing is to have it.

What serves a line is matched by what it saves. Where the line that gets a thing could do without it
more easily than another one, it is withheld from that line.

| constraint | method |
|---|---|
| a thing serves the line that can least do without it | `best_withheld`, by the bound |
| only what several lines could use is in question | `_contended` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kitchen.bounds import workload_bound
from kitchen.components import Component
from kitchen.layout import Kitchen
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.bound import present
from worlds.restaurant.scheduling.claims import Withheld
from worlds.restaurant.scheduling.reuse import find_remaining

Wanted = Mapping[str, Sequence[Component]]


def best_withheld(
    kitchen: Kitchen, state: KitchenState, wanted: Wanted, later: frozenset[str]
) -> Withheld:
    """Return what is withheld from lines so that the lower bound of the rest is the least.

    One thing is withheld from one line after another, while the bound becomes less.
    """
    start = present(kitchen, state)

    def bound(withheld: Withheld) -> int:
        work = find_remaining(kitchen, state, wanted, later, withheld=withheld)
        return workload_bound(work, start).value

    pairs = _find_contended(kitchen, state, wanted)
    withheld: Withheld = frozenset()
    least = bound(withheld)
    while True:
        bounds = [(bound(withheld | {pair}), pair) for pair in pairs if pair not in withheld]
        if not bounds or min(bounds)[0] >= least:
            return withheld
        least, pair = min(bounds)
        withheld |= {pair}


def _find_contended(kitchen: Kitchen, state: KitchenState, wanted: Wanted) -> list[tuple[str, str]]:
    """Return each line with each station or worker that has what other lines could use, too."""
    users: dict[str, list[str]] = {}
    for line in wanted:
        alone = find_remaining(kitchen, state, {line: wanted[line]})
        for holder in {holder for holder, _ in alone.used}:
            users.setdefault(holder, []).append(line)
    return [(line, holder) for holder, lines in users.items() if len(lines) > 1 for line in lines]
