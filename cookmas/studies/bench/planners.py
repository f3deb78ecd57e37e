"""The planners of a sweep's episodes; those that a user wrote run in a sandbox."""

from __future__ import annotations

from cookmas.apart import Apart
from cookmas.loading import asked
from cookmas.studies.bench.models import model_of
from cookmas.studies.bench.spec import EpisodeSpec, Job, Probe
from episodes.scenario import Scenario
from orchestrator.dialogue.options import AskingOptions
from orchestrator.member import Team
from orchestrator.planner import Planner


def planner_of(job: Job, scenario: Scenario, apart: Apart) -> Planner | Team:
    """Return the planner of an episode. Raise CookMASError if it cannot be made."""
    spec, asking = job.spec, job.spec.asking
    if spec.seats is not None:
        own = {seat: each.asking for seat, each in spec.seats.items() if each.asking}
        asking = AskingOptions(seats=own)
    return asked(spec.planner, scenario, spec.world, model_of(job), asking, apart, seed=spec.seed)


def leader_of(probe: Probe, spec: EpisodeSpec, scenario: Scenario, apart: Apart) -> Planner | Team:
    """Return the planner that leads to the state of a probe. Raise CookMASError."""
    return asked(probe.by, scenario, spec.world, None, None, apart, seed=spec.seed)
