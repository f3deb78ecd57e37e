"""A timestep: the node `world` carries out the workers' actions and opens the next timestep.

It translates between the state of the graph and the engine, which has the rules of a timestep
(`cookmas.episodes.engine`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from cookmas.episodes.base import ending, movers
from cookmas.episodes.engine import (
    Facts,
    Next,
    carry_out,
    commands_for,
    conclusion,
    failures,
    how_it_goes_on,
    is_futile,
    is_over,
    is_past,
    progress,
)
from cookmas.episodes.instruction import apply_event
from cookmas.episodes.parts import ReportRecord, RunningRecord
from cookmas.episodes.reports import (
    OutlastingAction,
    Reports,
    end_of,
    is_overdue,
    report_overdue,
)
from cookmas.episodes.trace import EventRecord, Superstep, TriggerRecord
from cookmas.episodes.world import Commands, Trigger, digest
from cookmas.orchestrator.graph.bookkeeping import Change, note, run_out, write
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.messages import take_messages
from cookmas.orchestrator.graph.observation import (
    agents_to_ask,
    exhaustion_triggers,
    find_idle,
)
from cookmas.orchestrator.graph.planning import let_take_effect, take_answer
from cookmas.orchestrator.graph.plans import record_end
from cookmas.orchestrator.graph.state import (
    THE_PLANNER,
    WORKER,
    WORLD,
    RunningAction,
    State,
    fails_of,
    is_behind,
    trigger_data,
    trigger_of,
)
from cookmas.orchestrator.graph.workers import (
    availability,
    is_nobody_available,
    make_assignment,
    record_of,
    recoveries,
    report_cancelled,
)
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.pace import Epoch, WallClock
from cookmas.workers.protocol import Assigned, AwayError, ScriptedWorker

ELAPSED = "elapsed"
"""Kind of the trigger that says that timesteps passed, by a wall clock, before anybody could act.
"""

ELAPSED_AT_ONCE = 250
"""Number of elapsed timesteps that are played in a superstep, so that the memory does not grow with
an absence.
"""

IDLE = "idle"
"""Kind of the trigger that says that workers have nothing to do though a goal waits."""

PART = 1000
"""Number of timesteps of a part of an open episode's trace."""


class _Opening(NamedTuple):
    """A timestep that is opened: the state after its messages, and the reasons to plan."""

    state: State
    """The state after the messages."""
    ran_out: Sequence[str]
    """The planning agents whose schedules have run out."""
    triggers: Sequence[Trigger] = ()
    """All triggers of planning."""
    asked: Sequence[str] = ()
    """The planning agents to call now."""


async def advance(state: State, context: Context) -> State:
    """Carry out the workers' actions, then open the next timestep: events, triggers, the end."""
    timestep = state["timestep"]
    state = _carry_out_actions(state, context)
    state = await _keep_pace(state, context, passed=state["timestep"] > timestep)
    passed = 0
    been: list[str] = []
    while True:
        if is_behind(state):
            return {**state, "forked": False}
        before = state["world"]
        opening = await _open(state, context)
        state = opening.state
        if state["ended"]:
            return {**state, "forked": False}
        ahead = await _idle_until(opening, context)
        triggers = _records_of(opening.triggers, state["timestep"], context)
        called = state
        for record in triggers:
            called = note(called, context.recorder.count, record, context.conditions)
        facts = await _facts(opening, called["stalled"], passed, ahead, context)
        rung = how_it_goes_on(facts)
        match rung.follows:
            case Next.REST:
                state = _idle_until_needed(state, ahead, context)
            case Next.MOVE_ALONE:
                been = been or [_digest_progress(state, context)]
                state = _play(state, [], context)
                passed, been = progress(passed + 1, been, _digest_progress(state, context))
                state = await _keep_pace(state, context, passed=True)
            case _:
                break
    fresh = _find_invalidated(state, before, context)
    match rung.follows:
        case Next.END:
            state = record_end(state, context, *conclusion(rung, facts))
            return {**state, "fresh": fresh, "forked": False}
        case Next.SLEEP:
            return {**state, "fresh": fresh, "forked": False, "asleep": True}
    for record in triggers:
        context.recorder.append(record)
    return {
        **called,
        "fresh": fresh,
        "forked": False,
        "news": state["news"] if state["thinking"] and not opening.asked else [],
        "triggers": [trigger_data(each) for each in opening.triggers] if opening.asked else [],
        "asked": [name for name in opening.asked if name != THE_PLANNER],
    }


async def _keep_pace(state: State, context: Context, *, passed: bool) -> State:
    """Wait until the timestep begins; by a wall clock, let the timesteps pass that are over.

    `passed` says whether a timestep was played before. If more timesteps are over than are played
    at once, `behind` in the state says so, and this node runs again.
    """
    pace, world = context.pace, context.world
    if not isinstance(pace, WallClock):
        if passed:
            await pace.next()
        else:
            pace.begin()
        return state
    timestep, found = state["timestep"], state.get("epoch")
    known = Epoch(found, state.get("uptime", 0.0), state.get("boot", "")) if found else None
    epoch = pace.find_epoch(timestep, known)
    missed = await pace.wait_for(timestep, epoch, late=passed)
    begin = state.get("behind")
    begin = timestep if begin is None else begin
    state = {**state, "epoch": epoch.time, "uptime": epoch.uptime, "boot": epoch.boot}
    for _ in range(min(missed, ELAPSED_AT_ONCE)):
        if is_over(world, state["world"], state["timestep"], context.horizon):
            break
        await asyncio.sleep(0)  # A signal is heeded here, and a heartbeat sent.
        idle = commands_for(world, state["world"], ())
        state = _play(state, idle, context, elapsed=True)
    else:
        if missed > ELAPSED_AT_ONCE:
            return {**state, "behind": begin}
    if "behind" in state:
        state["behind"] = None
    if state["timestep"] > begin and not world.is_finished(state["world"]):
        cause = f"timesteps {begin} to {state['timestep'] - 1} had passed before anybody could act"
        state["news"] = [*state["news"], trigger_data(Trigger(kind=ELAPSED, cause=cause))]
    return state


def _carry_out_actions(state: State, context: Context) -> State:
    """Carry out the workers' actions, if they have acted at this timestep."""
    timestep, acts, before = state["timestep"], state["acts"], state["away"]
    acted = bool(acts) and acts["timestep"] == timestep
    if acted:
        nodes = [WORKER] * len(acts["by"])
        state = write(state, Superstep(timestep=timestep, nodes=nodes), context.conditions)
    if not state["forked"]:
        state = write(state, Superstep(timestep=timestep, nodes=[WORLD]), context.conditions)
    if not acted:
        return state
    commands, away = availability(acts, before, context.world.idle)
    reports = {n: ReportRecord.model_validate(r) for n, r in acts.get("reports", {}).items()}
    payloads, claimed = state.get("payloads", {}), state.get("claimed", {})
    state = _play(state, commands, context, away, reports, payloads=payloads, claimed=claimed)
    state = {**state, "away": away}
    for name in state["fails"].keys() - state["running"].keys():
        context.jobs.cancel(name)
    for name, running in state["running"].items():
        assigned = make_assignment(running, name, context, "", 0)
        if assigned.since == timestep and assigned.timesteps > 1:
            context.jobs.begin(timestep, name, assigned)
    back = recoveries(before, away)
    if back and not context.world.is_finished(state["world"]):
        state["news"] = [*state["news"], *map(trigger_data, back)]
    return state


def _play(
    state: State,
    commands: Commands,
    context: Context,
    away: Mapping[str, str] | None = None,
    reports: Reports = MappingProxyType({}),
    *,
    payloads: Mapping[str, Any] = MappingProxyType({}),
    claimed: Mapping[str, str] = MappingProxyType({}),
    elapsed: bool = False,
) -> State:
    """Carry out commands, and return the state at the next timestep.

    The arguments are as in `cookmas.episodes.engine.carry_out`.
    """
    timestep = state["timestep"]
    before = state["world"]
    done = carry_out(
        context.world,
        before,
        commands,
        timestep,
        away,
        reports,
        payloads,
        claimed,
        elapsed=elapsed,
    )
    context.cache.keep(done.state, done.dumped)
    state = write(state, done.record, context.conditions, Change(done.state, done.happened))
    if context.horizon is None and state["timestep"] % PART == 0:
        running = {
            name: RunningRecord(action=each["action"], since=each["since"])
            for name, each in state["running"].items()
        }
        context.recorder.begin_part(state["timestep"], done.dumped, running)
    return state


async def _open(state: State, context: Context) -> _Opening:
    """Take the messages that are due, and collect the triggers of planning."""
    world, timestep, horizon = context.world, state["timestep"], context.horizon
    unfinished = timestep > 0 and not world.is_finished(state["world"])
    over = is_over(world, state["world"], timestep, horizon)
    if not over:
        state = let_take_effect(await take_answer(state, context), context)
    ran_out = run_out(state["schedule"], timestep, context.conditions, context.agents)
    if over or state["ended"]:
        return _Opening(state, ran_out)
    state = await _take_ends(state, context)
    state = await take_messages(state, context)
    now = state["world"]
    if ending(world, now) is not None or is_futile(world, now, timestep, horizon):
        return _Opening(state, ran_out)
    if state["thinking"] and not hasattr(context.planner, "meanwhile"):
        return _Opening(state, ())
    news = [*failures(fails_of(state["fails"])), *map(trigger_of, state["news"])]
    triggers = [*dict.fromkeys(news)]
    unplanned = unfinished or (timestep == 0 and not triggers)
    if unplanned and ran_out and not world.is_finished(now):
        triggers += exhaustion_triggers(ran_out, state, context)
    if not triggers and (idle := find_idle(state, context)) != state.get("idled", []):
        state = {**state, "idled": idle}
        cause = f"nothing to do for {', '.join(idle)}, and a goal waits"
        triggers = [Trigger(kind=IDLE, cause=cause)] if idle else []
    return _Opening(state, ran_out, triggers, agents_to_ask(triggers, state, context))


async def _take_ends(state: State, context: Context) -> State:
    """Take the ends of long actions, each as an event from its worker.

    The job of any other action that has outlasted its timestep ends with the worker's action.
    """
    for name, running in state["running"].items():
        assigned = make_assignment(running, name, context, "", 0)
        action = OutlastingAction(name, str(assigned), assigned.since)
        overdue = is_overdue(context.world, action, state["timestep"], context.longest)
        if overdue and "cancelled" not in running:
            state = await _stop(action, assigned, state, context)
            continue
        if assigned.timesteps == 1:
            continue
        if "cancelled" in running:
            state = await _withdraw(action, assigned, running, state, context)
            continue
        try:
            report = await context.jobs.report(state["timestep"], name, assigned, 0)
        except AwayError as error:
            state = {**state, "away": {**state["away"], name: str(error)}}
            continue
        if report.status != "running":
            state = _take_end(end_of(action, record_of(report)), state, context)
    if context.jobs.has_ended(state["running"]):
        state = {**state, "stalled": 0, "seen": []}
    return state


async def _stop(
    action: OutlastingAction, assigned: Assigned, state: State, context: Context
) -> State:
    """Tell a worker to stop that is at an overdue action, and take the end of the action.

    A worker that does not answer is unavailable from now on. What has ended meanwhile has ended.
    """
    report = await context.jobs.stop(action.worker, assigned)
    if report is not None and report.status != "running":
        return _take_end(end_of(action, record_of(report)), state, context)
    said = report_overdue(action, state["timestep"], answered=report is not None)
    state = state if report else _note_unheard(action, state)
    return _take_end(end_of(action, said, uncertain=report is None), state, context)


async def _withdraw(
    action: OutlastingAction,
    assigned: Assigned,
    running: RunningAction,
    state: State,
    context: Context,
) -> State:
    """Tell a worker to stop whose action was cancelled, and take the end of the action.

    What has been done meanwhile is done. A worker that does not answer is unavailable from now on.
    """
    said = await context.jobs.withdraw(action.worker, assigned)
    report = report_cancelled(running, action.worker, said)
    cancelled = None if report.status == "done" else running["cancelled"]
    event = end_of(action, record_of(report), cancelled=cancelled, uncertain=said is None)
    return _take_end(event, state if said else _note_unheard(action, state), context)


def _note_unheard(action: OutlastingAction, state: State) -> State:
    """Return the state in which a worker is unavailable that did not answer when told to stop."""
    why = f"{action.worker} did not answer when it was told to stop {action.action}."
    return {**state, "away": {**state["away"], action.worker: why}}


def _take_end(event: dict[str, Any], state: State, context: Context) -> State:
    """Let the world take the end of a long action, and record it."""
    world, ruling = apply_event(context.world, state["world"], event)
    record = EventRecord(
        timestep=state["timestep"], event=event, injected=True, refused=ruling.refused
    )
    triggers = [ruling.trigger] if ruling.trigger else []
    return write(state, record, context.conditions, Change(world, triggers))


async def _facts(
    opening: _Opening, stalled: int, passed: int, ahead: int, context: Context
) -> Facts:
    """Return the facts that decide how the timestep continues.

    `stalled` is the number of planner calls in a row without progress. `passed` is the number of
    timesteps in a row in which no worker could move and nothing changed. `ahead` is the timestep
    until which the workers can idle. The mailbox is asked only if its answer matters.
    """
    world, desk, mailbox = context.world, context.desk, context.mailbox
    state = opening.state
    now, timestep, cursor = state["world"], state["timestep"], state["cursor"]
    ended, finished = ending(world, now), world.is_finished(now)
    facts = Facts(
        ending=ended,
        finished=finished,
        empty=finished and await mailbox.empty(cursor),
        is_open=desk is not None,
        over=is_past(context.horizon, timestep),
        alone=not ended and not movers(world, now),
        ahead=ahead > timestep,
        deserted=desk is not None and is_nobody_available(context, state["away"]),
        ran_out=len(opening.ran_out) == len(context.agents),
        triggered=bool(opening.asked),
        stalled=stalled,
        most_stalled=context.max_stalled,
        passed=passed,
    )
    waits = facts.is_open and facts.waits
    waits = waits and not context.jobs.has_ended(state["running"])
    return facts._replace(quiet=True) if waits and await mailbox.idle(cursor) else facts


async def _idle_until(opening: _Opening, context: Context) -> int:
    """Return the timestep until which all workers can idle; the present one if they cannot.

    Workers cannot idle if a goal is open, the planner is to be called, a schedule is active, an
    agent has news to get, or some workers are not scripted; nor if the episode has a pace, or a
    message may come at any time. Otherwise they can idle until the next event in the mailbox, or
    until the horizon if that is earlier.
    """
    state = opening.state
    timestep = state["timestep"]
    planned = len(opening.ran_out) < len(context.agents)
    if planned or opening.triggers or opening.asked or state["untold"] or context.pace.seconds:
        return timestep
    if not context.world.is_finished(state["world"]):
        return timestep
    if not all(isinstance(each, ScriptedWorker) for each in context.workers.values()):
        return timestep
    due = await context.mailbox.due(state["cursor"])
    if due is None:
        return timestep
    return due if context.horizon is None else min(due, context.horizon)


def _idle_until_needed(state: State, until: int, context: Context) -> State:
    """Let all workers idle until timestep `until`, or until something happens.

    Return the state at the timestep that is then opened. The timesteps before are in the trace like
    all others but take no superstep of the graph. So an event in the far future costs almost
    nothing.
    """
    while state["timestep"] < until and not state["fails"] and not state["news"]:
        if ending(context.world, state["world"]):
            break
        idle = commands_for(context.world, state["world"], ())
        state = _play(state, idle, context)
    return state


def _digest_progress(state: State, context: Context) -> str:
    """Return the digest of the progress so far."""
    return digest(context.world.progress_key(state["world"]))


def _records_of(
    triggers: Sequence[Trigger], timestep: int, context: Context
) -> list[TriggerRecord]:
    """Return the records of triggers, in a team with the agents that they concern."""
    team = isinstance(context.planner, Team)
    return [
        TriggerRecord(
            timestep=timestep,
            trigger=each.kind,
            cause=each.cause,
            to=list(each.to) if team and each.to is not None else None,
        )
        for each in triggers
    ]


def _find_invalidated(state: State, before: Any, context: Context) -> list[str]:
    """Return the keys of the texts that an open episode must look up, or look up again.

    `before` is the world's state before the messages of the timestep.
    """
    if context.desk is None:
        return []
    known = set(context.world.lookups(before)) - set(state["fresh"])
    return [key for key in context.world.lookups(state["world"]) if key not in known]
