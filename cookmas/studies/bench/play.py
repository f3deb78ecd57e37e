"""Playing of one episode of a sweep."""

from __future__ import annotations

import asyncio
import time
import traceback
from dataclasses import replace

from cookmas.api import play_loaded
from cookmas.episodes.scenario import is_drawn
from cookmas.episodes.world import Commands
from cookmas.files.errors import CookMASError, InputError
from cookmas.loading import Loaded, load, planner_of
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.planner import Planner
from cookmas.studies.bench.models import host, make_model_of, request_of, request_to_probe
from cookmas.studies.bench.probing import Probed, commands_to, judge_once
from cookmas.studies.bench.spec import (
    EpisodeJob,
    EpisodeMeasurements,
    EpisodeSpec,
    JobResult,
    Probe,
)
from cookmas.user_processes import UserProcesses


async def play(job: EpisodeJob) -> JobResult:
    """Return the result of an episode after playing and judging it.

    If the infrastructure fails or an unexpected error occurs, the result has the reason as
    `failed`. Raise CookMASError if another attempt cannot help.
    """
    spec = job.spec
    loaded = load(request_of(job))
    if loaded.scenario.digest != spec.scenario_digest:
        raise InputError(spec.case, "the scenario has been changed since the sweep began")
    loaded = loaded.redraw(spec.seed)
    with host(job) as processes:
        led = await _commands_before(spec.probe, spec, loaded, processes) if spec.probe else None
        planner = await asyncio.to_thread(
            planner_of, loaded, processes, make_model=make_model_of(job)
        )
        return await _play_and_judge(spec, loaded, planner if led is None else Probed(planner, led))


async def _commands_before(
    probe: Probe, spec: EpisodeSpec, loaded: Loaded, processes: UserProcesses
) -> list[Commands]:
    """Play the episode that leads to a probe's state; return the commands up to that state.

    The planner that the probe names as `by` plays the episode.
    """
    leading = replace(loaded, request=request_to_probe(probe, spec))
    by = await asyncio.to_thread(planner_of, leading, processes)
    run = await play_loaded(leading, by)
    return commands_to(probe, spec, run.trace)


async def _play_and_judge(spec: EpisodeSpec, loaded: Loaded, planner: Planner | Team) -> JobResult:
    began = time.perf_counter()
    try:
        run = await play_loaded(loaded, planner)
    except CookMASError:
        raise
    except Exception:
        return JobResult(failed=" ".join(traceback.format_exc().splitlines()[-3:]))
    end = run.trace.end
    assert end is not None
    if run.trace.interrupted:
        return JobResult(failed=end.why)
    of_models = run.verdict.measured if run.verdict else None
    measured = EpisodeMeasurements(
        episode=spec.name,
        seconds=round(time.perf_counter() - began, 6),
        model_seconds=of_models.model_seconds if of_models else None,
        retries=of_models.retries if of_models else 0,
        cost=of_models.cost if of_models else None,
        answered_by=run.trace.answerers,
        scripted_seats=run.trace.scripted_agents,
    )
    verdict = run.verdict and run.verdict.model_copy(update={"measured": None})
    asked_at = planner.at if isinstance(planner, Probed) else None
    if verdict and asked_at is not None:
        verdict = judge_once(verdict, asked_at)
    return JobResult(
        trace=tuple(run.trace.lines()),
        drawn=is_drawn(loaded.scenario),
        verdict=verdict,
        unjudged=run.unjudged,
        asked_at=asked_at,
        measured=measured,
    )
