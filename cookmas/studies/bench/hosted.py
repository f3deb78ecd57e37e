"""The process of a user-supplied planner in a sweep; its model calls are counted and stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cookmas.hosted import HostedPlanner
from cookmas.studies.bench.models import SweepModel
from orchestrator.models.options import ModelOptions

HOME = "cookmas.studies.bench.hosted:SweptPlanner"


class SweptPlanner(HostedPlanner):
    """A hosted planner that uses the model of its job, if the job has one."""

    def options_of(self, data: Mapping[str, Any]) -> ModelOptions:
        """Return the options from which the planner's model is made."""
        return SweepModel(**data) if "job" in data else super().options_of(data)
