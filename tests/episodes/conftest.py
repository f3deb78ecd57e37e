"""The checked scenarios, each played once with the embedded planner."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

import cookmas


@pytest.fixture(scope="session")
def played() -> Any:
    """Return the run of a scenario by its name; it is played at the first request."""
    return lru_cache(maxsize=None)(cookmas.play)
