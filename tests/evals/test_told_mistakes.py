"""The list of mistakes: how often each kind occurred, and who ended an episode early."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.evals.mistakes import gave_up, list_mistakes


def test_the_same_mistake_twice_counts_twice() -> None:
    [check] = list_mistakes({"rule violation": ["3: ann, why", "3: ann, why"], "none": []})
    assert (check.subject, check.value) == ("rule violation", 2)
    assert check.evidence == "3: ann, why; 3: ann, why"


@pytest.mark.parametrize(
    ("termination", "early"),
    [
        ("gave_up", True),
        ("no_progress", True),
        ("budget", True),
        ("planner_failed", True),
        ("finished", False),
        ("horizon", False),
        ("infrastructure_error", False),
    ],
)
def test_an_end_by_the_planner_or_a_limit_is_a_mistake(termination: str, early: bool) -> None:
    end = SimpleNamespace(termination=termination, timestep=7, why="for a reason")
    evidence: Any = SimpleNamespace(end=end)
    assert gave_up(evidence) == ([f"7: {termination}, for a reason"] if early else [])
