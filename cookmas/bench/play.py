"""Playing one episode of a sweep."""

from __future__ import annotations

import asyncio
import time
import traceback
from functools import cache

from pydantic import PrivateAttr

from cookmas.apart import Apart, is_own
from cookmas.api import aplay, load_planner, load_scenario
from cookmas.bench.ledger import Ledger, Metered
from cookmas.bench.probing import Probed, judged_once, led_to
from cookmas.bench.spec import EpisodeSpec, Job, Measured, Played
from cookmas.worlds import WORLDS, domain_of
from episodes.errors import CookMASError, InputError
from episodes.scenario import Scenario
from episodes.trace import ModelCall, Trace
from modelserver.faults import Faults
from modelserver.inside import ScriptedModel
from orchestrator.member import Team
from orchestrator.models.cassette import Cassette
from orchestrator.models.message import Model
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Planner


async def play(job: Job) -> Played:
    """Play an episode to its end and judge it.

    What the infrastructure did not let be played comes back as `failed`, an unexpected error
    too. Raises CookMASError for what trying again does not mend.
    """
    spec = job.spec
    scenario = load_scenario(spec.scenario, spec.world, spec.settings)
    if scenario.digest != spec.scenario_digest:
        raise InputError(spec.case, "the scenario has been changed since the sweep began")
    with Apart() as apart:
        planner = await asyncio.to_thread(planner_of, spec, scenario, apart, job)
        return await _played(job, scenario, planner)


async def _played(job: Job, scenario: Scenario, planner: Planner | Team) -> Played:
    spec = job.spec
    if spec.probe:
        by = load_planner(spec.probe.by, scenario, world=spec.world, seed=spec.seed)
        led = await aplay(scenario, by, world=spec.world)
        planner = Probed(planner, led_to(spec.probe, spec, led.trace))
    began = time.perf_counter()
    try:
        run = await aplay(scenario, planner, world=spec.world)
    except CookMASError:
        raise
    except Exception:
        return Played(failed=" ".join(traceback.format_exc().splitlines()[-3:]))
    end = run.trace.end
    assert end is not None
    if end.termination == "infrastructure_error":
        return Played(failed=end.why)
    found = run.verdict.measured if run.verdict else None
    measured = Measured(
        episode=spec.name,
        seconds=round(time.perf_counter() - began, 6),
        model_seconds=found.model_seconds if found else None,
        retries=found.retries if found else 0,
        cost=found.cost if found else None,
        answered_by=_answered_by(run.trace),
    )
    verdict = run.verdict and run.verdict.model_copy(update={"measured": None})
    asked_at = planner.at if isinstance(planner, Probed) else None
    if verdict and asked_at is not None:
        verdict = judged_once(verdict, asked_at)
    return Played(
        trace=tuple(run.trace.lines()),
        verdict=verdict,
        unjudged=run.unjudged,
        asked_at=asked_at,
        measured=measured,
    )


def planner_of(
    spec: EpisodeSpec, scenario: Scenario, apart: Apart, job: Job | None = None
) -> Planner | Team:
    """The planner of an episode, its model counted and its answers kept as the job says.

    One that a person wrote runs apart; not where it asks a model, which is in this process. Raises
    CookMASError.
    """
    options = spec.model
    if spec.scripted is not None:
        options = (options or ModelOptions()).model_copy(update={"model": ScriptedModel.name})
    model = _Asked(**options.model_dump(exclude_unset=True)) if options else None
    if model:
        model.asked_in(spec, job)
    elif is_own(spec.planner, domain_of(spec.world).planners):
        return apart.planner(spec.planner, scenario, spec.world, None, spec.asking, spec.seed)
    return load_planner(spec.planner, scenario, model, spec.asking, spec.world, spec.seed)


class _Asked(ModelOptions):
    """Options of which a model is made as a sweep needs it."""

    _spec: EpisodeSpec | None = PrivateAttr(default=None)
    _job: Job | None = PrivateAttr(default=None)

    def asked_in(self, spec: EpisodeSpec, job: Job | None) -> None:
        """Say which episode the model is for."""
        self._spec, self._job = spec, job

    def make(self) -> Model:
        """The model. Raises CookMASError."""
        assert self._spec is not None
        if self.replay:
            return super().make()
        model = _scripted(self._spec) if self._spec.scripted is not None else _client(self)
        job = self._job
        if job and job.ledger:
            model = Metered(model, Ledger(job.ledger, job.limits))
        return Cassette(job.answers, model) if job and job.answers else model


@cache
def _client(options: ModelOptions) -> Model:
    """One client for all episodes of a process."""
    return ModelOptions(**options.model_dump(exclude_unset=True)).make()


def _scripted(spec: EpisodeSpec) -> Model:
    outside = {} if spec.world in WORLDS else {domain_of(spec.world).name: spec.world}
    faults = Faults(rates=spec.scripted or {}, seed=spec.seed)
    prices = spec.model.prices if spec.model else None
    return ScriptedModel({**WORLDS, **outside}, faults, prices)


def _answered_by(trace: Trace) -> tuple[str, ...]:
    names = {call.answered_by or call.model for call in trace.of(ModelCall)}
    return tuple(sorted(names))
