"""A planner whose answers a person approves: for a graph that runs inside another LangGraph app.

It imports LangGraph, which planners otherwise do not need, so nothing but such an app imports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NotRequired, TypedDict

from langgraph.errors import GraphBubbleUp
from langgraph.func import task

from cookmas.episodes.base import World
from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel, validate
from cookmas.files.wording import show_value
from cookmas.orchestrator.interrupting import ask
from cookmas.orchestrator.planner import Observation, Plan, Planner, check_schedule
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
    refused: NotRequired[str]
    """Why the answer before was none, so that the question is asked again."""


class Decision(FileModel):
    """The person's answer, with which the app resumes the graph."""

    approved: bool
    """True if the schedule is approved, as it is or as changed."""
    schedule: Any = None
    """The schedule in place of the proposed one; None for the proposed one."""


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
        proposed = ProposedPlan(
            timestep=observation.timestep,
            triggers=[trigger.kind for trigger in observation.triggers],
            reasoning=plan.reasoning,
            schedule=list(plan.schedule),
        )
        read = partial(_read_decision, plan, observation.world, observation.timestep)
        if (approved := ask(proposed, read)) is not None:
            return approved
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


def _read_decision(plan: Plan, world: World, timestep: int, given: Any) -> Plan | None:
    """Return the plan that a person's answer approves; None if it approves none.

    Raise InputError if the answer is no decision.
    """
    if not isinstance(given, Mapping):
        expected = 'expected {"approved": true} or {"approved": false}'
        raise InputError("answer", f"{expected}, not {show_value(given)}")
    decision = validate(Decision, given, "answer")
    if not decision.approved:
        if decision.schedule is not None:
            raise InputError("answer, schedule", "a schedule goes with approved: true")
        return None
    if decision.schedule is None:
        return plan
    _, problems = check_schedule(decision.schedule, world, timestep)
    if problems:
        raise InputError("answer, schedule", problems[0])
    return replace(plan, schedule=decision.schedule)
