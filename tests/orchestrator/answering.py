"""Episodes in the corridor: bells, a planner with given answers, and what a trace says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cookmas.episodes.trace import (
    PlannerClass,
    PlanRecord,
    Trace,
    TriggerRecord,
)
from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.episode import Episode
from cookmas.orchestrator.planner import Observation, Plan

Play = Callable[..., Episode]

RED, BLUE, GREEN = ({"kind": "bell", "name": name} for name in ("red", "blue", "green"))
"""Bells that are asked for; they hang at 3, 5 and 1."""


@dataclass
class Answers:
    """Gives the answers it was made with, one after the other; an exception is raised."""

    answers: list[Plan | Exception]
    name: str = "answers"
    planner_class: PlannerClass = "fixed"

    async def plan(self, observation: Observation[Any]) -> Plan:
        answer = self.answers.pop(0) if self.answers else InfrastructureError("no more answers")
        if isinstance(answer, Exception):
            raise answer
        return answer


def triggers(trace: Trace) -> list[tuple[int, str]]:
    return [(record.timestep, record.trigger) for record in trace.of(TriggerRecord)]


def calls(trace: Trace) -> list[int]:
    return [record.timestep for record in trace.of(PlanRecord)]


def termination(trace: Trace) -> str:
    assert trace.end
    return trace.end.termination
