"""Following a trace: the state after each record, the actions in words, and what a worker may know.

If the world of a trace is not at hand, its records alone tell the episode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.messages import MessageForm
from cookmas.episodes.replay import after_event, behind_fork, check_header, frame_of
from cookmas.episodes.reports import is_report
from cookmas.episodes.trace import (
    AnyRecord,
    EventRecord,
    ForkRecord,
    Header,
    Lookup,
    ModelCall,
    PartRecord,
    PlanRecord,
    StepRecord,
    Trace,
    TriggerRecord,
)
from cookmas.episodes.world import Command, is_told
from cookmas.orchestrator.options import ORCHESTRATOR
from cookmas.world_names import is_at_hand, world_of
from cookmas.worlds.base.viewing import Item, Panel, Viewing, speak_name


class RecordedWorld(World):
    """A world without rules: its state is the latest recorded action and FAIL of each worker."""

    def __init__(self, header: Header) -> None:
        self.name, self.rules, self.workers = header.world, header.rules, header.workers

    def opening(self) -> dict[str, Any]:
        return {"actions": {}, "fails": {}}

    def state_after(self, record: AnyRecord, state: dict[str, Any]) -> dict[str, Any]:
        """Return the state after the next record, which only a timestep changes."""
        if not isinstance(record, StepRecord):
            return state
        return {
            **state,
            "timestep": record.timestep + 1,
            "actions": dict(record.commands),
            "fails": {worker: fail.why for worker, fail in record.fails.items()},
        }


class RecordedViewing(Viewing):
    """The generic picture of an episode: one panel, with a line for each worker."""

    def panels(self, world: RecordedWorld, state: dict[str, Any]) -> Sequence[Panel]:
        actions, fails = state["actions"], state["fails"]
        lines = [
            Item(
                name=speak_name(worker),
                what=actions.get(worker, ""),
                note=f"FAIL: {fails[worker]}" if worker in fails else "",
                alarming=worker in fails,
            )
            for worker in world.workers
        ]
        return [Panel(title="latest actions", items=lines)]


RECORDED = RecordedViewing()


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayedAct:
    """A worker's action at a timestep."""

    worker: str
    action: str
    """The action, in the world's notation."""
    words: str
    """The action, in words for people."""
    why: str | None = None
    """Why the action is a FAIL; None if it was done."""
    since: int | None = None
    """Timestep at which the action was assigned, if it is an earlier one."""

    @property
    def phrase(self) -> str:
        """The words, with the timestep since which a worker is at the action."""
        return self.words if self.since is None else f"{self.words}, since {self.since}"


class Following:
    """Simulates a trace again, record by record.

    `state` is the true state. `seen` is the state as a spectator sees it or, if `worker` is given,
    as that worker or the orchestrator sees it. `world` names the world of the trace, and is needed
    only for a user-supplied world: a spectator who does not name it follows the records alone, and
    nothing is simulated. Raises TraceError if the trace belongs to another world or other rules.
    """

    def __init__(self, header: Header, world: str | None = None, worker: str | None = None) -> None:
        self.header = header
        self.worker = worker
        self.viewing: Viewing = RECORDED
        self.world: World = RecordedWorld(header)
        self.messages: Sequence[MessageForm] = ()
        if worker is not None or is_at_hand(header, world):
            domain = world_of(Trace((header,)), world)
            self.viewing = domain.viewing
            self.world = domain.world(header.setup)
            self.messages = domain.messages(self.world)
            check_header(header, self.world)
        self.state: Any = self.world.start()
        self._at_work: dict[str, DisplayedAct] = {}

    @property
    def seen(self) -> Any:
        """The state as the followed worker or spectator may see it."""
        if self.worker is None:
            return self.world.spectate(self.state)
        return self.world.observe(self.state, None if self.central else self.worker)

    @property
    def central(self) -> bool:
        return self.worker == ORCHESTRATOR

    def acts(self, record: StepRecord) -> Sequence[DisplayedAct]:
        """Return the actions of the next timestep, in words that fit the visible state.

        A worker whose action outlasts its timestep is at this action, not idle. A failed action has
        no command, and is told too.
        """
        reports, fails = record.reports or {}, record.fails
        acts: list[DisplayedAct] = []
        commands = dict(record.commands)
        reported = {name: each.action for name, each in reports.items() if each.action}
        for worker in dict.fromkeys((*commands, *(name for name in reported if name in fails))):
            action = commands.get(worker, "")
            why = fails[worker].why if worker in fails else None
            at_work = self._at_work.get(worker)
            if action not in ("", self.world.idle):
                acts.append(self._describe(worker, action, why))
            elif at_work:
                acts.append(replace(at_work, why=why))
            else:
                acts.append(self._describe(worker, reported.get(worker, action), why))
        return acts

    def _describe(self, worker: str, action: str, why: str | None) -> DisplayedAct:
        words = self.viewing.action(self.world, self.seen, worker, action)
        return DisplayedAct(worker=worker, action=action, words=words, why=why)

    def _note_work(self, record: AnyRecord) -> None:
        """Keep the actions that outlast the timestep, with the words that they began with."""
        match record:
            case StepRecord():
                commands = dict(record.commands)
                for name, report in (record.reports or {}).items():
                    if report.status != "running":
                        self._at_work.pop(name, None)
                    elif name not in record.fails and name not in self._at_work:
                        action = report.action or commands.get(name, "")
                        since = record.timestep if report.since is None else report.since
                        act = self._describe(name, action, None)
                        self._at_work[name] = replace(act, since=since)
            case EventRecord() if is_report(record.event):
                self._at_work.pop(str(record.event.get("worker")), None)
            case PartRecord():
                self._at_work = {
                    name: replace(self._describe(name, each.action, None), since=each.since)
                    for name, each in (record.running or {}).items()
                }

    def take(self, record: AnyRecord) -> bool:
        """Advance past the next record. Return False if a step has another result than recorded."""
        if isinstance(self.world, RecordedWorld):
            if isinstance(record, StepRecord):
                shown = [Command(act.worker, act.phrase) for act in self.acts(record)]
                phrased = record.model_copy(update={"commands": shown})
                self.state = self.world.state_after(phrased, self.state)
            self._note_work(record)
            return True
        self._note_work(record)
        match record:
            case EventRecord():
                self.state = after_event(record, self.world, self.state)
            case ForkRecord():
                self.world = behind_fork(record, self.world, self.state)
            case PartRecord():
                self.state = self.world.load(record.state)
            case StepRecord():
                frame = frame_of(record, self.world, self.state)
                self.state = frame.after
                return frame.equal
        return True


class Continuations:
    """Finds the answers by which an agent only continues its earlier plan, without a decision."""

    def __init__(self) -> None:
        self._plans: dict[str | None, Sequence[object]] = {}

    def has(self, plan: PlanRecord) -> bool:
        """Return whether an answer has what was left of the plan before it, and no reasons."""
        left = self._plans.get(plan.agent, [])[1:]
        self._plans[plan.agent] = [] if plan.refused else plan.schedule
        goes_on = plan.refused is None and not plan.reasoning
        return goes_on and bool(left) and plan.schedule == left


def filter_record(record: AnyRecord, following: Following) -> AnyRecord | None:
    """Return the part of the next record that the followed worker may know, or None.

    The worker sees its own actions in plans, the texts that it could look up itself, the actions
    that its world lets it see, its own FAILs and those that it witnesses. It sees no triggers,
    model calls or reasoning. A spectator and the orchestrator get the whole record.
    """
    worker = following.worker
    if worker is None or following.central:
        return record
    match record:
        case TriggerRecord() | ModelCall():
            return None
        case Lookup() if record.key not in following.world.lookups(following.seen):
            return None
        case PlanRecord() if record.agent not in (None, worker):
            return None
        case StepRecord():
            fails = {
                name: fail
                for name, fail in record.fails.items()
                if is_told(worker, name, fail.witnesses)
            }
            commands = following.world.filter_commands(record.commands, worker)
            return record.model_copy(update={"fails": fails, "commands": list(commands)})
        case PlanRecord():
            own = [[c for c in entry if c.worker == worker] for entry in record.schedule]
            return PlanRecord(timestep=record.timestep, reasoning="", schedule=own)
    return record
