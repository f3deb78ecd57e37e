"""Fixtures of the tests of questions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cookmas.studies.questions import making


@pytest.fixture(autouse=True, scope="package")
def few_states() -> Iterator[None]:
    """Play less than a suite needs."""
    making.STATES, kept = 30, making.STATES
    yield
    making.STATES = kept
