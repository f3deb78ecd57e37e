"""The workers: their assignments, their actions, their availability, and people's answers.

Scripted workers act together, in one task; every other worker has its own task. If a person plays a
worker, the node interrupts the graph, and runs again from its beginning when the answer is there.
The node does nothing before the interrupt, so it can run any number of times.

The action of an unavailable worker FAILs. The planner leaves the worker out until it has recovered,
which is a trigger. An unavailable worker without an assignment idles. This is no FAIL, because the
orchestrator knows of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cookmas.episodes.answered import check_payload
from cookmas.episodes.base import movers, overrides
from cookmas.episodes.engine import commands_for
from cookmas.episodes.parts import ReportRecord
from cookmas.episodes.possible import list_own_legal
from cookmas.episodes.reports import duration, find_claimed, tell_unheard
from cookmas.episodes.world import Command, Trigger
from cookmas.orchestrator.graph.bookkeeping import commands_at
from cookmas.orchestrator.graph.context import Context, Node
from cookmas.orchestrator.graph.state import (
    Acts,
    ActsBy,
    Assignment,
    Opened,
    RunningAction,
    State,
    Together,
    is_behind,
    must_plan,
)
from cookmas.orchestrator.interrupting import ask, read_answered
from cookmas.workers.person import Answered, Asked, Person
from cookmas.workers.protocol import Assigned, AwayError, Report, Returning, Worker

if TYPE_CHECKING:
    from langgraph.types import Command as Resume
    from langgraph.types import Interrupt

_log = logging.getLogger(__name__)

SHARE = 0.5
"""The part of the time left in a timestep for which an asynchronous worker is waited for.

The rest of the time is for the checkpoint and the next timestep; otherwise each timestep with a
busy worker would be longer by them.
"""

BACK = "back"
"""The kind of trigger for a worker that has recovered."""


def then_assign(node: Node) -> Node:
    """Return a node that runs `node`, and then assigns the workers if they act next.

    What the next superstep does then depends on the state alone, also on one that was edited.
    """

    async def node_and_assignments(state: State, context: Context) -> State:
        after = await node(state, context)
        waits = after["ended"] or after["asleep"] or is_behind(after) or must_plan(after)
        return after if waits else assign(after, context)

    return node_and_assignments


def assign(state: State, context: Context) -> State:
    """Return the state with the workers' assignments: the commands of the schedule."""
    wanted = commands_at(state["schedule"], state["timestep"], context.conditions, state["running"])
    commands = commands_for(context.world, state["world"], wanted)
    state = {**state, "commands": [list(command) for command in commands]}
    if context.unscripted or "apart" in state:
        state["apart"] = context.unscripted
    if context.people:
        state["legal"] = _legal(state, context)
    if overrides(context.world, "claims"):
        running = {name: each["action"] for name, each in state["running"].items()}
        there = [command for command in commands if command.worker not in state["away"]]
        state["claimed"] = find_claimed(context.world, state["world"], there, running)
    if overrides(context.world, "payload"):
        state["payloads"] = _payloads(state, context)
    return state


def _payloads(state: State, context: Context) -> dict[str, Any]:
    """Return the data that go with the assignments that begin, of workers that are not scripted."""
    world, found = context.world, {}
    for worker, action in map(Command._make, state["commands"]):
        waits = worker in state["running"] or worker in state.get("claimed", {})
        if worker in context.unscripted and not waits:
            payload = world.payload(state["world"], worker, action)
            if payload is not None:
                found[worker] = check_payload(world, payload, action)
    return found


def _legal(state: State, context: Context) -> dict[str, list[str]]:
    """Return the legal actions of each person who may move, from what the person sees.

    A person's list is empty if the world cannot list them for what the person sees.
    """
    world, now = context.world, state["world"]
    asked = [name for name in context.people if name in movers(world, now)]
    return {name: list_own_legal(world, world.observe(now, name), name) for name in asked}


def tasks(state: Opened) -> list[Assignment | Together]:
    """Return the tasks of the workers: one for all scripted workers, one for each other worker.

    A worker whose action cannot begin is with the scripted ones, so that it does not hear of it.
    """
    timestep, claimed = state["timestep"], state.get("claimed", {})
    apart = [name for name in state.get("apart", []) if name not in claimed]
    placed = [[str(place), *command] for place, command in enumerate(state["commands"])]
    if not apart:
        return [Together(timestep=timestep, together=placed)]
    legal, running = state.get("legal", {}), state.get("running", {})
    payloads = state.get("payloads", {})
    alone: list[Assignment | Together] = []
    for place, name, action in placed:
        if name not in apart:
            continue
        assignment = Assignment(timestep=timestep, place=place, worker=name, action=action)
        if name in legal:
            assignment["legal"] = legal[name]
        if name in running:
            assignment["running"] = running[name]
        elif name in payloads:
            assignment["payload"] = payloads[name]
        alone.append(assignment)
    together = [each for each in placed if each[1] not in apart]
    if alone and not together:
        return alone
    return [Together(timestep=timestep, together=together), *alone]


async def worker(given: Assignment | Together, context: Context) -> State:
    """Let one worker act, or all scripted workers together.

    A worker that fails gives no action. The world decides on a command for an unknown worker.
    """
    timestep = given["timestep"]
    if "together" in given:
        by: ActsBy = {place: (name, action, None) for place, name, action in given["together"]}
        return State(acts=Acts(timestep=timestep, by=by))
    name, place = given["worker"], given["place"]
    there = context.workers.get(name)
    if there is None:
        return State(acts=Acts(timestep=timestep, by={place: (name, given["action"], None)}))
    if isinstance(there, Person):
        answered = _ask(given)
        action = answered.get("action", given["action"])
        by = {place: (name, action, answered.get("away"))}
        return State(acts=Acts(timestep=timestep, by=by))
    try:
        done, report = await _carry_out(given, context)
    except AwayError as error:
        by = {place: (name, given["action"], str(error))}
        return State(acts=Acts(timestep=timestep, by=by))
    acts = Acts(timestep=timestep, by={place: (name, done, None)})
    if report is not None:
        acts["reports"] = {name: report.model_dump(exclude_none=True)}
    return State(acts=acts)


async def _carry_out(given: Assignment, context: Context) -> tuple[str | None, ReportRecord | None]:
    """Return the action of a worker at this timestep, and the report to record.

    The action is None if the worker failed. The report is None if it says only that the assigned
    action was carried out. Idling ends with its timestep, even if an asynchronous worker is late.
    """
    timestep, name, wanted = given["timestep"], given["worker"], given["action"]
    running, idle = given.get("running"), context.world.idle
    payload = given.get("payload")
    assigned = make_assignment(running, name, context, wanted, timestep, payload)
    if assigned.timesteps > 1:
        return _go_on(given, assigned, context)
    outlasts = assigned.outlasts
    if running and "cancelled" in running:
        report = report_cancelled(running, name, await context.jobs.withdraw(name, assigned))
    else:
        seconds = SHARE * context.pace.count_left() if outlasts else context.patience
        report = await context.jobs.report(timestep, name, assigned, seconds)
    since = assigned.since if running else None
    if report.status == "running" and not outlasts:
        _log.warning("%s gave no action in time at timestep %d", name, timestep)
        report = await _stop_late(name, assigned, context)
    if report.status == "running":
        if running is None and wanted == idle:
            context.jobs.cancel(name)
            return idle, None
        if running is None:
            return idle, ReportRecord(status="running", action=str(assigned))
        skipped = wanted not in (idle, context.world.cancel)
        kept = ReportRecord(status="running", action=str(assigned), since=since)
        return idle if skipped else wanted, kept if skipped else None
    if report.status == "failed":
        return None, record_of(report, str(assigned), since)
    action = str(assigned) if report.action is None else report.action
    if since is None and report.result is None:
        return action, None
    return action, ReportRecord(status="done", since=since, result=report.result)


async def _stop_late(name: str, assigned: Assigned, context: Context) -> Report:
    """Tell a worker to stop that gave no action in time; what has been done meanwhile is done."""
    why = f"{name} gave no action within {context.patience:g} s."
    if str(assigned) == context.world.idle:
        context.jobs.cancel(name)
        return Report.failed(why)
    said = await context.jobs.dismiss(name, assigned)
    if said is not None and said.status == "done":
        return said
    return Report.failed(why + tell_unheard(name) if said is None else why)


def _go_on(
    given: Assignment, assigned: Assigned, context: Context
) -> tuple[str, ReportRecord | None]:
    """Let a long action run; its end comes when a later timestep is opened.

    A new one begins only after the world has taken its command, so that no device does what FAILs.
    """
    timestep, name, wanted = given["timestep"], given["worker"], given["action"]
    if "running" not in given:
        return wanted, ReportRecord(status="running")
    context.jobs.begin(timestep, name, assigned)
    if wanted in (context.world.idle, context.world.cancel):
        return wanted, None
    since = assigned.since
    return context.world.idle, ReportRecord(status="running", action=str(assigned), since=since)


def make_assignment(
    running: RunningAction | None,
    name: str,
    context: Context,
    action: str,
    timestep: int,
    payload: Any = None,
) -> Assigned:
    """Return the assignment of a worker: the action that it is still at, or else a new one."""
    if running:
        action, timestep, payload = running["action"], running["since"], running.get("payload")
    lasts = duration(context.world, action)
    declared = getattr(context.workers[name], "asynchronous", False)
    outlasts = declared or name in context.asynchronous
    return Assigned(
        action, name, timestep, context.episode, lasts, outlasts=outlasts, payload=payload
    )


def record_of(report: Report, action: str | None = None, since: int | None = None) -> ReportRecord:
    """Return the record of a report on an `action` that was assigned at the timestep `since`."""
    return ReportRecord(
        status=report.status,
        action=action,
        since=since,
        why=report.why or None,
        result=report.result,
    )


def report_cancelled(running: RunningAction, worker: str, said: Report | None) -> Report:
    """Return the report on an action that was cancelled; what has been done meanwhile is done.

    `said` is what its worker has said when it was told to stop; None if it does not answer.
    """
    if said is not None and said.status == "done":
        return said
    why = f"It was cancelled at timestep {running['cancelled']}."
    return Report.failed(why + tell_unheard(worker) if said is None else why)


def _ask(assignment: Assignment) -> Answered:
    """Interrupt the graph until the person has answered; return the answer."""
    asked = Asked(
        timestep=assignment["timestep"],
        worker=assignment["worker"],
        assignment=assignment["action"],
        legal=assignment.get("legal", []),
    )
    return ask(asked, read_answered)


class Availability(NamedTuple):
    """The actions of a timestep, and the unavailable workers after it."""

    commands: list[Command]
    """The commands, in order."""
    away: dict[str, str]
    """Unavailable workers, each with the reason."""


def availability(acts: Acts, before: Mapping[str, str], idle: str) -> Availability:
    """Return the commands that the workers' acts stand for, and the unavailable workers after them.

    `before` are the workers that were unavailable already. Of these, a worker that was not asked
    stays unavailable. `idle` is the world's action for doing nothing.
    """
    commands: list[Command] = []
    by, away = acts["by"], dict(before)
    if before:
        asked = {worker for worker, _, _ in by.values()}
        away = {worker: why for worker, why in before.items() if worker not in asked}
    for place in sorted(by, key=int):
        worker, action, missing = by[place]
        if missing is not None:
            away[worker] = missing
            if action != idle or worker not in before:
                continue
        if action is not None:
            commands.append(Command(worker, action))
    return Availability(commands, away)


def recoveries(before: Mapping[str, str], after: Mapping[str, str]) -> list[Trigger]:
    """Return a trigger for each worker that has recovered."""
    return [
        Trigger(kind=BACK, cause=f"{worker} answers again")
        for worker in before
        if worker not in after
    ]


def is_nobody_available(context: Context, away: Mapping[str, str]) -> bool:
    """Return whether all workers are unavailable and all of them can recover."""
    missing = [context.workers[name] for name in context.world.workers if name in away]
    everybody = len(missing) == len(context.world.workers)
    return everybody and all(isinstance(worker, Returning) for worker in missing)


async def wait_for_news(
    context: Context, cursor: int, away: Mapping[str, str], running: Collection[str]
) -> set[str]:
    """Wait for a message, for the end of an action, or if all workers are away for a recovery.

    `running` are the workers whose actions may end. If all workers are unavailable and an event is
    to come from the mailbox anyway, do not wait for it. Return the recovered workers.
    """
    waits: dict[asyncio.Task[None], str | None] = {}

    def wait(until: Coroutine[Any, Any, None], worker: str | None) -> None:
        waits[asyncio.create_task(until)] = worker

    nobody = is_nobody_available(context, away)
    if not nobody or await context.mailbox.idle(cursor):
        wait(context.mailbox.wait(cursor), None)
    if running:
        wait(context.jobs.wait(running), None)
    for missing in away if nobody else ():
        worker = context.workers[missing]
        assert isinstance(worker, Returning)
        wait(worker.wait_until_back(), missing)
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        return {name for task in done if (name := waits[task])}
    finally:
        for task in waits:
            task.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


class People:
    """The people who play workers, and the open questions to them.

    The graph stops with one interrupt for each person. It continues as soon as one person has
    answered, so that this answer is stored while the other people still think.
    """

    def __init__(self, workers: Mapping[str, Worker | Person]) -> None:
        self._people = {n: each for n, each in workers.items() if isinstance(each, Person)}
        self._open: dict[str, asyncio.Task[Answered]] = {}

    @property
    def open(self) -> bool:
        """True if a question is open."""
        return bool(self._open)

    def ask(self, interrupts: Iterable[Interrupt]) -> None:
        """Ask the people for whom the graph has stopped.

        A question that is already open is not asked again. A question about a worker that nobody
        plays in this process is not asked.
        """
        for each in interrupts:
            person = self._people.get(each.value["worker"])
            if person and each.id not in self._open:
                self._open[each.id] = asyncio.create_task(person.answer(each.value))

    async def answers(self) -> Resume[None]:
        """Wait for an answer, and return all answers that have come by then.

        They are in the form of the input with which the graph continues.
        """
        from langgraph.types import Command as Resume

        await asyncio.wait(self._open.values(), return_when=asyncio.FIRST_COMPLETED)
        answered = [name for name, task in self._open.items() if task.done()]
        return Resume(resume={name: self._open.pop(name).result() for name in answered})

    async def withdraw(self) -> None:
        """Withdraw all open questions."""
        for task in self._open.values():
            task.cancel()
        await asyncio.gather(*self._open.values(), return_exceptions=True)
