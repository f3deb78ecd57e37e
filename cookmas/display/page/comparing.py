"""The comparison of two runs: their differences and their outcomes.

Both runs are given as the entries of a page (docs/reference/page-data.md), aligned on timesteps.
KINDS lists the compared kinds of a timestep, in order; `assets/compare.js` does the same.
Reasoning, look-ups and model calls are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, get_args

from cookmas.display.page.feed import Entry
from cookmas.episodes.parts import SCRIPTED, mark_scripted
from cookmas.evals.verdict import OUTCOMES
from cookmas.worlds.base.viewing import speak_name

Kind = Literal["event", "trigger", "schedule", "end", "action", "state"]
"""A part of a timestep that is compared. In order: the events, the triggers, the planner's
schedule, the end of the run, the actions and FAILs, and the resulting state.
"""

KINDS: Sequence[Kind] = get_args(Kind)

UNFINISHED = "unfinished"

LONGEST = 200
"""Maximum number of characters shown of a value that differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmDifference:
    """A difference between two runs."""

    timestep: int
    kind: Kind
    words: tuple[str, str]
    """The description of each run at this timestep."""


class Film:
    """The entries of one run, found by timestep."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = list(entries)
        self.run = self._entries[0]
        self.verdict = next(self._entries_of("verdict"), None)
        self.end = next(self._entries_of("end"), None)
        self.length = sum(1 for _ in self._entries_of("step"))
        self._at: dict[int, list[Entry]] = {}
        for entry in self._entries:
            if "t" in entry:
                self._at.setdefault(entry["t"], []).append(entry)

    def _entries_of(self, kind: str) -> Iterator[Entry]:
        return (entry for entry in self._entries if entry["kind"] == kind)

    @property
    def about(self) -> str:
        """The scenario and the planner of the run, and its parent if it is a fork, as a line."""
        scripted = any(each.get("model") == SCRIPTED for each in self._entries_of("model_call"))
        planner = mark_scripted(self.run["planner"]) if scripted else self.run["planner"]
        parts = [f"{self.run['scenario']} by {planner}"]
        for fork in self._entries_of("fork"):
            altered = f", {fork['altered']}" if fork.get("altered") else ""
            parts.append(f"forked from {fork['run']} at {fork['t']}, by {fork['planner']}{altered}")
        return "; ".join(parts)

    def entries_at(self, t: int, kind: str) -> list[Entry]:
        """Return the entries of a kind at a timestep."""
        return [entry for entry in self._at.get(t, ()) if entry["kind"] == kind]

    def acts(self, t: int) -> dict[str, tuple[str, str | None, str]]:
        """Return each worker's act at a timestep: the action, the kind of FAIL or None, and the
        action in words.
        """
        return {
            worker: (action, step.get("fails", {}).get(worker, {}).get("fail"), (*more, action)[0])
            for step in self.entries_at(t, "step")
            for worker, action, *more in step["acts"]
        }

    def describe_end(self, t: int) -> str | None:
        """Return how the run ended, or None if it goes on at timestep `t`.

        A trace that breaks off ends as UNFINISHED.
        """
        if t < self.length:
            return None
        return self.end["termination"] if self.end else UNFINISHED

    def facts(self, t: int, kind: Kind) -> Any:
        """Return the values of a kind at a timestep, to be compared with those of another run."""
        match kind:
            case "event":
                return [(each["text"], each.get("refused")) for each in self.entries_at(t, "event")]
            case "trigger":
                return [(each["trigger"], each["cause"]) for each in self.entries_at(t, "trigger")]
            case "schedule":
                fields = ("agent", "schedule", "refused", "gave_up")
                return [
                    tuple(each.get(name) for name in fields) for each in self.entries_at(t, "plan")
                ]
            case "end":
                return self.describe_end(t)
            case "action":
                return {worker: act[:2] for worker, act in self.acts(t).items()}
            case "state":
                return [each["change"] for each in self.entries_at(t, "step")]

    def figures(self) -> dict[str, Any]:
        """Return the final figures of a run, by name."""
        tally = self.end["tally"] if self.end else [None, None]
        usage = [each["usage"] for each in self._entries_of("model_call")]
        judged = {} if self.verdict is None else self.verdict.get("summary", {})
        return {
            "ended": f"{self.describe_end(self.length)} at {self.length}",
            "reached": tally[0],
            "lost": tally[1],
            "fails": sum(
                len(each.get("fails", {}))
                for kind in ("step", "event")
                for each in self._entries_of(kind)
            ),
            "planner_calls": len({each["t"] for each in self._entries_of("plan")}),
            "model_calls": len(usage),
            "tokens": sum(u.get("prompt", 0) + u.get("completion", 0) for u in usage),
            "verdict": self._describe_verdict(),
            **{name: value for name, value in judged.items() if value is not None},
        }

    def _describe_verdict(self) -> str:
        if self.verdict is None:
            return "none yet"
        return f"{self.verdict.get('outcome', OUTCOMES[None])}: {self.verdict['why']}"

    def find_goal_times(self) -> dict[str, int | None]:
        """Return the timestep at which each goal was reached, by goal; None for a goal that was
        not.
        """
        goals = (self.verdict or {}).get("goals", ())
        return {f"{goal['name']} {goal['what']}": goal["when"] for goal in goals}

    def goals(self) -> dict[str, str]:
        """Return the outcome of each goal in words, with the checks that failed."""
        if self.verdict is None:
            return {}
        failed = [check for check in self.verdict.get("checks", ()) if check.get("passed") is False]
        return {
            f"{goal['name']} {goal['what']}": "; ".join(
                [
                    goal["status"] + ("" if goal["when"] is None else f" at {goal['when']}"),
                    *(
                        _describe_broken_check(check)
                        for check in failed
                        if _is_about(check, goal["name"])
                    ),
                ]
            )
            for goal in self.verdict.get("goals", ())
        }


def _is_about(check: Mapping[str, Any], goal: str) -> bool:
    return bool(check["subject"].partition(":")[0] == goal)


def _describe_broken_check(check: Mapping[str, Any]) -> str:
    subject = check["subject"].partition(":")[2].strip()
    name = speak_name(check["name"])
    return f"{name} no ({', '.join(filter(None, (subject, check.get('reason', ''))))})"


def find_differences(one: Film, other: Film) -> Iterator[tuple[int, Kind]]:
    """Yield each timestep at which two runs differ, with the first kind of difference."""
    for t in range(max(one.length, other.length) + 1):
        for kind in KINDS:
            if one.facts(t, kind) != other.facts(t, kind):
                yield t, kind
                break


def find_first_other_act(one: Film, other: Film) -> int | None:
    """Return the first timestep at which the actions of two runs differ; None if none does."""
    length = max(one.length, other.length)
    return next((t for t in range(length) if one.acts(t) != other.acts(t)), None)


def difference(one: Film, other: Film, t: int, kind: Kind) -> FilmDifference:
    """Return the difference of a kind between two runs at a timestep, in words."""
    if kind == "schedule":
        words = _schedules(one, other, t)
    elif kind == "action":
        words = _actions(one, other, t)
    elif kind == "state":
        words = _states(one, other, t)
    else:
        words = (_describe(one, t, kind), _describe(other, t, kind))
    return FilmDifference(timestep=t, kind=kind, words=words)


def _describe(film: Film, t: int, kind: Kind) -> str:
    if kind == "event":
        events = (
            f"refused: {event['text']}" if event.get("refused") else event["text"]
            for event in film.entries_at(t, "event")
        )
        return "; ".join(events) or "nothing happens"
    if kind == "trigger":
        causes = [
            f"{speak_name(e['trigger'])}, {e['cause']}" for e in film.entries_at(t, "trigger")
        ]
        return f"the planner is called: {'; '.join(causes)}" if causes else "nothing calls for it"
    ended = film.describe_end(t)
    if ended == UNFINISHED:
        return "it breaks off, unfinished"
    return f"it is over ({speak_name(ended)})" if ended else "it goes on"


def _actions(one: Film, other: Film, t: int) -> tuple[str, str]:
    mine, its = one.acts(t), other.acts(t)
    workers = [
        worker
        for worker in dict.fromkeys(chain(one.run["workers"], other.run["workers"]))
        if mine.get(worker, ())[:2] != its.get(worker, ())[:2]
    ]
    return _describe_acts(mine, workers), _describe_acts(its, workers)


def _describe_acts(acts: Mapping[str, tuple[str, str | None, str]], workers: Sequence[str]) -> str:
    described = []
    for worker in workers:
        _, fail, words = acts.get(worker, ("", None, "does nothing"))
        described.append(
            f"{speak_name(worker)} {words}{f' (FAIL, {speak_name(fail)})' if fail else ''}"
        )
    return "; ".join(described)


def _schedules(one: Film, other: Film, t: int) -> tuple[str, str]:
    mine, its = _schedule_at(one, t), _schedule_at(other, t)
    if mine is None or its is None:
        return _describe_answer(one, t), _describe_answer(other, t)
    idle = one.run["idle"]
    for s in range(t, max([t, *mine, *its]) + 1):
        for worker in one.run["workers"]:
            now, then = (str(schedule.get(s, {}).get(worker, idle)) for schedule in (mine, its))
            if now != then:
                return _describe_assignment(one, s, worker, now), _describe_assignment(
                    other, s, worker, then
                )
    return _describe_answer(one, t), _describe_answer(other, t)


def _schedule_at(film: Film, t: int) -> dict[int, dict[str, str]] | None:
    """Return the actions that the plans of a timestep assign, by timestep and worker.

    Return None if there is no plan, or if one was refused or its planner gave up.
    """
    plans = film.entries_at(t, "plan")
    if not plans or any(each.get("refused") or each.get("gave_up") for each in plans):
        return None
    merged: dict[int, dict[str, str]] = {}
    for plan in plans:
        for s, entry in enumerate(plan["schedule"], start=t):
            merged.setdefault(s, {}).update(entry)
    return merged


def _describe_answer(film: Film, t: int) -> str:
    """Describe the plans of a timestep by their outcome: the length of a schedule, or why there
    is none.
    """
    plans = film.entries_at(t, "plan")
    if not plans:
        return "there is no new schedule"
    answers = []
    unit = "actions" if film.run.get("lasting") else "timesteps"
    for plan in plans:
        why = plan.get("refused") or plan.get("gave_up")
        about = f"refused: {why}" if plan.get("refused") else f"the planner gave up: {why}"
        answers.append(about if why else f"a schedule of {len(plan['schedule'])} {unit}")
    return "; ".join(answers)


def _describe_assignment(film: Film, s: int, worker: str, action: str) -> str:
    done, _, words = film.acts(s).get(worker, ("", None, ""))
    return (
        f"timestep {s} of the schedule: {speak_name(worker)} {words if done == action else action}"
    )


def _states(one: Film, other: Film, t: int) -> tuple[str, str]:
    """Describe, for each run, the first value that the runs changed differently."""
    changes = [
        {
            tuple(path): value
            for step in film.entries_at(t, "step")
            for path, *value in step["change"]
        }
        for film in (one, other)
    ]
    mine, its = changes
    path = next(path for path in (*mine, *its) if mine.get(path) != its.get(path))
    where = speak_name(", ".join(path))
    values = (_value(change.get(path)) for change in changes)
    first, second = (f"{where}: {value}" for value in values)
    return first, second


def _value(change: Sequence[Any] | None) -> str:
    if change is None:
        return "as before"
    return str(change[0])[:LONGEST] if change else "nothing"
