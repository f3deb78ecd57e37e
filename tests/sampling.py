"""Which of many cases the tests play, and which `make conformance` plays as well."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

CONFORMANCE = bool(os.environ.get("COOKMAS_CONFORMANCE"))

Case = TypeVar("Case")


def sampled(cases: Sequence[Case], every: int) -> Sequence[Case]:
    """Return each `every`th case, beginning with the first; all of them in `make conformance`."""
    return cases if CONFORMANCE else cases[::every]


def seeds(first: int, tests: int, conformance: int) -> range:
    """Return so many seeds from the first on, in the tests and in `make conformance`."""
    return range(first, first + (conformance if CONFORMANCE else tests))
