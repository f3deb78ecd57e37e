"""The central topology: one planner, called on triggers, writes the schedule of all workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cookmas.episodes.base import complete
from cookmas.episodes.trace import EventRecord, PlanRecord, Superstep
from cookmas.orchestrator.graph.bookkeeping import Change
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.observation import observe
from cookmas.orchestrator.graph.plans import (
    UNANSWERED,
    due_of,
    end_here,
    end_unanswered,
    interpretation,
    legible,
    record_calls,
    remember,
)
from cookmas.orchestrator.graph.state import PLANNER, State
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.planner import Plan, check_plan
from cookmas.orchestrator.planners.calling import ask_planner


async def planner(state: State, context: Context) -> State:
    """Look up the needed texts, ask the planner, and activate its schedule if it is well-formed."""
    timestep = state["timestep"]
    state = context.write(state, Superstep(timestep=timestep, nodes=[PLANNER]))
    try:
        answer = await _ask(state, context)
    except UNANSWERED as error:
        return await end_unanswered(state, context, error)
    record_calls(context, answer.calls, answer.measured)
    schedule, refused = check_plan(answer, context.world, timestep)
    due = due_of(answer, timestep, context)
    if due is not None and answer.meanwhile:
        state = _record_meanwhile(answer, state, context)
    plan = PlanRecord(
        timestep=timestep,
        reasoning=answer.reasoning,
        schedule=legible(answer.schedule) if refused else schedule,
        **interpretation(answer),
        refused=refused,
        gave_up=answer.gave_up,
        due=due,
        search=answer.search,
        queued=answer.queued or None,
    )
    state = context.write(state, plan)
    state = remember(state, context, answer.memory)
    state = _reject({} if refused else answer.declined, state, context)
    if answer.gave_up is not None and context.desk:
        return {**state, "fresh": [], "stalled": context.max_stalled + 1}
    if answer.gave_up is not None:
        state = end_here(state, context, "gave_up", answer.gave_up)
    return {**state, "fresh": []}


def _record_meanwhile(answer: Plan, state: State, context: Context) -> State:
    """Record the schedule that is carried out until the answer takes effect."""
    meanwhile = replace(answer, schedule=answer.meanwhile)
    schedule, refused = check_plan(meanwhile, context.world, state["timestep"])
    plan = PlanRecord(
        timestep=state["timestep"],
        reasoning="until the answer takes effect",
        schedule=legible(answer.meanwhile) if refused else schedule,
        refused=refused,
    )
    triggers = state["triggers"]
    return {**context.write(state, plan), "triggers": triggers}


async def _ask(state: State, context: Context) -> Plan:
    planner = context.planner
    assert not isinstance(planner, Team)
    known = not getattr(planner, "looks_up", False)
    return await ask_planner(planner, await observe(state, context, known=known))


def _reject(rejected: Mapping[str, str], state: State, context: Context) -> State:
    """Apply and record the events by which a planner rejects requests; return the changed state.

    `rejected` has the reason for each request. Each such event is an event of the world, and the
    trace has it like an event from outside.
    """
    world = context.world
    for name, why in rejected.items():
        event = dict(complete(world).decline_event(name, why))
        now, ruling = world.apply(state["world"], event)
        record = EventRecord(timestep=state["timestep"], event=event, refused=ruling.refused)
        state = context.write(state, record, Change(now))
    return state
