"""The requests of the episodes of a sweep."""

from __future__ import annotations

from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.studies.bench.models import options_of
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec, Probe


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
