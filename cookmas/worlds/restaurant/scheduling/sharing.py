"""Sharing: which of several lines gets a thing that all of them could use.

By default a thing goes to the line that it saves most. If another line needs it more, because it
has only worse alternatives, the thing is withheld from the first line.

| constraint | method |
|---|---|
| a thing serves the line that needs it most | `best_withheld`, by the bound |
| only things that several lines could use matter | `_find_contended` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.kitchen.bounds import workload_bound
from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.scheduling.bound import present
from cookmas.worlds.restaurant.scheduling.claims import Withheld
from cookmas.worlds.restaurant.scheduling.handling import Handling
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining

Wanted = Mapping[str, Sequence[Component]]


def best_withheld(
    kitchen: Kitchen, state: KitchenState, wanted: Wanted, later: frozenset[str]
) -> Withheld:
    """Return which stations' and workers' things to withhold from which lines.

    The choice makes the lower bound of the remaining workload small. Pairs are added one by one as
    long as the bound decreases.
    """
    start = present(kitchen, state)

    def bound(withheld: Withheld) -> int:
        work = find_remaining(kitchen, state, wanted, later, Handling(withheld=withheld))
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
    """Return each line with each station or worker that holds a thing which other lines could use
    too.
    """
    users: dict[str, list[str]] = {}
    for line in wanted:
        alone = find_remaining(kitchen, state, {line: wanted[line]})
        for holder in {holder for holder, _ in alone.used}:
            users.setdefault(holder, []).append(line)
    return [(line, holder) for holder, lines in users.items() if len(lines) > 1 for line in lines]
