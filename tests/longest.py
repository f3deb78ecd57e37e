"""The test files that take longest, which begin first."""

from __future__ import annotations

import pytest

from tests.warm import ROOT

LONGEST = (
    "tests/live/test_redis_faults.py",
    "tests/live/test_pauses.py",
    "tests/orchestrator/planners/test_over_the_wire.py",
    "tests/docs/test_snippets.py",
    "tests/live/test_write_order.py",
    "tests/modelserver/test_process.py",
    "tests/cookmas/display/test_page.py",
    "tests/modelserver/test_faults.py",
    "tests/cookmas/display/test_live.py",
    "tests/cookmas/test_embedded_runs.py",
    "tests/cookmas/display/test_keys.py",
    "tests/episodes/test_checked_scenarios.py",
)
"""They begin first, so that no process is still busy with one when the others have ended."""


def begin_with_longest(items: list[pytest.Item]) -> None:
    places = {ROOT / path: place for place, path in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
