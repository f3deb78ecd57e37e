"""The story of a run: its events so far in words, record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cookmas.display.watch.following import Continuations, DisplayedAct, Following, filter_record
from cookmas.episodes.parts import SCRIPTED, mark_scripted
from cookmas.episodes.reports import failure_in
from cookmas.episodes.trace import (
    AnyRecord,
    EffectRecord,
    End,
    EventRecord,
    ForkRecord,
    Header,
    Lookup,
    MessageRecord,
    ModelCall,
    PartRecord,
    PlanRecord,
    StepRecord,
    Trace,
    TriggerRecord,
)
from cookmas.worlds.base.viewing import OPEN, VisibleGoal, describe_event, speak_name


class Doubts:
    """Selects the doubts that were not shown before: a planner repeats its doubts at each call."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def select_new(self, record: PlanRecord) -> list[str]:
        """Return the doubts of a plan that were not returned before, in order."""
        fresh = [doubt for doubt in dict.fromkeys(record.doubts or ()) if doubt not in self._told]
        self._told.update(fresh)
        return fresh


def doubts_of(trace: Trace) -> list[str]:
    """Return the different doubts of all plans of an episode, in order."""
    doubts = Doubts()
    return [doubt for record in trace.of(PlanRecord) for doubt in doubts.select_new(record)]


def in_words(doubt: str) -> str:
    """Return the line that tells a doubt."""
    return f"in doubt about {doubt}"


class Note(NamedTuple):
    """An event of a timestep, in one line."""

    timestep: int
    text: str
    style: str = ""


class Story:
    """The events of a run up to the last record that the story has taken.

    `acts` are the actions of the last timestep. `goals` are the open and the closed goals, and
    `before` the earlier notes of each goal, by its name. `understood` is the planner's
    interpretation of the texts, and `doubts` are the words that the planner did not understand at
    its last answer. `trigger` is the reason of the last call. `planning` is True from this call
    until the planner has answered. `until` is the timestep at which the schedule ends. `planner` is
    the planner's name, which says so once the scripted model has answered.

    If `worker` is given, the story has only what that worker may know. The reason of an
    unscored episode is left to its verdict.
    """

    def __init__(self, header: Header, world: str | None = None, worker: str | None = None) -> None:
        self.following = Following(header, world, worker)
        self.planner = header.planner
        self.timestep = 0
        self.acts: Sequence[DisplayedAct] = ()
        self.goals: Sequence[VisibleGoal] = ()
        self.before: dict[str, list[str]] = {}
        self.understood: dict[str, list[str]] = {}
        self.doubts: Sequence[str] = ()
        self._doubts = Doubts()
        self._continuations = Continuations()
        self.trigger: Note | None = None
        self.planning = False
        self.calls = 0
        self.tokens = 0
        self.until = 0
        self.end: End | None = None

    def take(self, record: AnyRecord) -> Sequence[Note]:
        """Advance past the next record, and return the notes to show."""
        shown = filter_record(record, self.following)
        if shown is None:
            return ()
        if isinstance(shown, StepRecord):
            self.acts = self.following.acts(shown)
        self.following.take(record)
        if isinstance(shown, StepRecord | EventRecord):
            was, self.goals = self.goals, self._goals()
            return [*self._tell_events(shown, was)]
        if isinstance(shown, PartRecord):
            self.timestep, self.goals = shown.timestep, self._goals()
            return ()
        return [*self._tell_messages(shown)]

    def _goals(self) -> Sequence[VisibleGoal]:
        return self.following.viewing.goals(self.following.world, self.following.seen)

    def _tell_events(
        self, record: StepRecord | EventRecord, was: Sequence[VisibleGoal]
    ) -> Iterator[Note]:
        at = record.timestep
        if isinstance(record, EventRecord):
            words = describe_event(self.following.viewing, record.event)
            if record.refused:
                yield Note(at, f"refused: {words} ({record.refused})", "yellow")
                return
            self._keep_notes(was)
            failed = failure_in(record.event)
            yield Note(at, f"FAIL {words}" if failed else words, "red" if failed else "cyan")
            return
        self.timestep = at + 1
        for act in self.acts:
            if act.why is not None:
                yield Note(at, f"FAIL {speak_name(act.worker)}: {act.why}", "red")
        for goal in _count_closed(self.goals) - _count_closed(was):
            yield Note(at, f"{goal.label} is {goal.status}", "green")

    def _keep_notes(self, was: Sequence[VisibleGoal]) -> None:
        notes = {goal.name: goal.note for goal in was}
        for goal in self.goals:
            if notes.get(goal.name, goal.note) != goal.note:
                self.before.setdefault(goal.name, []).append(notes[goal.name])

    def _tell_messages(self, record: AnyRecord) -> Iterator[Note]:
        match record:
            case TriggerRecord():
                self.planning = True
                why = f"{speak_name(record.trigger)}: {record.cause}"
                self.trigger = Note(record.timestep, why, "yellow")
                yield Note(record.timestep, f"the planner is called, {why}", "yellow")
            case Lookup():
                yield Note(record.timestep, f"looked up {record.key}", "dim")
            case ModelCall(usage=usage):
                self.tokens += usage.prompt + usage.completion
                if record.answerer == SCRIPTED:
                    self.planner = mark_scripted(self.planner)
                tokens = f"{usage.prompt} tokens in, {usage.completion} out"
                yield Note(record.timestep, f"{record.purpose}: {record.answerer}, {tokens}", "dim")
            case MessageRecord():
                yield Note(
                    record.timestep, f"{speak_name(record.agent)} says: {record.text}", "cyan"
                )
            case PlanRecord() if self._continuations.has(record):
                self.planning = False
            case PlanRecord():
                self.planning = False
                self.calls += 1
                yield from self._tell_plan(record)
            case EffectRecord():
                over = record.timestep - record.begin
                dropped = f", without its first {over} timesteps, which are over" if over else ""
                yield Note(record.timestep, f"the answer takes effect now{dropped}", "cyan")
            case ForkRecord():
                altered = f"; {record.altered}" if record.altered else ""
                text = f"from here on {record.planner} plans, a fork of {record.run}{altered}"
                yield Note(record.timestep, text, "bold")
            case End():
                self.planning = False
                self.end = record
                why = "" if record.interrupted else f": {record.why}"
                yield Note(record.timestep, f"{record.termination}{why}", "bold")

    def _tell_plan(self, plan: PlanRecord) -> Iterator[Note]:
        who = f"{speak_name(plan.agent)}: " if plan.agent else ""
        for name, read in (plan.understood or {}).items():
            if self.understood.get(name) != read:
                self.understood[name] = read
                yield Note(plan.timestep, f"{who}understood {name}: {'; '.join(read)}", "dim")
        if plan.understood is not None:
            self.doubts = plan.doubts or ()
        if plan.refused:
            yield Note(plan.timestep, f"{who}schedule refused: {plan.refused}", "red")
        elif plan.gave_up is None:
            self.until = plan.timestep + len(plan.schedule)
            worth = _worth(plan)
            lasting = self.following.world.lasting
            unit = "actions" if lasting else "timesteps"
            length = f"{len(plan.schedule)} {unit}{worth}"
            planned = f"{who}a schedule of {length}; {plan.reasoning}"
            yield Note(plan.timestep, planned.rstrip("; "), "cyan")
        for doubt in self._doubts.select_new(plan):
            yield Note(plan.timestep, in_words(doubt), "yellow")


def _worth(plan: PlanRecord) -> str:
    """Return in brackets how far a schedule found by search is from its lower bound.

    Return an empty text if the schedule was not found by search.
    """
    search = plan.search
    if search is None:
        return ""
    if search.status != "feasible" or not search.bound:
        return f" ({search.status})"
    length, model = len(plan.schedule), search.model_bound or 0
    modelled = search.bound < model <= length
    in_model = f", {length / model - 1:.0%} in the solver's model" if modelled else ""
    return f" (at most {length / search.bound - 1:.0%} above the shortest{in_model})"


def _count_closed(goals: Sequence[VisibleGoal]) -> Counter[VisibleGoal]:
    return Counter(goal for goal in goals if goal.status != OPEN)
