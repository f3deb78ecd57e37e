"""The arrangements of agents by name: a planner says itself in which one it is asked."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.graph.arrangement import Arrangement
from orchestrator.graph.central import CENTRAL
from orchestrator.graph.team import TEAM

ARRANGEMENTS: Mapping[str, Arrangement] = {"central": CENTRAL, "team": TEAM}


def arrangement_of(planner: object) -> Arrangement:
    """Return the arrangement that a planner names as its `arrangement`: else the central one."""
    return ARRANGEMENTS[getattr(planner, "arrangement", "central")]
