"""For all tests: examples take the time they take, since machines differ; planning need not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("cookmas", deadline=None)
settings.load_profile("cookmas")


@pytest.fixture(scope="module")
def least_effort() -> Iterator[None]:
    """The embedded planner plans with the least effort, where planning is not what is tested."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("worlds.restaurant.planners.embedded.EmbeddedPlanner.effort", 1)
        yield
