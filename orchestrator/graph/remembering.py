"""What planners asked to be kept: it is in the trace, and the state says where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes.trace import MemoryRecord
from orchestrator.graph.state import THE_PLANNER, Context, State


def remembered(state: State, context: Context, agent: str | None = None) -> Mapping[str, Any]:
    """What the one planner, or an agent of a team, last asked to be kept."""
    number = state.get("memory", {}).get(agent or THE_PLANNER)
    record = None if number is None else context.recorder.referred(number)
    return record.kept if isinstance(record, MemoryRecord) else {}


def remember(
    state: State, context: Context, kept: Mapping[str, Any] | None, agent: str | None = None
) -> dict[str, int]:
    """The memory of the state once this should be kept; None keeps what there was."""
    memory = dict(state.get("memory", {}))
    if kept is not None and kept != remembered(state, context, agent):
        record = MemoryRecord(timestep=state["timestep"], agent=agent, kept=dict(kept))
        memory[agent or THE_PLANNER] = context.recorder.append(record)
    return memory
