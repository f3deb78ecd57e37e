"""The checked scenarios, each played once with the embedded planner."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pytest

import cookmas
from cookmas.api import Run
from scenarios.scenario import scenario_names


@pytest.fixture(scope="session")
def played() -> Any:
    """The run of a scenario, by its name; played when it is first asked for."""
    return lru_cache(maxsize=None)(cookmas.play)


@pytest.fixture(scope="session")
def all_played(played: Any) -> Mapping[str, Run]:
    """Every checked scenario."""
    return {name: played(name) for name in scenario_names()}
