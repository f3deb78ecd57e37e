"""The models of a sweep's episodes, and a hosted planner that uses them in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from cookmas.hosted import HostedPlanner
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.inside import ScriptedModel
from cookmas.orchestrator.models.cassette import Cassette
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.studies.bench.ledger import Ledger, Metered
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec
from cookmas.world_names import WORLDS, domain_of

if TYPE_CHECKING:
    from cookmas.orchestrator.models.openai_model import OpenAIModel

OUTAGE_LIMIT = 43_200.0
"""Seconds for which a sweep waits for an endpoint that is away, unless the user says otherwise."""

_making = Lock()


class SweepModel(ModelOptions, frozen=True):
    """Options of a model for an episode of a sweep.

    The model counts its calls in the ledger of `job`, and stores its answers in the job's file.
    """

    job: EpisodeJob
    """The job of the episode."""

    def of_seat(self, seat: str) -> ModelOptions:
        """Return the options of the model in one seat."""
        return model_of(self.job.of_seat(seat)) or ModelOptions()

    def make(self) -> Model:
        """Return the model. Raise CookMASError if it cannot be made."""
        job = self.job
        if self.replay:
            return super().make()
        ledger = Ledger(job.ledger, job.limits) if job.ledger else None
        if job.spec.scripted is not None:
            model = _make_scripted(job.spec)
        else:
            model = self.await_endpoint(_client(_without_job(self)), ledger, OUTAGE_LIMIT)
        if ledger:
            model = Metered(model, ledger)
        return Cassette(job.answers, model, added=self.added) if job.answers else model


def model_of(job: EpisodeJob) -> SweepModel | None:
    """Return the options of a job's model; None if the job has no model."""
    options = job.spec.model
    if job.spec.seats is not None:
        own = {seat: model_of(job.of_seat(seat)) for seat in job.spec.seats}
        seats = {seat: _without_job(each) for seat, each in own.items() if each}
        return SweepModel(job=job, seats=seats) if seats else None
    if job.spec.scripted is not None:
        options = (options or ModelOptions()).model_copy(update={"model": ScriptedModel.name})
    return SweepModel(**options.model_dump(exclude_unset=True), job=job) if options else None


def _without_job(options: SweepModel) -> ModelOptions:
    return ModelOptions(**options.model_dump(exclude_unset=True, exclude={"job"}))


def _client(options: ModelOptions) -> OpenAIModel:
    """Return the model with these options, which all episodes of a process share.

    Planners are loaded in threads, several at a time.
    """
    with _making:
        return _make_client(options)


@cache
def _make_client(options: ModelOptions) -> OpenAIModel:
    return options.make_client()


def _make_scripted(spec: EpisodeSpec) -> Model:
    outside = {} if spec.world in WORLDS else {domain_of(spec.world).name: spec.world}
    faults = Faults(rates=spec.scripted or {}, seed=spec.seed)
    prices = spec.model.prices if spec.model else None
    return ScriptedModel({**WORLDS, **outside}, faults, prices)


HOME = "cookmas.studies.bench.models:SweptPlanner"


class SweptPlanner(HostedPlanner):
    """A hosted planner that uses the model of its job, if the job has one."""

    def options_of(self, data: Mapping[str, Any]) -> ModelOptions:
        """Return the options from which the planner's model is made."""
        return SweepModel(**data) if "job" in data else super().options_of(data)
