"""What an evaluation says: checks, and the verdict on an episode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict

from episodes.trace import PlannerClass, Termination

EPISODE = "episode"
"""Subject of a check on the whole episode."""

Value = bool | int | float | str | None
Number = bool | int | float | None


OUTCOMES: Mapping[bool | None, str] = {True: "SUCCESS", False: "FAILED", None: "UNSCORED"}
"""Whether an episode succeeded, in a word; None: nobody can say."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Check(_Model):
    """One thing that was judged or measured.

    `subject` is a goal, a part of one, a worker, a thing of the world or the episode. `value` is
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


class Goal(_Model):
    """Something that was asked for, as it stood at the end of the episode.

    `what` it is and the `note` beside it are in words, `status` is one of the world's words, `when`
    the timestep at which it was reached.
    """

    name: str
    what: str
    status: str
    note: str = ""
    when: int | None = None


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

    `summary` is the verdict in numbers, by the world's names for them. `success` is None where
    nobody can say or the world only grades; `why` gives the reason either way. `score` is the
    world's grade of the episode, where it has one, and `best_score` the highest that it can reach
    or a bound of it. `group` is the group of scenarios in which the episode is counted. `judges` is
    the version of the world's evaluators. `termination` is None where the trace is unfinished.
    `measured` is None where nothing was measured beside the trace. `own` are the checks of
    evaluators that a person named beside those of the world; nothing else depends on them.
    """

    world: str
    scenario: str
    scenario_digest: str
    group: str | None = None
    planner: str
    planner_class: PlannerClass
    judges: str
    termination: Termination | None
    success: bool | None
    score: float | None = None
    best_score: float | None = None
    why: str
    summary: dict[str, Number]
    goals: tuple[Goal, ...]
    checks: tuple[Check, ...]
    measured: Measurements | None = None
    own: tuple[Check, ...] = ()

    @property
    def graded(self) -> bool:
        """Whether the score grades the episode, beside success or instead of it."""
        return self.score is not None and self.best_score is not None

    @property
    def judged(self) -> bool:
        """Whether it is a success or not, or is graded."""
        return self.success is not None or self.graded

    @property
    def went_well(self) -> bool:
        """Whether it is a success, or is graded and nothing says that it failed."""
        return self.judged and self.success is not False

    @property
    def share_of_best(self) -> float | None:
        """The score as a share of the best; None without one, or where the best is not positive."""
        if self.score is None or self.best_score is None or self.best_score <= 0:
            return None
        return self.score / self.best_score

    @property
    def outcome(self) -> str:
        """How the episode came out, in capitals, with its score."""
        if self.score is None:
            return OUTCOMES[self.success]
        best = "" if self.best_score is None else f" of {self.best_score:g}"
        score = f"score {self.score:g}{best}"
        if self.success is None and self.graded:
            return score.upper()
        return f"{OUTCOMES[self.success]}, {score}"

    def of(self, name: str) -> Iterator[Check]:
        """The checks of one name, in order."""
        return (check for check in self.checks if check.name == name)
