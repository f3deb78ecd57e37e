"""Fixtures of the tests of questions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cookmas.studies.questions import making
from cookmas.world_names import domain_of
from tests.sampling import CONFORMANCE


@pytest.fixture(autouse=True, scope="package")
def few_states() -> Iterator[None]:
    """Play less than a suite needs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "STATES", 30)
        if not CONFORMANCE:
            patch.setattr(type(domain_of("hanabi").questioner), "episodes", 3)
        yield
