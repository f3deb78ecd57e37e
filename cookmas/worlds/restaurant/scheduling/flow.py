"""Flow: the most that suppliers can deliver to consumers together, by augmenting paths (Edmonds and
Karp 1972).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple


class Supplier(NamedTuple):
    """A supplier: `total` is the most that it can deliver, `to` the most for each consumer, in
    units.
    """

    total: int
    to: Mapping[int, int]


def maximum_flow(suppliers: Sequence[Supplier], wants: Sequence[int]) -> int:
    """Return the most units that all suppliers can deliver.

    Consumer number n takes at most `wants[n]` units.
    """
    source, sink = "source", "sink"
    free: dict[Hashable, dict[Hashable, int]] = {source: {}, sink: {}}
    for number, (total, to) in enumerate(suppliers):
        free[source][number] = total
        free[number] = {("to", consumer): most for consumer, most in to.items()}
    for consumer, most in enumerate(wants):
        free["to", consumer] = {sink: most}
    flow = 0
    while path := _find_path(free, source, sink):
        steps = list(pairwise(path))
        more = min(free[a][b] for a, b in steps)
        for a, b in steps:
            free[a][b] -= more
            free[b][a] = free[b].get(a, 0) + more
        flow += more
    return flow


def _find_path(
    free: Mapping[Hashable, Mapping[Hashable, int]], source: Hashable, sink: Hashable
) -> list[Hashable]:
    """Return the nodes of a shortest path with free capacity; none if there is no such path."""
    before: dict[Hashable, Hashable] = {source: source}
    reached = [source]
    for node in reached:
        for after, most in free[node].items():
            if most > 0 and after not in before:
                before[after] = node
                reached.append(after)
    if sink not in before:
        return []
    path = [sink]
    while path[-1] != source:
        path.append(before[path[-1]])
    return path[::-1]
