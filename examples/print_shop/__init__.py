"""A print shop: customers order in prose, and three machines do work that takes up to minutes.

    cookmas serve --world examples.print_shop:DOMAIN --pace 200ms \
        --remote press --remote cutter --remote packer &
    cookmas worker press --by examples.print_shop.machines:Machine &
    cookmas worker cutter --by examples.print_shop.machines:Machine &
    cookmas worker packer --by examples.print_shop.machines:Machine &
    cookmas send order "20 A5 flyers in red" --world examples.print_shop:DOMAIN
    cookmas live

The press draws the sheets, the cutter cuts them apart, and the packer makes a PDF of them, all with
Pillow, in the folder `printed`. The files of an assignment are named after its id, so that nothing
is made twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.worlds.base import PLANNERS, Domain
from cookmas.worlds.base.viewing import OPEN, Item, Panel, Terms, Viewing, VisibleGoal
from examples.print_shop.world import STAGES, PrintShopWorld


class PrintShopViewing(Viewing):
    """The page in the words of the shop."""

    terms = Terms(goals="jobs", reached="packed", doing="working")

    def goals(self, world: Any, state: Any) -> Sequence[VisibleGoal]:
        """Return the open jobs and the last closed ones."""
        return [
            VisibleGoal(
                name=name,
                what=job["words"],
                note=job["note"],
                status=job["closed"] or OPEN,
                lost=job["closed"] == "given up",
            )
            for name, job in {**state["closed"], **state["jobs"]}.items()
        ]

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return what each machine works on."""
        busy = {job["machine"]: name for name, job in state["jobs"].items() if job["machine"]}
        machines = [
            Item(name=each, what=f"{STAGES[each]} {busy[each]}" if each in busy else "free")
            for each in world.workers
        ]
        return [Panel(title="machines", items=machines)]


class PrintShopDomain(Domain):
    """The only level is the open shop."""

    world_type = PrintShopWorld
    planners: Mapping[str, str] = {
        **PLANNERS,
        "embedded": "examples.print_shop.planner:PrintShopPlanner",
    }
    viewing_spec = "examples.print_shop:VIEWING"

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """Return None: the reports of the machines are the truth."""
        return None


VIEWING = PrintShopViewing()
DOMAIN = PrintShopDomain()
