"""The requests and the models of a sweep's episodes, and a hosted planner that uses the models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.budget import Agent
from cookmas.orchestrator.models.cassette import Cassette
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.models.options import MakeModel, ModelOptions
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.studies.bench.ledger import Ledger, charge_calls
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec, Probe
from cookmas.user_processes import HostedPlanner, UserProcesses
from cookmas.world_names import WORLDS, domain_of

if TYPE_CHECKING:
    from cookmas.orchestrator.models.openai_model import OpenAIModel

OUTAGE_LIMIT = 43_200.0
"""Seconds for which a sweep waits for an endpoint that is away, unless the user says otherwise."""

_making = Lock()


def options_of(spec: EpisodeSpec) -> ModelOptions | None:
    """Return the options of an episode's models; None if it has no model."""
    if spec.seats is not None:
        own = {seat: options_of(spec.of_seat(seat)) for seat in spec.seats}
        seats = {seat: each for seat, each in own.items() if each}
        return ModelOptions(seats=seats) if seats else None
    if spec.scripted is not None:
        return (spec.model or ModelOptions()).model_copy(update={"model": ScriptedModel.name})
    return spec.model


def make_model_of(job: EpisodeJob) -> MakeModel:
    """Return the function that makes the models of a job.

    They count their calls in the ledger of the job, and store their answers in its files. The
    function raises CookMASError if a model cannot be made.
    """

    def make(options: ModelOptions, agent: Agent) -> Model:
        own = job if agent is None else job.of_seat(agent)
        if options.replay:
            return options.make()
        ledger = Ledger(own.ledger, own.limits) if own.ledger else None
        if own.spec.scripted is not None:
            model = _make_scripted(own.spec)
        else:
            model = options.await_endpoint(_client(options), ledger, OUTAGE_LIMIT)
        if ledger:
            model = charge_calls(model, ledger)
        return Cassette(own.answers, model, added=options.added) if own.answers else model

    return make


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


def host(job: EpisodeJob) -> UserProcesses:
    """Return the processes in which a job's user-supplied planners run, which know the job."""
    home = f"{SweptPlanner.__module__}:{SweptPlanner.__name__}"
    return UserProcesses(job.limits.planner, home, {"job": job.model_dump(mode="json")})


class SweptPlanner(HostedPlanner):
    """A hosted planner that uses the models of its job."""

    def find_maker(self, asked: Mapping[str, Any]) -> MakeModel | None:
        return make_model_of(EpisodeJob(**asked["job"]))


def request_of(job: EpisodeJob) -> RunRequest:
    """Return the request that plays a job.

    In the request, the episode's seed is for the planner only. `play` then draws the scenario by
    the same seed.
    """
    spec, asking = job.spec, job.spec.asking
    if spec.seats is not None:
        own = {seat: each.asking for seat, each in spec.seats.items() if each.asking}
        asking = AskingOptions(seats=own)
    return _request_of(spec, spec.planner).model_copy(
        update={"model": options_of(spec), "asking": asking, "limits": job.limits.planner}
    )


def request_to_probe(probe: Probe, spec: EpisodeSpec) -> RunRequest:
    """Return the request of the episode that leads to the state of a probe."""
    return _request_of(spec, probe.by)


def _request_of(spec: EpisodeSpec, planner: str) -> RunRequest:
    return RunRequest(
        world=spec.world,
        scenario=spec.scenario,
        settings=spec.settings,
        planner=planner,
        planner_seed=spec.seed,
    )
