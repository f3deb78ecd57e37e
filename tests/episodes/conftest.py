"""The checked scenarios, each played once with the embedded planner."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

import cookmas


@pytest.fixture(scope="session")
def played() -> Any:
    """The run of a scenario, by its name; played when it is first asked for."""
    return lru_cache(maxsize=None)(cookmas.play)
