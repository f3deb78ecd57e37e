"""How much a new schedule changes of the one before: stability, from the trace alone.

A replan is a central schedule that replaces another one before that is over. At the timestep `t`
at which it takes effect, the rest of the old schedule is compared with that of the new one, worker
by worker and timestep by timestep; idling is no action. If thinking takes time, that is later than
the call. By a wall clock a schedule moves on by each timestep that went by without a command.

| check | formula |
|---|---|
| `nervousness` | places with another action / places with an action, in the old rest's timesteps |
| `edit_radius` | timesteps from `t` to the last changed place of the old rest; 0 if none changed |
| `preserved_work` | actions of the old rest that its worker has in the new schedule too / all |
| `unchanged_replan` | 1 if the new schedule is the rest of the old one, else 0 |

Nervousness as deviation of the new schedule from the old one, and its weight against efficiency,
is the stability of Pfeiffer, Kadar and Monostori (2007) and of the surveys of Vieira, Herrmann and
Lin (2003) and Ouelhadj and Petrovic (2009); they measure starting times of operations, here an
action at a timestep is the operation. The edit radius is the time to the match-up point of Bean,
Birge, Mittenthal and Noon (1991). `preserved_work` ignores times: work that only moved is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from cookmas.episodes.trace import EffectRecord, PlanRecord, StepRecord
from cookmas.evals.disruptions import subject_at
from cookmas.evals.evidence import Evidence
from cookmas.evals.verdict import Check

Row = Mapping[str, str]
"""The actions of a timestep by worker; a worker that idles is left out."""


class Edit(NamedTuple):
    """What a new schedule changes of the rest of the old one."""

    changed: int
    """Number of places, each a worker at a timestep of the old rest, with another action."""
    places: int
    """Number of these places at which the old or the new schedule has an action."""
    radius: int
    """Number of timesteps up to the last change."""
    kept: int
    """Number of actions of the old rest that their worker has in the new schedule at any time."""
    planned: int
    """Number of actions of the old rest."""
    same: bool
    """Whether the new schedule is the rest of the old one."""


class PlannedSchedule(NamedTuple):
    """A central schedule of an episode."""

    effect: int
    """Timestep at which it took effect."""
    begin: int
    """Timestep of its first entry; if this is before the effect, the entries since were dropped."""
    rows: Sequence[Row]
    """The actions of each timestep from `begin` on."""

    def list_rest(self, timestep: int) -> Sequence[Row]:
        """Return the actions of each timestep from a later timestep on."""
        return self.rows[timestep - self.begin :]


def compare_schedules(old: Sequence[Row], new: Sequence[Row]) -> Edit:
    """Return what the schedule `new` changes of `old`; both begin at the same timestep."""
    changed = places = radius = 0
    for number, row in enumerate(old):
        other = new[number] if number < len(new) else {}
        workers = row.keys() | other.keys()
        differing = sum(row.get(worker) != other.get(worker) for worker in workers)
        changed += differing
        places += len(workers)
        radius = number + 1 if differing else radius
    had, has = (Counter(pair for row in rows for pair in row.items()) for rows in (old, new))
    return Edit(
        changed=changed,
        places=places,
        radius=radius,
        kept=(had & has).total(),
        planned=had.total(),
        same=not changed and not any(new[len(old) :]),
    )


def find_schedules(evidence: Evidence) -> Sequence[PlannedSchedule]:
    """Return the central schedules of an episode, in the order in which they took effect.

    Plans of agents of a team, queues of actions and refused schedules are left out.
    """
    idle = evidence.world.is_idle
    schedules: list[PlannedSchedule] = []
    answer: PlanRecord | None = None

    def take_effect(effect: int, begin: int) -> None:
        if answer and not answer.queued and answer.refused is None and answer.gave_up is None:
            rows = [
                {c.worker: c.action for c in row if not idle(c.action)} for row in answer.schedule
            ]
            schedules.append(PlannedSchedule(effect, begin, rows))

    for record in evidence.trace.records:
        match record:
            case PlanRecord(agent=None, timestep=timestep):
                answer = record
                called = timestep if record.asked is None else record.asked
                if (timestep if record.due is None else record.due) <= called:
                    take_effect(timestep, timestep)
            case EffectRecord():
                take_effect(record.timestep, record.begin)
            case StepRecord(elapsed=True) if schedules:
                schedules[-1] = _postpone(schedules[-1], record.timestep)
    return schedules


def _postpone(schedule: PlannedSchedule, timestep: int) -> PlannedSchedule:
    """Return a schedule of which nothing was carried out at a timestep: the rest comes later."""
    at = timestep - schedule.begin
    rows = schedule.rows
    return schedule._replace(rows=[*rows[:at], {}, *rows[at:]] if at < len(rows) else rows)


def rescheduling(evidence: Evidence) -> Iterator[Check]:
    """Yield the checks of this module for each replan."""
    for before, after in pairwise(find_schedules(evidence)):
        time = after.effect
        old = before.list_rest(time)
        if not any(old):
            continue
        edit, subject = compare_schedules(old, after.list_rest(time)), subject_at(time)
        yield Check(
            name="nervousness",
            subject=subject,
            value=round(edit.changed / edit.places, 4),
            evidence=f"{edit.changed} of {edit.places} places changed",
        )
        yield Check(name="edit_radius", subject=subject, value=edit.radius)
        yield Check(
            name="preserved_work",
            subject=subject,
            value=round(edit.kept / edit.planned, 4),
            evidence=f"{edit.kept} of {edit.planned} actions kept",
        )
        yield Check(name="unchanged_replan", subject=subject, value=edit.same)
