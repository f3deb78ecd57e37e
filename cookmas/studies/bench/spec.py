"""What goes to whoever plays an episode of a sweep, and what comes back: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from evals.verdict import Verdict
from orchestrator.dialogue.options import AskingOptions
from orchestrator.models.options import ModelOptions
from orchestrator.planners.lineup import is_lineup, parts_of, seed_of
from sandbox.child import Limits as OfAPlanner

Point = bool | int | float | str | None
"""The value of what a suite varies; None where it varies nothing."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Limits(_Data):
    """What a whole sweep may spend on models; None is no limit.

    A planner that a person wrote may take so many seconds for a call, and so many MiB of memory. It
    gets the variables of the environment with the names in `planner_environment`.
    """

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    planner_seconds: float = 1800.0
    planner_memory: int = 4096
    planner_environment: tuple[str, ...] = ()

    @property
    def of_a_planner(self) -> OfAPlanner:
        """What a planner that a person wrote may take. Raises InputError."""
        return OfAPlanner(
            seconds=self.planner_seconds,
            memory=self.planner_memory,
            environment=self.planner_environment,
        )


class Probe(_Data):
    """Which state a planner is asked in: one of so many out of the trace of another planner."""

    by: str
    state: int
    states: int


class SeatSpec(_Data):
    """The player of one seat: its `label` in tables, its planner, and the model it asks."""

    label: str
    planner: str
    model: ModelOptions | None = None
    scripted: dict[str, float] | None = None
    asking: AskingOptions | None = None


class EpisodeSpec(_Data):
    """One episode of a sweep: all that what comes of it depends on, but for the model's answers.

    `case` is the scenario with the settings that all arms share: episodes of one case belong
    together, whoever plans. `arm` is who plans, `at` the value of what the suite varies, `repeat`
    counts from 1. `seed` is drawn from the suite's seed, the case and the repeat, so it is the same
    for every arm and every order of playing. `scripted` are the rates of the faults of the
    scripted model, where that is the one to be asked. With a `probe` one decision is asked for,
    not a whole episode. `seats` say who plays in each seat, where a suite does.
    """

    case: str
    arm: str
    at: Point = None
    repeat: int
    seed: int
    world: str
    scenario: str
    settings: dict[str, str] = {}
    scenario_digest: str
    planner: str
    model: ModelOptions | None = None
    scripted: dict[str, float] | None = None
    asking: AskingOptions | None = None
    probe: Probe | None = None
    seats: dict[str, SeatSpec] | None = None

    @property
    def labels(self) -> dict[str, str]:
        """The label of the player in each seat; empty for a planner of all workers."""
        if self.seats is not None:
            return {seat: each.label for seat, each in self.seats.items()}
        return parts_of(self.planner, self.name) if is_lineup(self.planner) else {}

    def of_seat(self, seat: str) -> EpisodeSpec:
        """Return what is said of one seat, with a seed of its own."""
        changes: dict[str, object] = {"seed": seed_of(self.seed, seat), "seats": None}
        if self.seats is not None:
            changes |= dict(self.seats[seat])
            del changes["label"]
        elif self.model is not None:
            changes["model"] = self.model.of_seat(seat)
        return self.model_copy(update=changes)

    @property
    def asking_parts(self) -> list[EpisodeSpec]:
        """Return its seats, or the arm itself, that ask a model according to the suite."""
        parts = [self.of_seat(seat) for seat in self.labels] or [self]
        return [each for each in parts if each.model or each.scripted is not None]

    @property
    def name(self) -> str:
        """Names it in its sweep."""
        at = "" if self.at is None else f"@{self.at}"
        return f"{self.arm}{at}/{self.case}/{self.repeat}"

    @property
    def file(self) -> str:
        """Its name as that of a file without an ending."""
        return "".join(c if c.isalnum() or c in "._=@" else "-" for c in self.name)


class Job(_Data):
    """An episode to be played, and where paid answers and what was spent are kept meanwhile.

    `answers` holds what a model has answered until the episode is over, so that one that is played
    again does not pay twice; `ledger` counts what the sweep spends, up to its `limits`.
    """

    spec: EpisodeSpec
    answers: Path | None = None
    ledger: Path | None = None
    limits: Limits = Limits()

    def of_seat(self, seat: str) -> Job:
        """Return the specification of one seat. Its answers are in a file of their own."""
        answers = self.answers and self.answers.with_suffix(f".{seat}.jsonl")
        return self.model_copy(update={"spec": self.spec.of_seat(seat), "answers": answers})

    @property
    def all_answers(self) -> list[Path]:
        """The files in which answers are kept."""
        jobs = [self, *(self.of_seat(seat) for seat in self.spec.labels)]
        return [job.answers for job in jobs if job.answers]


class Measured(_Data):
    """What an episode took, which differs from one time to the next."""

    episode: str
    seconds: float
    model_seconds: float | None = None
    retries: int = 0
    cost: float | None = None
    answered_by: tuple[str, ...] = ()


class Played(_Data):
    """What came of a job: the lines of the trace, its verdict, and what it took.

    `verdict` is None where the scenario has no truth, and `unjudged` says so. `failed` is why the
    infrastructure did not let it be played to its end: then nothing of it counts. `asked_at` is the
    timestep of the one decision of a probe. `drawn` says that its seed draws what happens in it.
    """

    trace: tuple[str, ...] = ()
    drawn: bool = False
    verdict: Verdict | None = None
    unjudged: str | None = None
    measured: Measured | None = None
    asked_at: int | None = None
    failed: str | None = None


class Result(_Data):
    """A line of `results.jsonl`: an episode, and its verdict.

    `suite` is the digest of the suite, `versions` what it was played with; `asked_at` is the
    timestep of the one decision of a probe. `digest` identifies the trace: that of its last line;
    `drawn` says that the episode's seed draws what happens in it.
    """

    spec: EpisodeSpec
    suite: str
    versions: Mapping[str, str]
    verdict: Verdict | None
    unjudged: str | None = None
    asked_at: int | None = None
    trace: str
    digest: str | None = None
    drawn: bool = False

    @model_validator(mode="before")
    @classmethod
    def refuse_older_verdict(cls, data: Any) -> Any:
        """Raise ValueError for a verdict of a version whose verdicts have lines, not goals."""
        if is_of_older_version(data):
            raise ValueError("its verdict is of an older version: `cookmas rescore` the sweep")
        return data

    def line(self) -> str:
        """Its line in the file, without the end of line."""
        return self.model_dump_json(exclude_defaults=True)


def is_of_older_version(result: Any) -> bool:
    """Whether the plain data of a result has a verdict that cannot be read any more."""
    verdict = result.get("verdict") if isinstance(result, Mapping) else None
    return isinstance(verdict, Mapping) and "lines" in verdict
