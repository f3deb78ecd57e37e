"""Reports of workers in the rules of a timestep, and long actions, which outlast their timestep.

A report comes with the timestep in which it counts. A failed report is a FAIL in every world. A
long action (`World.duration`) begins with its command. Its end is an event of the kind `report`,
which reaches the world through `World.take_report` when the next timestep is opened.

In a world whose actions last, the actions of each worker are a queue. An action begins at its
timestep if its worker can move then. Otherwise it begins as soon as the worker can move, after the
actions before it. So no action is left out because an earlier one lasts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cookmas.episodes.base import NO_ACTION, World, overrides
from cookmas.episodes.parts import ReportRecord
from cookmas.episodes.world import Command, Commands, Json, Outcome, Ruling, Trigger
from cookmas.files.errors import InputError

REPORT = "report"
"""The kind of the event, and of the trigger, with which an action ends that outlasted its timestep.
"""

RUNNING = "running"
"""The kind of the trigger that says that an action outlasts its timestep without being long."""

Reports = Mapping[str, ReportRecord]
"""The reports of a timestep, by worker."""


class OutlastingAction(NamedTuple):
    """An action that has outlasted the timestep in which it was assigned."""

    worker: str
    """Name of the worker."""
    action: str
    since: int
    """Timestep at which the action was assigned."""

    @property
    def told(self) -> str:
        """The sentence that says that the worker is busy."""
        return f"{self.worker} is still at {self.action}, since timestep {self.since}."


def has_long_actions(world: World) -> bool:
    """Return whether a world may have actions that last for more than one timestep."""
    return overrides(world, "duration")


def duration(world: World, action: str) -> int:
    """Return the expected duration of an action, in timesteps."""
    return world.duration(action)


def find_latest(world: World, running: OutlastingAction, longest: int | None = None) -> int | None:
    """Return the timestep at which an action is stopped if it still runs; None if at none.

    The world allows it a number of timesteps, and `longest` is another limit.
    """
    limits = [limit for limit in (world.longest(running.action), longest) if limit is not None]
    return running.since + min(limits) if limits else None


def is_overdue(
    world: World, running: OutlastingAction, timestep: int, longest: int | None = None
) -> bool:
    """Return whether an action has lasted as long as it may (`find_latest`)."""
    latest = find_latest(world, running, longest)
    return latest is not None and timestep >= latest


def report_overdue(
    running: OutlastingAction, timestep: int, *, answered: bool = True
) -> ReportRecord:
    """Return the report on an action that was stopped because it is overdue.

    `answered` says whether its worker has answered that it has stopped.
    """
    lasted = timestep - running.since
    why = f"It was stopped at timestep {timestep}, after {lasted} timesteps."
    why = why if answered else why + tell_unheard(running.worker)
    return ReportRecord(status="failed", why=why)


def tell_unheard(worker: str) -> str:
    """Return the sentence that says that a worker has not answered when it was told to stop."""
    return f" {worker} did not answer, so it may have been done."


def find_claimed(
    world: World, state: Any, commands: Commands, running: Mapping[str, str]
) -> dict[str, str]:
    """Return the workers whose actions cannot begin because others claim the same, and the reasons.

    `running` are the actions of the busy workers, which hold what they claim. A command that is not
    legal claims nothing.
    """
    if not overrides(world, "claims"):
        return {}
    claims = world.claims
    holders = {what: (name, action) for name, action in running.items() for what in claims(action)}
    held = dict.fromkeys(holders, "is held by")
    given, claimed = dict(commands), {}
    for name in world.workers:
        wanted = claims(given[name]) if name in given and name not in running else ()
        taken = next((what for what in wanted if what in holders), None)
        if taken is not None:
            other, action = holders[taken]
            how = held.get(taken, "is taken by")
            claimed[name] = f"{taken} {how} {other}, which does {action}."
        elif wanted and given[name] in world.legal(state, name):
            holders |= dict.fromkeys(wanted, (name, given[name]))
    return claimed


def end_of(
    running: OutlastingAction,
    report: ReportRecord,
    *,
    cancelled: int | None = None,
    uncertain: bool = False,
) -> dict[str, Any]:
    """Return the event with which a long action ends.

    `cancelled` is the timestep at which it was cancelled, if it was. If it is `uncertain`, nobody
    knows whether it was done.
    """
    return {
        "kind": REPORT,
        "worker": running.worker,
        **report.model_dump(exclude_none=True),
        "action": running.action,
        "since": running.since,
        **({} if cancelled is None else {"cancelled": cancelled}),
        **({"uncertain": True} if uncertain else {}),
    }


def is_report(event: Json) -> bool:
    """Return whether an event is the end of a long action rather than an event of the world."""
    return event.get("kind") == REPORT


def failure_in(event: Json) -> tuple[str, str, Outcome] | None:
    """Return the worker, the action and the FAIL of a long action that has failed.

    Return None for any other event. An action that was cancelled has not failed.
    """
    if not is_report(event) or event.get("status") != "failed" or "cancelled" in event:
        return None
    worker, action = str(event["worker"]), str(event["action"])
    why = str(event.get("why") or f"{worker} gave no reason.")
    return worker, action, Outcome(NO_ACTION, why)


def describe_end(event: Json) -> str:
    """Return the end of a long action in words."""
    if "cancelled" in event:
        how = "was cancelled"
    elif event.get("status") == "done":
        how = "is done"
    else:
        how = f"has failed: {event.get('why', '')}"
    worker = str(event.get("worker", "")).replace("_", " ")
    return f"{worker}: {event.get('action', '')} {how}".rstrip(": ")


def take_end(world: World, state: Any, event: Json) -> tuple[Any, Ruling]:
    """Return the state after the end of a long action, and the decision of the world on it.

    That it was cancelled is a trigger in every world. Raise InputError if the event is no valid
    report.
    """
    facts = {name: value for name, value in event.items() if name != "kind"}
    worker, action, status = (facts.get(name) for name in ("worker", "action", "status"))
    if worker not in world.workers or not action or status not in ("done", "failed"):
        raise InputError("event", "expected a report with worker, action and status")
    state, ruling = world.take_report(state, facts)
    if "cancelled" in facts and not ruling.trigger:
        cause = f"{worker}, {action}: {facts.get('why')}"
        ruling = Ruling(trigger=Trigger(kind=REPORT, cause=cause, to=(str(worker),)))
    return state, ruling


class QueuedSchedule(NamedTuple):
    """A schedule whose actions are queues, and how much of it is begun."""

    entries: Sequence[Commands]
    begin: int
    """Timestep of the first entry."""
    begun: Mapping[str, int]
    """Number of the actions that each worker has begun; a worker that is not named has begun none.
    """

    def list_rest(self, timestep: int) -> list[list[Command]]:
        """Return the commands of each timestep from the present one on that are not begun yet.

        An action is expected at its own timestep, or one timestep after the action before it if
        that is later. The commands of the present timestep are due now.
        """
        rows: list[list[Command]] = []
        passed: dict[str, int] = {}
        free: dict[str, int] = {}
        for planned, entry in enumerate(self.entries, start=self.begin):
            for command in entry:
                worker = command.worker
                passed[worker] = passed.get(worker, 0) + 1
                if passed[worker] <= self.begun.get(worker, 0):
                    continue
                at = max(planned, timestep, free.get(worker, 0))
                free[worker] = at + 1
                rows += [[] for _ in range(at + 1 - timestep - len(rows))]
                rows[at - timestep].append(command)
        return rows

    def count_begun(self, timestep: int, moving: Collection[str]) -> dict[str, int]:
        """Return `begun` after a timestep in which the workers in `moving` can move."""
        due: Iterable[Command] = next(iter(self.list_rest(timestep)), ())
        begun = dict(self.begun)
        for command in due:
            if command.worker in moving:
                begun[command.worker] = begun.get(command.worker, 0) + 1
        return begun
