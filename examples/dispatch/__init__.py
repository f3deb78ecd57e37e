"""Dispatch: vans deliver jobs that come by HTTP, without a simulator.

    cd examples
    python -m dispatch.depot --at runs/open &
    cookmas serve --world dispatch:DOMAIN --pace 200ms --worker van_1=http://127.0.0.1:8090/act \
        --worker van_2=http://127.0.0.1:8090/act --worker van_3=http://127.0.0.1:8090/act
    curl -d '{"address": "Mill Road 3", "seconds": "20"}' http://127.0.0.1:8090/jobs
    cookmas live

The depot is the device: it drives a subprocess for each delivery, some of which fail. The planner
is woken by jobs, by deliveries that have ended, and by failures. The page shows jobs and vans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.worlds.base import PLANNERS, Domain
from cookmas.worlds.base.viewing import Terms, Viewing, VisibleGoal
from dispatch.world import DispatchWorld


class DispatchViewing(Viewing):
    """The page in the words of the depot."""

    terms = Terms(goals="jobs", reached="delivered", doing="driving")

    def goals(self, world: Any, state: Any) -> Sequence[VisibleGoal]:
        """Return the jobs."""
        return [
            VisibleGoal(name=name, what=job["address"], note=job["note"], status=job["status"])
            for name, job in state["jobs"].items()
        ]


class DispatchDomain(Domain):
    """The levels are the files in the folder `levels`."""

    world_type = DispatchWorld
    planners: Mapping[str, str] = {
        **PLANNERS,
        "embedded": "dispatch.planner:DispatchPlanner",
    }
    viewing_spec = "dispatch:VIEWING"

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """Return None: the report of a delivery is the truth."""
        return None


VIEWING = DispatchViewing()
DOMAIN = DispatchDomain()
