"""The plain data that a sweep exchanges with the processes that play its episodes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from cookmas.evals.verdict import Verdict
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planners.naming import is_lineup, parts_of, seed_of
from cookmas.studies.bench.limits import SweepLimits

Point = bool | int | float | str | None
"""Value of the option that a suite varies; None if nothing is varied."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Probe(_Data):
    """The state in which a planner is asked: one of several in another planner's trace."""

    by: str
    """Planner that makes the trace."""
    state: int
    """Number of the state, from 1."""
    states: int
    """Number of states in the trace in which planners are asked."""


class SeatSpec(_Data):
    """The player of one seat."""

    label: str
    """Name in tables."""
    planner: str
    model: ModelOptions | None = None
    scripted: dict[str, float] | None = None
    """Fault rates of the scripted model, if it replaces the model."""
    asking: AskingOptions | None = None
    """How the model is asked."""


class EpisodeSpec(_Data):
    """One episode of a sweep: everything that its result depends on, except a model's answers."""

    case: str
    """The scenario with the settings that all arms share, and the state of a probe.

    Episodes of the same case are paired across arms.
    """
    arm: str
    at: Point = None
    """Value of the varied option; None if nothing is varied."""
    repeat: int
    """Number of the repeat, from 1."""
    seed: int
    """Seed, derived from the suite's seed, the case and the repeat: the same for every arm."""
    world: str
    scenario: str
    """Name or file of the scenario."""
    settings: dict[str, str] = {}
    """Options of the scenario."""
    scenario_digest: str
    """Digest of the scenario when the sweep was started."""
    planner: str
    """The planner, or the line-up."""
    model: ModelOptions | None = None
    scripted: dict[str, float] | None = None
    """Fault rates of the scripted model, if it replaces the model."""
    asking: AskingOptions | None = None
    """How the model is asked."""
    probe: Probe | None = None
    """The state of a single decision; None for a whole episode."""
    seats: dict[str, SeatSpec] | None = None
    """The player of each seat; None for one planner."""

    @property
    def labels(self) -> dict[str, str]:
        """Name of the player in each seat; empty for a planner of all workers."""
        if self.seats is not None:
            return {seat: each.label for seat, each in self.seats.items()}
        return parts_of(self.planner, self.name) if is_lineup(self.planner) else {}

    def of_seat(self, seat: str) -> EpisodeSpec:
        """Return the specification of one seat, with a seed of its own."""
        changes: dict[str, object] = {"seed": seed_of(self.seed, seat), "seats": None}
        if self.seats is not None:
            changes |= dict(self.seats[seat])
            del changes["label"]
        elif self.model is not None:
            changes["model"] = self.model.of_seat(seat)
        return self.model_copy(update=changes)

    @property
    def asking_parts(self) -> list[EpisodeSpec]:
        """The specifications for which the suite names a model: of the seats, or of the whole
        episode if one planner has all workers.
        """
        parts = [self.of_seat(seat) for seat in self.labels] or [self]
        return [each for each in parts if each.model or each.scripted is not None]

    @property
    def answers(self) -> str:
        """How the models' answers are read, `lenient` or `strict`, or both in different seats;
        empty if no model is asked.
        """
        chosen = [part.asking and part.asking.answers for part in self.asking_parts]
        return " and ".join(sorted({each or Prompting().answers for each in chosen}))

    @property
    def name(self) -> str:
        """Name of the episode in its sweep."""
        at = "" if self.at is None else f"@{self.at}"
        return f"{self.arm}{at}/{self.case}/{self.repeat}"

    @property
    def file(self) -> str:
        """Name of the episode's files, without an extension."""
        return "".join(c if c.isalnum() or c in "._=@" else "-" for c in self.name)


class EpisodeJob(_Data):
    """An episode to be played, with the files that record paid answers and spending."""

    spec: EpisodeSpec
    answers: Path | None = None
    """File of the model's answers until the episode is finished; None if no model is asked.

    If the episode is played again, these answers are reused and not paid twice.
    """
    ledger: Path | None = None
    """File that counts what the sweep spends; None if no model is asked."""
    limits: SweepLimits = SweepLimits()

    def of_seat(self, seat: str) -> EpisodeJob:
        """Return the job of one seat; its answers have a file of their own."""
        answers = self.answers and self.answers.with_suffix(f".{seat}.jsonl")
        return self.model_copy(update={"spec": self.spec.of_seat(seat), "answers": answers})

    @property
    def all_answers(self) -> list[Path]:
        """The files of answers, of the episode and of each seat."""
        jobs = [self, *(self.of_seat(seat) for seat in self.spec.labels)]
        return [job.answers for job in jobs if job.answers]


class EpisodeMeasurements(_Data):
    """The measurements of an episode; they differ from run to run."""

    episode: str
    """Name of the episode."""
    seconds: float
    """Seconds from begin to end."""
    model_seconds: float | None = None
    """Seconds of all answered model calls; None without a model."""
    retries: int = 0
    """Number of repeated attempts of calls."""
    cost: float | None = None
    """Cost of all calls; None if prices are unknown."""
    answered_by: tuple[str, ...] = ()
    scripted_seats: tuple[str, ...] | None = None
    """Seats for which the scripted model answered; None if an older version measured."""


class JobResult(_Data):
    """The result of a job."""

    trace: tuple[str, ...] = ()
    """The lines of the trace."""
    drawn: bool = False
    """True if the scenario draws something by the seed."""
    verdict: Verdict | None = None
    """The verdict; None if the scenario has no truth."""
    unjudged: str | None = None
    """Why there is no verdict."""
    measured: EpisodeMeasurements | None = None
    asked_at: int | None = None
    """Timestep of a probe's decision; None for a whole episode."""
    failed: str | None = None
    """Why the infrastructure failed; None if it did not. If it failed, ignore the other fields."""


class EpisodeResult(_Data):
    """A line of `results.jsonl`: an episode and its verdict."""

    spec: EpisodeSpec
    """The episode."""
    suite: str
    """Digest of the suite."""
    versions: Mapping[str, str]
    """Versions of the code and the rules."""
    verdict: Verdict | None
    """The verdict; None if the scenario has no truth."""
    unjudged: str | None = None
    """Why there is no verdict."""
    asked_at: int | None = None
    """Timestep of a probe's decision; None for a whole episode."""
    trace: str
    """File of the trace, relative to the folder."""
    digest: str | None = None
    """Digest of the trace, taken from its last line."""
    drawn: bool = False
    """True if the scenario draws something by the seed."""

    @model_validator(mode="before")
    @classmethod
    def refuse_older_verdict(cls, data: Any) -> Any:
        """Raise ValueError for a verdict of an older version, which has lines in place of goals."""
        if is_of_older_version(data):
            raise ValueError("its verdict is of an older version: `cookmas rescore` the sweep")
        return data

    def line(self) -> str:
        """Return the line for the file, without a line break."""
        return self.model_dump_json(exclude_defaults=True)


def is_of_older_version(result: Any) -> bool:
    """Return whether the plain data of a result have a verdict that this version cannot read."""
    verdict = result.get("verdict") if isinstance(result, Mapping) else None
    return isinstance(verdict, Mapping) and "lines" in verdict
