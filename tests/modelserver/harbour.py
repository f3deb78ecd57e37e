"""A user-supplied world with only the parts that the model server needs: boats sail by a chart."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.orchestrator.dialogue.voice import LookUp
from cookmas.worlds.base import Domain
from cookmas.worlds.base.script import Overlooks, Planned, Script, Situation

BOATS = ("boat_1", "boat_2")


class HarbourScript(Script):
    """All boats sail to the ports of the chart in order; boats asked to hurry sail first."""

    mark = "HARBOUR"
    texts = "CHARTS"
    look_up = LookUp(
        tool="look_up_chart", about="A chart.", key="sea", about_key="a sea", text="chart"
    )

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Overlooks
    ) -> Situation:
        harbour = blocks[self.mark]
        sea, wish = harbour["sea"], harbour.get("wish", "")
        charts = {**blocks.get(self.texts, {}), **looked_up}
        return Situation(
            timestep=harbour.get("timestep", 0),
            about={"sea": sea, "wish": "" if deaf(sea, wish) else wish},
            texts={sea: charts[sea]} if sea in charts else {},
            unknown=() if sea in charts else (sea,),
        )

    def plan(self, situation: Situation) -> Planned:
        ports = situation.texts[situation.about["sea"]].split()
        ports = ports[::-1] if situation.about["wish"] == "backwards" else ports
        schedule = [dict.fromkeys(BOATS, f"sail {port}") for port in ports]
        return Planned(schedule, {}, "by the chart", None if ports else "the chart is empty")

    def read(self, situation: Situation) -> Planned:
        sea = situation.about["sea"]
        return Planned((), {sea: situation.texts[sea].split()}, "")

    def turn(self, situation: Situation, agent: str) -> Planned:
        own = [{agent: entry[agent]} for entry in self.plan(situation).schedule]
        return Planned(own, {}, "ahoy", say=f"{agent} sails")

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        return "sail nowhere" if fault in ("illegal", "forbidden_station") else action

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        return re.sub(r"\w+", lambda m: "atlantis" if strikes(m.start()) else m[0], text)


class Silent(Domain):
    """A domain without a script and without episodes."""

    name = "silent"
    world_type = World


class Harbour(Silent):
    """The domain, made on demand."""

    name = "harbour"
    script_spec = f"{__name__}:HarbourScript"


class GalleyScript(HarbourScript):
    """The same, in requests that resemble those of the restaurant."""

    mark = "KITCHEN"


class Galley(Harbour):
    name = "galley"
    script_spec = f"{__name__}:GalleyScript"
