"""What an evaluation says: checks, and the verdict on an episode."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from episodes.trace import PlannerClass, Termination
from kitchen.state import LineStatus

EPISODE = "episode"
"""Subject of a check on the whole episode."""

Value = bool | int | float | str | None


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Check(_Model):
    """One thing that was judged or measured.

    `subject` is an order line, an order, a worker, a kind of station or the episode. `value` is
    None where the check is unscored: it could not be judged, and `reason` says why. `passed` is
    None for what is unscored and for what is only measured. `evidence` is what was looked at.
    """

    name: str
    subject: str
    value: Value
    passed: bool | None = None
    evidence: str = ""
    reason: str = ""

    @property
    def scored(self) -> bool:
        """Whether it could be judged."""
        return self.value is not None


def judged(
    name: str, subject: str, passed: bool | None, *, evidence: str = "", reason: str = ""
) -> Check:
    """A check that is passed or not; None: unscored."""
    return Check(
        name=name, subject=subject, value=passed, passed=passed, evidence=evidence, reason=reason
    )


def unscored(name: str, subject: str, why: str) -> Check:
    """A check that could not be judged."""
    return Check(name=name, subject=subject, value=None, reason=why)


class JudgedLine(_Model):
    """An order line at the end of the episode; `served_at` is the timestep of serving."""

    name: str
    item: str
    note: str
    status: LineStatus
    served_at: int | None


class Summary(_Model):
    """The verdict in numbers: lines that stand, and what came of them; `gap` is in per cent.

    `model_calls` and `tokens` (in and out) are None where no model was called.
    """

    standing: int
    served: int
    complete: int
    customizations: int
    kept: int
    makespan: int | None
    gap: float | None
    planner_calls: int | None
    model_calls: int | None = None
    tokens: int | None = None
    fails: int | None
    unscored: int


class Measurements(_Model):
    """What a run with a model took, which differs from run to run: seconds, and `cost` in money.

    `model_seconds` and `retries` are those of all answered calls together; `cost` is None where
    the price of one is not known.
    """

    wall_seconds: float
    model_seconds: float
    retries: int
    cost: float | None


class Verdict(_Model):
    """The judgement of one episode.

    `success` is None where the episode is unscored; `why` gives the reason either way. `level` is
    that of the scenario, or 3 where events were injected. `termination` is None where the trace
    breaks off. `measured` is None where nothing was measured beside the trace.
    """

    scenario: str
    scenario_digest: str
    level: int | None
    planner: str
    planner_class: PlannerClass
    termination: Termination | None
    success: bool | None
    why: str
    summary: Summary
    lines: tuple[JudgedLine, ...]
    checks: tuple[Check, ...]
    measured: Measurements | None = None

    def of(self, name: str) -> Iterator[Check]:
        """The checks of one name, in order."""
        return (check for check in self.checks if check.name == name)
