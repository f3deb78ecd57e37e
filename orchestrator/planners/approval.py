"""A planner whose answers a person approves: for a graph that runs inside another LangGraph app.

It imports LangGraph, which planners otherwise do not need, so nothing but such an app imports it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, NotRequired, TypedDict

from langgraph.errors import GraphBubbleUp
from langgraph.func import task
from langgraph.types import interrupt

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan, Planner
from cookmas.orchestrator.planners.calling import ask_planner, read_answer, write_answer


class ProposedPlan(TypedDict):
    """The question to the person: the value of the interrupt, as plain data."""

    timestep: int
    """Timestep at which the schedule would begin."""
    triggers: list[str]
    """Why the planner was called."""
    reasoning: str
    """The planner's explanation."""
    schedule: list[Any]
    """The proposed schedule, an entry for each timestep."""


class Decision(TypedDict):
    """The person's answer, with which the app resumes the graph."""

    approved: bool
    """True if the schedule is approved, as it is or as changed."""
    schedule: NotRequired[list[Any]]
    """The schedule in place of the proposed one."""


class ApprovedPlanner:
    """A planner that proposes the answers of `planner`, and waits for a person's decision.

    It waits by an interrupt of LangGraph, so the app needs a checkpointer. The proposal is a task
    of LangGraph: the checkpointer stores it, and the planner is not asked again when the app
    resumes. Of a proposal that is not approved, nothing takes effect and the active schedule goes
    on; its model calls are recorded all the same.
    """

    raises: ClassVar[tuple[type[Exception], ...]] = (GraphBubbleUp,)
    """The errors by which LangGraph interrupts."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    @property
    def name(self) -> str:
        """Name of the planner, marked as approved."""
        return f"approved-{self._planner.name}"

    @property
    def planner_class(self) -> PlannerClass:
        """The class `mixed`: a planner and a person plan."""
        return "mixed"

    @property
    def looks_up(self) -> bool:
        """True if the planner looks texts up itself."""
        return getattr(self._planner, "looks_up", False)

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the plan that the person has approved. Raise GraphBubbleUp until then."""
        plan = read_answer(await task(self._propose)(observation), Plan)
        if plan.gave_up is not None:
            return plan
        decision: Decision = interrupt(
            ProposedPlan(
                timestep=observation.timestep,
                triggers=[trigger.kind for trigger in observation.triggers],
                reasoning=plan.reasoning,
                schedule=list(plan.schedule),
            )
        )
        if decision["approved"]:
            return replace(plan, schedule=decision.get("schedule", plan.schedule))
        why = "not approved; what was planned before goes on"
        return Plan(
            schedule=observation.underway,
            reasoning=why,
            calls=plan.calls,
            measured=plan.measured,
        )

    async def _propose(self, observation: Observation[Any]) -> str:
        """Return the planner's answer as JSON, which any checkpointer can store."""
        return write_answer(await ask_planner(self._planner, observation), Plan)
