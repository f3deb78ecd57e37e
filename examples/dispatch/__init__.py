"""Dispatch: vans deliver jobs that come by HTTP, without a simulator.

    python -m examples.dispatch.depot --at runs/open &
    cookmas serve --world examples.dispatch:DOMAIN --pace 200ms \
        --worker van_1=http://127.0.0.1:8090/act --worker van_2=http://127.0.0.1:8090/act \
        --worker van_3=http://127.0.0.1:8090/act
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
from cookmas.worlds.base.viewing import OPEN, Item, Panel, Terms, Viewing, VisibleGoal
from examples.dispatch.world import ENDED, DispatchWorld


class DispatchViewing(Viewing):
    """The page in the words of the depot."""

    terms = Terms(goals="jobs", reached="delivered", doing="driving")

    def goals(self, world: Any, state: Any) -> Sequence[VisibleGoal]:
        """Return the jobs."""
        return [
            VisibleGoal(
                name=name,
                what=job["address"],
                note=job["note"],
                status=job["status"] if job["status"] in ENDED else OPEN,
                lost=job["status"] == "given up",
            )
            for name, job in state["jobs"].items()
        ]

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return what each van has on board."""
        on_board = {
            job["note"]: f"{name} to {job['address']}"
            for name, job in state["jobs"].items()
            if job["status"] == "on the way"
        }
        vans = [Item(name=van, what=on_board.get(van, "free")) for van in world.workers]
        return [Panel(title="vans", items=vans)]


class DispatchDomain(Domain):
    """The levels are the files in the folder `levels`."""

    world_type = DispatchWorld
    planners: Mapping[str, str] = {
        **PLANNERS,
        "embedded": "examples.dispatch.planner:DispatchPlanner",
    }
    viewing_spec = "examples.dispatch:VIEWING"

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """Return None: the report of a delivery is the truth."""
        return None


VIEWING = DispatchViewing()
DOMAIN = DispatchDomain()
