"""The cases that the tests play, and those that `make conformance` adds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

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
