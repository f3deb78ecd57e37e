"""The home of a planner that a person wrote, in a sweep: its model is counted and kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cookmas.hosted import HostedPlanner
from cookmas.studies.bench.models import SweepModel
from orchestrator.models.options import ModelOptions

HOME = "cookmas.studies.bench.hosted:SweptPlanner"


class SweptPlanner(HostedPlanner):
    """A planner whose model is that of a job, where it has one."""

    def options_of(self, data: Mapping[str, Any]) -> ModelOptions:
        """Return the options of which the planner's model is made."""
        return SweepModel(**data) if "job" in data else super().options_of(data)
