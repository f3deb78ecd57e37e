"""The bookkeeping: how each record of a trace changes the state of its episode.

Nodes write their records, and rewinding writes those of a trace from the first one on
(`cookmas.orchestrator.graph.restoring`), both by `write`. So a fork begins with the state that its
parent had. What nodes decide without a record, such as the agents to call, they set themselves.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from cookmas.episodes.base import World, movers
from cookmas.episodes.engine import failures, progress
from cookmas.episodes.instruction import MOST_INSTRUCTIONS, is_instruction
from cookmas.episodes.messages import Numbered, parse_created_name
from cookmas.episodes.reports import (
    REPORT,
    RUNNING,
    OutlastingAction,
    QueuedSchedule,
    failure_in,
    is_report,
)
from cookmas.episodes.trace import (
    AnyRecord,
    ChargeRecord,
    EffectRecord,
    End,
    EventRecord,
    MemoryRecord,
    MessageRecord,
    PlanRecord,
    StepRecord,
    Superstep,
    TriggerRecord,
)
from cookmas.episodes.world import Command, Outcome, Trigger, digest, is_told
from cookmas.files.lines import shorten
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.graph.state import (
    AGENT,
    DOOR,
    PLANNER,
    THE_PLANNER,
    ActiveSchedule,
    ActiveSchedules,
    News,
    RunningAction,
    State,
    TeamTalk,
    Thinking,
    fails_of,
    trigger_data,
)

NEVER = 2**62
"""A timestep that no episode reaches: when an answer is due that nobody has yet."""

MOST_HEARD = 16
"""Maximum number of messages of earlier timesteps that an observation has."""

MOST_UNTOLD = 16
"""Maximum number of triggers that are kept for an agent until it may move; the oldest is dropped.
"""

MOST_REPORTS = 16
"""Maximum number of reports of workers that are kept until a planner is told; the oldest is
dropped.
"""

LONGEST_RESULT = 2000
"""Maximum length of a result of which a planner is told, as JSON; of a longer one its text is cut.
"""


class Conditions(NamedTuple):
    """Facts of an episode for its bookkeeping, which only a fork changes, and its trace."""

    world: World
    """The world."""
    team: Collection[str]
    """The workers that plan for themselves; empty if a central planner plans."""
    horizon: int | None
    """Number of timesteps after which the episode ends; None for an open episode."""
    is_open: bool
    """True if the episode takes messages."""
    recorder: Recorder
    """The writer of the trace, which finds the records to which the state refers."""

    def find_plan(self, number: int) -> PlanRecord | None:
        """Return an answer to which the state refers; None if the record is another one."""
        record = self.recorder.find_referred(number)
        return record if isinstance(record, PlanRecord) else None


class Change(NamedTuple):
    """The change of the world with an event or a timestep."""

    world: Any
    """The state of the world after it."""
    triggers: Sequence[Trigger] = ()
    """The triggers that it causes."""


def write(
    state: State, record: AnyRecord, conditions: Conditions, change: Change | None = None
) -> State:
    """Append a record to the trace, and return the state of the episode after it (`note`)."""
    return note(state, conditions.recorder.append(record), record, conditions, change)


def note(
    state: State,
    number: int,
    record: AnyRecord,
    conditions: Conditions,
    change: Change | None = None,
) -> State:
    """Return the state of an episode after record `number` of its trace.

    `change` is None if the record leaves the world unchanged. The world in the states is the state
    of the world itself, not its dump.
    """
    match record:
        case StepRecord():
            assert change
            return _note_step(state, record, conditions, change)
        case EventRecord():
            return _note_event(state, record, conditions, change)
        case TriggerRecord():
            return _note_trigger(state, record, conditions)
        case Superstep():
            return _note_superstep(state, record)
        case PlanRecord():
            return _note_plan(state, number, record, conditions)
        case MessageRecord():
            messages = [*state["talk"].get("messages", ()), number]
            return {**state, "talk": {**state["talk"], "messages": messages}}
        case ChargeRecord():
            owed = {**state.get("owed", {}), record.agent or THE_PLANNER: record.rest}
            slowest = max(state.get("slowest") or 0, record.takes)
            return {**state, "owed": owed, "slowest": slowest}
        case EffectRecord():
            answers = state["thinking"].get("answers", {})
            return _note_effect({**state, "thinking": {}}, answers, record.begin, conditions)
        case MemoryRecord():
            return {**state, "memory": {**state["memory"], record.agent or THE_PLANNER: number}}
        case End():
            return {**state, "triggers": [], "ended": record.termination}
    return state


def _note_step(state: State, record: StepRecord, conditions: Conditions, change: Change) -> State:
    """Note a timestep: the world after it, its FAILs, and what the world did on its own.

    FAILs and news of a timestep in which no worker may move are added to the earlier ones. The
    agents that may move have been told all their news.
    """
    if state["talk"]:
        state = conclude_talk(state, conditions)
    moving = () if record.elapsed else movers(conditions.world, state["world"])
    alone = not record.commands and not moving
    assigned = {n: each.action or "" for n, each in (record.reports or {}).items()}
    actions = {**assigned, **dict(record.commands)}
    fails = {
        worker: {"action": actions.get(worker, ""), **fail.model_dump(exclude_none=True)}
        for worker, fail in record.fails.items()
    }
    cancel = conditions.world.cancel
    free = [n for n in moving if n not in state["running"] or actions.get(n) == cancel]
    running, told = _note_running(state, record, conditions.world)
    if conditions.world.is_finished(change.world):
        told = []
    news = [trigger_data(trigger) for trigger in [*change.triggers, *told]]
    if state["thinking"] and state["thinking"].get("due", NEVER) > record.timestep + 1:
        news = [*map(trigger_data, failures(fails_of(fails))), *news]
    gathers = alone or bool(state["thinking"])
    return {
        **state,
        "timestep": record.timestep + 1,
        "world": change.world,
        "reports": _add_reports(state, _results_of(record, actions)),
        "schedule": _postpone_schedules(state, conditions)
        if record.elapsed
        else _count_begun(state, record.timestep, free, conditions),
        "fails": {**state["fails"], **fails} if alone else fails,
        "running": running,
        "waits": state["waits"] if running.keys() == state["running"].keys() else [],
        "news": [*state["news"], *news] if gathers else news,
        "triggers": [],
        "untold": {name: kept for name, kept in state["untold"].items() if name not in moving},
        **_count_anew(state, conditions.world.is_finished(change.world)),
    }


def _results_of(record: StepRecord, actions: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the reports of a timestep of which a planner is told: results, and ends."""
    return [
        {
            "worker": name,
            "action": actions.get(name, ""),
            "timestep": record.timestep + 1,
            **report.model_dump(exclude_none=True),
        }
        for name, report in (record.reports or {}).items()
        if report.status != "running" and (report.since, report.result) != (None, None)
    ]


def _add_reports(state: State, reports: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the reports of which a planner is to be told, with further ones."""
    cut = [{**each, **_cut_result(each)} for each in reports]
    return [*state["reports"], *cut][-MOST_REPORTS:]


def _cut_result(report: Mapping[str, Any]) -> dict[str, Any]:
    text = json.dumps(report.get("result"), ensure_ascii=False)
    return {"result": shorten(text, LONGEST_RESULT)} if len(text) > LONGEST_RESULT else {}


def _note_running(
    state: State, record: StepRecord, world: World
) -> tuple[dict[str, RunningAction], list[Trigger]]:
    """Return the actions that still run after a timestep, and the triggers of their reports.

    The world calls the planner for the end of a long action, and nobody needs to for its begin.
    """
    if not record.reports and not state["running"]:
        return state["running"], []
    running, told = dict(state["running"]), []
    actions = dict(record.commands)
    for name, report in (record.reports or {}).items():
        if name in record.fails and report.status == "running":
            continue
        if report.status == "running" and report.since is None:
            action = report.action or actions[name]
            running[name] = RunningAction(action=action, since=record.timestep)
            if name in (record.payloads or {}):
                running[name]["payload"] = (record.payloads or {})[name]
            if report.action:
                cause = OutlastingAction(name, action, record.timestep).told
                told.append(Trigger(kind=RUNNING, cause=cause, to=(name,)))
        elif report.status != "running":
            there = running.pop(name, None)
            if there and report.status == "done":
                cause = f"{name} has done {there['action']}, since timestep {there['since']}"
                told.append(Trigger(kind=REPORT, cause=cause, to=(name,)))
    cancel = world.cancel
    for name, each in running.items():
        if cancel and actions.get(name) == cancel:
            running[name] = RunningAction(**{**each, "cancelled": record.timestep})
    return running, told


def _postpone_schedules(state: State, conditions: Conditions) -> ActiveSchedules:
    """Return the active schedules, of which nothing was carried out, for one timestep later."""
    horizon = NEVER if conditions.horizon is None else conditions.horizon
    return {
        name: ActiveSchedule(
            **{**each, "begin": each["begin"] + 1, "end": min(each["end"] + 1, horizon)}
        )
        for name, each in state["schedule"].items()
    }


def _count_begun(
    state: State, timestep: int, moving: Collection[str], conditions: Conditions
) -> ActiveSchedules:
    """Return the active schedules after a timestep in which the workers in `moving` could begin an
    action, or cancel theirs.
    """
    schedules = state["schedule"]
    if not any("begun" in each for each in schedules.values()):
        return schedules
    return {
        name: ActiveSchedule(**{**each, "begun": queue.count_begun(timestep, moving)})
        if (queue := _queue_of(each, conditions))
        else each
        for name, each in schedules.items()
    }


def _queue_of(schedule: ActiveSchedule, conditions: Conditions) -> QueuedSchedule | None:
    """Return an active schedule whose actions are queues; None if it is of the other kind."""
    plan = conditions.find_plan(schedule["plan"]) if "begun" in schedule else None
    if plan is None:
        return None
    return QueuedSchedule(plan.schedule, schedule["begin"], schedule["begun"])


def _note_event(
    state: State, record: EventRecord, conditions: Conditions, change: Change | None
) -> State:
    """Note an event: the world after it, its triggers, and the words of a supervisor."""
    state = {**state, "cursor": record.number or state["cursor"]}
    if made := creation_in(record, conditions.world):
        state["created"] = {**state["created"], made.beginning: made.number}
    if is_instruction(record.event) and not record.refused:
        told = [record.timestep, record.event["words"]]
        state["instructions"] = [*state["instructions"], told][-MOST_INSTRUCTIONS:]
    if change:
        state["world"] = change.world
        state["news"] = [*state["news"], *map(trigger_data, change.triggers)]
    if is_report(record.event):
        ended = record.event["worker"]
        state["running"] = {name: r for name, r in state["running"].items() if name != ended}
        state["waits"] = []
        report = {name: part for name, part in record.event.items() if name != "kind"}
        state["reports"] = _add_reports(state, [{**report, "timestep": record.timestep}])
    if failed := failure_in(record.event):
        state = _note_failure(state, *failed)
    message = is_report(record.event) or (conditions.is_open and record.number > 0)
    return {**state, **_count_anew(state, message or conditions.world.is_finished(state["world"]))}


def creation_in(record: EventRecord, world: World) -> Numbered | None:
    """Return the parts of the name of the thing that a message created; None if it created none."""
    accepted = record.injected and record.refused is None
    return parse_created_name(world.messages, record.event) if accepted else None


def _note_failure(state: State, worker: str, action: str, outcome: Outcome) -> State:
    """Note that a long action has failed: a FAIL like those of the timestep before.

    It is news too, because FAILs are only kept for a timestep, and an answer may be awaited.
    """
    fail = {"action": action, "fail": outcome.fail, "why": outcome.why}
    news = map(trigger_data, failures({worker: (action, outcome)}))
    return {
        **state,
        "fails": {**state["fails"], worker: fail},
        "news": [*state["news"], *news],
    }


def _count_anew(state: State, begins: bool) -> State:
    """Return the part of the state that counts the planner's calls without progress.

    The count begins again if nothing is left to do, and with each message to an open episode.
    """
    if begins:
        return {"stalled": 0, "seen": []}
    return {"stalled": state["stalled"], "seen": state["seen"]}


def _note_trigger(state: State, record: TriggerRecord, conditions: Conditions) -> State:
    """Note a reason to plan: for the next call, and for the agents that cannot be called now."""
    state = {**state}
    if not state["triggers"]:
        made = digest(conditions.world.progress_key(state["world"]))
        state["stalled"], state["seen"] = progress(state["stalled"], state["seen"], made)
    to = None if record.to is None else tuple(record.to)
    trigger = Trigger(kind=record.trigger, cause=record.cause, to=to)
    state["triggers"] = [*state["triggers"], trigger_data(trigger)]
    if conditions.team:
        moving = movers(conditions.world, state["world"])
        later = [n for n in conditions.team if n not in moving and trigger.concerns(n)]
        state["untold"] = {**state["untold"], **{n: _postpone(state, n, trigger) for n in later}}
    return state


def _postpone(state: State, agent: str, trigger: Trigger) -> News:
    """Return the news for an agent that may not move now, with a further trigger."""
    before = state["untold"].get(agent, NOTHING)
    return {
        "triggers": [*before["triggers"], trigger_data(trigger)][-MOST_UNTOLD:],
        "fails": {**before["fails"], **select_visible_fails(state["fails"], agent)},
    }


NOTHING: News = {"triggers": [], "fails": {}}
"""The news for an agent that has been told everything."""


def select_visible_fails(
    fails: Mapping[str, dict[str, Any]], agent: str
) -> dict[str, dict[str, Any]]:
    """Return the FAILs of which an agent is told: its own, and those it witnesses."""
    return {
        worker: fail
        for worker, fail in fails.items()
        if is_told(agent, worker, fail.get("witnesses"))
    }


def _note_superstep(state: State, record: Superstep) -> State:
    """Note that nodes run: the first call of a planner or a team, or the end of a sleep.

    The call tells the news. While an answer is awaited, they would gather otherwise.
    """
    if record.nodes in ([PLANNER], [AGENT]) and not state["talk"]:
        talk: TeamTalk = {"turns": {}} if record.nodes == [AGENT] else {}
        stalled = state["stalled"] + bool(state["triggers"])
        return {**state, "stalled": stalled, "talk": talk, "news": []}
    if record.nodes == [DOOR]:
        return {**state, "asleep": False, "news": [], "fails": {}}
    return state


def _note_plan(state: State, number: int, record: PlanRecord, conditions: Conditions) -> State:
    """Note an answer: a planner's takes effect at once, an agent's when the dialogue is over."""
    length = 0 if record.refused else len(record.schedule)
    if record.agent is None:
        answer = {THE_PLANNER: [number, length]}
        begin = record.timestep if record.asked is None else record.asked
        later = [each for each in state["reports"] if each["timestep"] > begin]
        state = {**state, "triggers": [], "reports": later}
        due = record.timestep if record.due is None else record.due
        if due > begin:
            return _wait_for_effect(state, answer, begin, due, record.expected)
        return _note_effect(state, answer, record.timestep, conditions)
    if record.refused:
        return state
    decided = {**state["talk"].get("decided", {}), record.agent: [number, length]}
    return {**state, "talk": {**state["talk"], "decided": decided}}


def conclude_talk(state: State, conditions: Conditions) -> State:
    """Return the state after the dialogue of a team: the decisions of the agents take effect.

    If thinking takes time, they do so together, when the last one is due.
    """
    talk = state["talk"]
    decided = talk.get("decided", {})
    plans = [conditions.find_plan(number) for number, _ in decided.values()]
    dues = [plan.due for plan in plans if plan and plan.due is not None]
    timestep = state["timestep"]
    if dues:
        state = _wait_for_effect(state, decided, timestep, max(dues))
    else:
        state = _note_effect(state, decided, timestep, conditions)
    return {
        **state,
        "said": [*state["said"], *talk.get("messages", ())][-MOST_HEARD:],
        "reports": [r for r in state["reports"] if r["worker"] not in talk.get("turns", ())],
        "talk": {},
        "triggers": [],
        "asked": [],
    }


def _wait_for_effect(
    state: State,
    answers: Mapping[str, list[int]],
    begin: int,
    due: int,
    expected: int | None = None,
) -> State:
    """Return the state in which answers to a call at timestep `begin` wait until they are due.

    `expected` is the timestep at which they were expected, if it is an earlier one.
    """
    expected = due if expected is None else expected
    thinking = Thinking(begin=begin, due=due, expected=expected, answers=dict(answers))
    return {**state, "thinking": thinking, "slowest": max(state.get("slowest") or 0, due - begin)}


def _note_effect(
    state: State, answers: Mapping[str, Sequence[int]], begin: int, conditions: Conditions
) -> State:
    """Note that answers take effect, with schedules that begin at timestep `begin`."""
    before = state["schedule"] if conditions.team else {}
    found = activate(before, answers, begin, conditions)
    order = conditions.world.workers if conditions.team else (THE_PLANNER,)
    waits = [name for name, answer in answers.items() if _is_to_wait(answer, conditions)]
    return {
        **state,
        "schedule": {name: found[name] for name in order if name in found},
        "waits": [*(name for name in state["waits"] if name not in answers), *waits],
    }


def _is_to_wait(answer: Sequence[int], conditions: Conditions) -> bool:
    """Return whether an answer, by its number and length, says to do nothing for now."""
    number, length = answer
    plan = None if length else conditions.find_plan(number)
    return plan is not None and plan.refused is None and plan.gave_up is None


def activate(
    before: ActiveSchedules,
    answers: Mapping[str, Sequence[int]],
    begin: int,
    conditions: Conditions,
) -> ActiveSchedules:
    """Return the active schedules after `answers` take effect at timestep `begin`.

    `before` are the schedules that are active until then. `answers` has for each agent the number
    of its answer in the trace, and its length; an answer of length 0 leaves the agent without a
    schedule. Schedules of other agents continue. No schedule reaches beyond the horizon.
    """
    horizon = conditions.horizon
    schedules = {name: each for name, each in before.items() if name not in answers}
    for name, (number, length) in answers.items():
        end = begin + length if horizon is None else min(begin + length, horizon)
        if end > begin:
            schedules[name] = ActiveSchedule(plan=number, begin=begin, end=end)
            plan = conditions.find_plan(number)
            if plan and plan.queued:
                schedules[name]["begun"] = {}
    return schedules


def commands_at(
    schedules: ActiveSchedules, timestep: int, conditions: Conditions, busy: Collection[str] = ()
) -> list[Command]:
    """Return the commands of all schedules at a timestep, schedule by schedule.

    The queued actions of the workers in `busy` wait for the end of what these are at, except to
    cancel it.
    """
    commands: list[Command] = []
    cancel = conditions.world.cancel
    for each in schedules.values():
        row = next(iter(rest_of(each, timestep, conditions)), [])
        waits = busy if "begun" in each else ()
        commands += [c for c in row if c.worker not in waits or c.action == cancel]
    return commands


def run_out(
    schedules: ActiveSchedules, timestep: int, conditions: Conditions, agents: Collection[str]
) -> list[str]:
    """Return the agents whose schedules have run out by a timestep, or that have had none."""
    return [
        name
        for name in agents
        if not (each := schedules.get(name)) or not _is_active(each, timestep, conditions)
    ]


def _is_active(schedule: ActiveSchedule, timestep: int, conditions: Conditions) -> bool:
    if conditions.find_plan(schedule["plan"]) is None:
        return False
    queue = _queue_of(schedule, conditions)
    return timestep < schedule["end"] or (queue is not None and bool(queue.list_rest(timestep)))


def rest_of(schedule: ActiveSchedule, timestep: int, conditions: Conditions) -> list[list[Command]]:
    """Return the commands of a schedule from `timestep` on, as far as they are known now.

    The queued actions are expected as soon as possible: nobody knows how long those before last.
    """
    plan, begin = conditions.find_plan(schedule["plan"]), schedule["begin"]
    if plan is None or timestep < begin:
        return []
    if queue := _queue_of(schedule, conditions):
        return queue.list_rest(timestep)
    return plan.schedule[timestep - begin : schedule["end"] - begin]
