"""Verdicts: the checks of an episode, and the judgement that follows from them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from cookmas.episodes.sessions import read_sessions
from cookmas.episodes.trace import PlannerClass, Termination, Trace
from cookmas.files.errors import InputError

_log = logging.getLogger(__name__)

EPISODE = "episode"
"""The subject of a check that concerns the whole episode."""

CRASHED = "the evaluator crashed"
"""The beginning of the reason of a check whose evaluator has crashed."""

Value = bool | int | float | str | None
"""A value of a check; None if it is unscored."""
Number = bool | int | float | None
"""A value that enters a mean; None if it is unscored."""


OUTCOMES: Mapping[bool | None, str] = {True: "SUCCESS", False: "FAILED", None: "UNSCORED"}
"""The word for each outcome of an episode; None stands for an undecided one."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Check(_Model):
    """The result for one aspect of an episode that was judged or measured."""

    name: str
    subject: str
    """The goal, part of a goal, worker or thing that was judged, or `episode`."""
    value: Value
    """The value; None if the check is unscored, which means that it could not be judged."""
    passed: bool | None = None
    """Whether the check is passed; None if it is unscored or only measured."""
    evidence: str = ""
    """The observations on which the value rests."""
    reason: str = ""
    """The reason for the value; for an unscored check, why it could not be judged."""

    @property
    def scored(self) -> bool:
        """True if the check could be judged."""
        return self.value is not None

    @property
    def crashed(self) -> bool:
        """True if the check is unscored because its evaluator has crashed."""
        return not self.scored and self.reason.startswith(CRASHED)


def make_check(
    name: str, subject: str, passed: bool | None, *, evidence: str = "", reason: str = ""
) -> Check:
    """Return a check that is passed, not passed, or unscored (None)."""
    return Check(
        name=name, subject=subject, value=passed, passed=passed, evidence=evidence, reason=reason
    )


def make_unscored(name: str, subject: str, why: str) -> Check:
    """Return a check that could not be judged, with the reason."""
    return Check(name=name, subject=subject, value=None, reason=why)


class Goal(_Model):
    """A request of the episode, with its status at the end."""

    name: str
    what: str
    """The request in words."""
    status: str
    """Status at the end, as one of the world's terms."""
    note: str = ""
    """A remark, in words."""
    when: int | None = None
    """Timestep at which the goal was reached, or was lost for good; None if neither happened."""


class Measurements(_Model):
    """The time and the cost of a run with a model; they differ from run to run."""

    wall_seconds: float
    """Seconds from begin to end, over all sessions."""
    model_seconds: float
    """Seconds of all answered calls together."""
    retries: int
    """Retries of all answered calls together."""
    cost: float | None
    """Money for all calls; None if the price of a call is unknown."""

    @classmethod
    def sum(cls, sessions: Sequence[Mapping[str, Any]]) -> Self | None:
        """Return the sums over the sessions of a run; None if no model was called."""
        calls = [call for session in sessions for call in session.get("model_calls", ())]
        if not calls:
            return None
        costs = [call["cost"] for call in calls]
        return cls(
            wall_seconds=round(sum(session["wall_seconds"] for session in sessions), 6),
            model_seconds=round(sum(call["seconds"] for call in calls), 6),
            retries=sum(call["retries"] for call in calls),
            cost=None if None in costs else round(sum(costs), 8),
        )

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Return the sums in a run's `measurements.json`.

        Return None if the file is missing, or no model was called. A file that cannot be read is
        told in the log, and is taken for missing: the trace can be judged without it.
        """
        try:
            return cls.sum(read_sessions(path))
        except FileNotFoundError:
            return None
        except (OSError, InputError) as error:
            _log.warning("seconds, retries and costs are left out: %s", error)
            return None


class Verdict(_Model):
    """The judgement of one episode."""

    world: str
    scenario: str
    scenario_digest: str
    group: str | None = None
    """Group of scenarios in which the episode is counted, such as a level."""
    planner: str
    planner_class: PlannerClass
    """Class of the planner; tables never mix classes."""
    judges: str
    """Version of the world's evaluators."""
    termination: Termination | None
    """How the episode ended; None if the trace is unfinished."""
    success: bool | None
    """Whether the episode succeeded; None if this cannot be decided or the world only grades."""
    score: float | None = None
    """The world's score of the episode, if it has one."""
    best_score: float | None = None
    """The highest score that the scenario allows, or a bound on it."""
    why: str
    """The reason for the outcome."""
    summary: dict[str, Number]
    """The most important numbers of the verdict, by name."""
    goals: tuple[Goal, ...]
    checks: tuple[Check, ...]
    """The checks of the world's evaluators."""
    measured: Measurements | None = None
    """Measurements from outside the trace; None if there are none."""
    own: tuple[Check, ...] = ()
    """Checks of the user's own evaluators. No other field depends on them."""

    @property
    def graded(self) -> bool:
        """True if the score grades the episode, in addition to success or in its place."""
        return self.score is not None and self.best_score is not None

    @property
    def judged(self) -> bool:
        """True if the episode is graded, or its success or failure is decided."""
        return self.success is not None or self.graded

    @property
    def went_well(self) -> bool:
        """True if the episode is a success or graded and did not fail, and no evaluator crashed."""
        crashed = any(check.crashed for check in (*self.checks, *self.own))
        return self.judged and self.success is not False and not crashed

    @property
    def share_of_best(self) -> float | None:
        """The score / the best score; None if either is missing, or the best is not above 0."""
        if self.score is None or self.best_score is None or self.best_score <= 0:
            return None
        return self.score / self.best_score

    @property
    def outcome(self) -> str:
        """The outcome in capital letters, with the score if there is one."""
        if self.score is None:
            return OUTCOMES[self.success]
        best = "" if self.best_score is None else f" of {self.best_score:g}"
        score = f"score {self.score:g}{best}"
        if self.success is None and self.graded:
            return score.upper()
        return f"{OUTCOMES[self.success]}, {score}"

    def of(self, name: str) -> Iterator[Check]:
        """Return the checks of one name, in order."""
        return (check for check in self.checks if check.name == name)

    def without_repeats(self) -> Verdict:
        """Return the verdict without the unscored checks whose reason is that of the verdict."""

        def select(checks: Iterable[Check]) -> tuple[Check, ...]:
            return tuple(check for check in checks if check.scored or check.reason != self.why)

        return self.model_copy(update={"checks": select(self.checks), "own": select(self.own)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A run with its verdict."""

    path: Path
    """The folder or file of the run."""
    trace: Trace
    verdict: Verdict | None = None
    """The verdict; None if the episode cannot be judged or is not over."""
    unjudged: str | None = None
    """Why the episode cannot be judged; None if there is a verdict or the episode is not over."""
