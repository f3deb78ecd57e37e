"""The calls of each command without a fault, which are recorded once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.every_fault.calls import Call
from tests.every_fault.trying import Recorded, calls_of, prepare


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Return the folder with what a command needs, and its calls, by its name."""
    within = tmp_path_factory.mktemp("faults")

    @cache
    def record(name: str) -> tuple[Path, list[Call]]:
        kept = prepare(name, within)
        return kept, calls_of(name, kept, within / "recorded")

    return record
