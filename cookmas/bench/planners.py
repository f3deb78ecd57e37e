"""The planners of a sweep's episodes."""

from __future__ import annotations

from cookmas.apart import Apart, is_own
from cookmas.bench.models import model_of
from cookmas.bench.spec import Job
from cookmas.loading import load_planner
from cookmas.worlds import domain_of
from episodes.scenario import Scenario
from orchestrator.member import Team
from orchestrator.planner import Planner


def planner_of(job: Job, scenario: Scenario, apart: Apart) -> Planner | Team:
    """The planner of an episode. One that a person wrote runs apart. Raises CookMASError."""
    spec, model = job.spec, model_of(job)
    if is_own(spec.planner, domain_of(spec.world).planners):
        return apart.planner(spec.planner, scenario, spec.world, model, spec.asking, spec.seed)
    return load_planner(spec.planner, scenario, model, spec.asking, spec.world, spec.seed)
