"""The laboratory with its planner, judge, scripted model and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.world import Json
from cookmas.worlds.base import PLANNERS, Domain
from cookmas.worlds.base.viewing import Item, Panel, Terms, Viewing, VisibleGoal
from tests.worlds.laboratory.judging import TRUTH
from tests.worlds.laboratory.world import LabWorld


class LabDomain(Domain):
    world_type = LabWorld
    planners: Mapping[str, str] = {
        **PLANNERS,
        "embedded": "tests.worlds.laboratory.planner:EmbeddedPlanner",
    }
    judging_spec = "tests.worlds.laboratory.judging:JUDGING"
    script_spec = "tests.worlds.laboratory.script:LabScript"
    viewing_spec = "tests.worlds.laboratory.domain:VIEWING"

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        return TRUTH


class LabViewing(Viewing):
    terms = Terms(goals="jobs", reached="reported", texts="protocols", doing="working")

    def event(self, event: Json) -> str:
        about = (event.get(key) for key in ("kind", "job", "instrument", "protocol", "due"))
        return " ".join(str(word).replace("_", " ") for word in about if word)

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        items = [
            Item(
                name=name,
                what=each["job"] or "free",
                note=f"broken: {each['broken']} min of repair" if each["broken"] else "",
                alarming=bool(each["broken"]),
            )
            for name, each in state["instruments"].items()
        ]
        return [Panel(title="instruments", items=items)]

    def goals(self, world: Any, state: Any) -> Sequence[VisibleGoal]:
        return [
            VisibleGoal(
                name=name,
                what=job["protocol"],
                note="urgent" if job["urgent"] else "",
                status=job["status"],
                due=job["due"],
                when=job["closed"],
                lost=job["status"] in ("spoiled", "cancelled"),
            )
            for name, job in state["jobs"].items()
        ]


VIEWING = LabViewing()
DOMAIN = LabDomain()
