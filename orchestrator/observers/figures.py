"""The figures of an episode since the orchestrator started, for its status and its metrics."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from cookmas.episodes.reports import failure_in, is_report
from cookmas.episodes.trace import (
    AnyRecord,
    EventRecord,
    Header,
    ModelCall,
    PlanRecord,
    StepRecord,
    Superstep,
)
from cookmas.orchestrator.graph.state import AGENT, PLANNER
from cookmas.orchestrator.models.message import CallMeasurements

BOUNDS = (0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
"""Upper bounds of the parts of a histogram, in seconds; the last part has no bound."""

_VERB = re.compile(r"\w+")


@dataclass
class Durations:
    """The histogram of some durations."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0
    """All durations together."""

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds = round(self.seconds + seconds, 3)


@dataclass
class Figures:
    """The observer that counts. All counts begin at 0 in each process, as Prometheus allows."""

    plans: int = 0
    """Answers of the planner, refused ones included."""
    refused: int = 0
    """Answers that were refused as a whole."""
    fails: int = 0
    """Actions that FAILed, those of long work included."""
    calls: int = 0
    """Answered model calls."""
    repairs: int = 0
    """Model calls that asked again after an answer that could not be used."""
    tokens_in: int = 0
    """Tokens of all requests to models."""
    tokens_out: int = 0
    """Tokens of all answers of models."""
    money: float = 0.0
    """Cost of all model calls whose price is known."""
    fails_by_worker: dict[str, dict[str, int]] = field(default_factory=dict)
    """The same as `fails`, by worker and then by the verb of the action."""
    job_durations: dict[str, Durations] = field(default_factory=dict)
    """How long the actions lasted that ended with a report, by verb."""
    plan_durations: Durations = field(default_factory=Durations)
    """How long the planner, or a team, was thinking."""
    message_waits: Durations = field(default_factory=Durations)
    """How long messages waited until they were taken."""
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    """The clock, in seconds."""

    def __post_init__(self) -> None:
        self._jobs: dict[str, float] = {}
        self._asked: float | None = None

    def begin(self, header: Header, idle: str) -> None:
        """Do nothing."""

    def note(self, record: AnyRecord, measured: CallMeasurements | None) -> None:
        match record:
            case StepRecord():
                self._note_step(record)
            case EventRecord() if is_report(record.event):
                if failed := failure_in(record.event):
                    self._count_fail(*failed[:2])
                self._end_job(str(record.event["worker"]), str(record.event["action"]))
            case Superstep() if record.nodes in ([PLANNER], [AGENT]) and self._asked is None:
                self._asked = self.clock()
            case PlanRecord():
                if self._asked is not None:
                    self.plan_durations.add(self.clock() - self._asked)
                    self._asked = None
                self.plans += 1
                self.refused += record.refused is not None
            case ModelCall():
                self.calls += 1
                self.repairs += record.purpose == "repair"
                self.tokens_in += record.usage.prompt
                self.tokens_out += record.usage.completion
                self.money += (measured and measured.cost) or 0.0

    def _note_step(self, record: StepRecord) -> None:
        actions = dict(record.commands)
        for worker, report in (record.reports or {}).items():
            action = report.action or actions.get(worker, "")
            actions[worker] = action
            if report.status != "running":
                self._end_job(worker, action)
            elif report.since is None and worker not in record.fails:
                self._jobs[worker] = self.clock()
        for worker in record.fails:
            self._count_fail(worker, actions.get(worker, ""))

    def _end_job(self, worker: str, action: str) -> None:
        began = self._jobs.pop(worker, None)
        if began is not None:
            durations = self.job_durations.setdefault(verb_of(action), Durations())
            durations.add(self.clock() - began)

    def _count_fail(self, worker: str, action: str) -> None:
        self.fails += 1
        counts = self.fails_by_worker.setdefault(worker, {})
        counts[verb_of(action)] = counts.get(verb_of(action), 0) + 1

    def end(self) -> None:
        """Do nothing."""

    def data(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        data = asdict(self)
        del data["clock"]
        return data


def verb_of(action: str) -> str:
    """Return the verb of an action, such as `print` of `print(job1)`."""
    found = _VERB.search(action)
    return found[0][:60] if found else "nothing"
