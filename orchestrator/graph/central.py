"""The central arrangement: one planner, called on triggers, writes the schedule of all workers."""

from __future__ import annotations

from episodes.trace import PlanRecord
from orchestrator.graph.arrangement import Arrangement
from orchestrator.graph.declining import decline
from orchestrator.graph.observing import observe
from orchestrator.graph.recording import (
    UNANSWERED,
    called,
    legible,
    stopped,
    superstep,
    taken_from_texts,
    unanswered,
)
from orchestrator.graph.remembering import remember
from orchestrator.graph.standing import standing
from orchestrator.graph.state import THE_PLANNER, Context, State
from orchestrator.member import Team
from orchestrator.planner import Plan, commands_of, malformed
from orchestrator.planners.asked import planned

PLANNER = "planner"


async def planner(state: State, context: Context) -> State:
    """Look up what is needed, ask the planner, and take its schedule if it is well-formed."""
    timestep = state["timestep"]
    superstep(context, timestep, [PLANNER])
    try:
        answer = await _ask(state, context)
    except UNANSWERED as error:
        return await unanswered(state, context, error)
    called(context, answer.calls, answer.measured)
    refused = malformed(answer, context.world, timestep)
    schedule = [] if refused else [commands_of(e) for e in answer.schedule]
    number = context.recorder.append(
        PlanRecord(
            timestep=timestep,
            reasoning=answer.reasoning,
            schedule=legible(answer.schedule) if refused else schedule,
            **taken_from_texts(answer),
            refused=refused,
            gave_up=answer.gave_up,
            search=answer.search,
        )
    )
    decided = State(
        schedule=standing({}, {THE_PLANNER: (number, len(schedule))}, timestep, context.horizon),
        fresh=[],
        stalled=state["stalled"] + 1,
        memory=remember(state, context, answer.memory),
        **decline({} if refused else answer.declined, state, context),
    )
    if answer.gave_up is not None and context.desk:
        decided["stalled"] = context.max_stalled + 1
    elif answer.gave_up is not None:
        return State(**{**decided, **stopped(state, context, "gave_up", answer.gave_up)})
    return State(**{**decided, "triggers": [], "records": context.recorder.count})


async def _ask(state: State, context: Context) -> Plan:
    planner = context.planner
    assert not isinstance(planner, Team)
    known = not getattr(planner, "looks_up", False)
    return await planned(planner, await observe(state, context, known=known))


CENTRAL = Arrangement(PLANNER, planner)
