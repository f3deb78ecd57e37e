"""The cases that the tests play, and those that `make conformance` adds.

A test with the marker `conformance`, or a case with it, is only played there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import combinations, product
from typing import Any, TypeVar

CONFORMANCE = bool(os.environ.get("COOKMAS_CONFORMANCE"))

EXPLORING = CONFORMANCE or "COOKMAS_FUZZ" in os.environ
"""True if properties are tried with new examples; the tests try the same ones each time."""

Case = TypeVar("Case")


def sampled(cases: Sequence[Case], every: int) -> Sequence[Case]:
    """Return each `every`th case, beginning with the first; all of them in `make conformance`."""
    return cases if CONFORMANCE else cases[::every]


def seeds(first: int, tests: int, conformance: int) -> range:
    """Return seeds from the first on, fewer in the tests than in `make conformance`."""
    return range(first, first + (conformance if CONFORMANCE else tests))


def examples(most: int, tests: int = 25) -> int:
    """Return with how many examples a property is tried: a few in the tests."""
    return most if EXPLORING else min(most, tests)


def covering(
    cases: Iterable[Case],
    covers: Callable[[Case], Collection[Hashable]],
    cost: Callable[[Case], float] = lambda _: 1,
) -> Sequence[Case]:
    """Return cases that cover all that the cases cover together; all of them in `make conformance`.

    Each case is the one that adds most for its cost, and of equals the first.
    """
    left = [(case, set(covers(case)), cost(case)) for case in cases]
    if CONFORMANCE:
        return [case for case, _, _ in left]
    chosen: list[Case] = []
    while left:
        best, covered, _ = max(left, key=lambda each: len(each[1]) / each[2])
        chosen.append(best)
        left = [(case, rest, paid) for case, has, paid in left if (rest := has - covered)]
    return chosen


def pairs(*axes: Iterable[Any]) -> Sequence[tuple[Any, ...]]:
    """Return combinations in which each two values of different axes meet; all in conformance."""
    return covering(product(*axes), lambda case: set(combinations(enumerate(case), 2)))
