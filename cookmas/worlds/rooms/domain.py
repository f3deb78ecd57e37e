"""The base of the domains of rooms: optimal play as planner and yardstick, and random maps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Group

from cookmas.episodes.scenario import FileScenario
from cookmas.evals.report import plain_text
from cookmas.files.errors import InputError
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml
from cookmas.worlds.base.domain import PLANNERS, Domain, Shown
from cookmas.worlds.base.solving import import_solving, is_there
from cookmas.worlds.rooms.rules import AHEAD, MOST_ROOMS, SOLVING, Prospect
from cookmas.worlds.rooms.world import RoomWorld

SHORTEST = 3
"""Smallest number of turns that optimal play needs on average on a random map."""

TRIES = 100
"""Greatest number of maps that are drawn until one can be won."""

ROOM_PLANNERS: Mapping[str, str] = {
    "embedded": "cookmas.solving.rooms.planners:OptimalPlanner",
    "optimal": "cookmas.solving.rooms.planners:OptimalPlanner",
    **PLANNERS,
    "random": "cookmas.worlds.base.planner:RandomPlayer",
}
"""The planners of all worlds of rooms."""


class RoomScenario(FileScenario):
    """A scenario on a map of rooms."""

    def check(self) -> None:
        """Raise InputError if the map is not sound."""
        self.file.check()


class RoomDomain(Domain):
    """A domain of rooms; a world overrides the random maps."""

    # What such a domain overrides.

    levels: range
    """The numbers that a random map may have as its level."""
    level_is: str
    """The word for what the level of a random map counts."""

    def draw_map(self, level: int, rooms: int, draw: Random) -> dict[str, Any]:
        """Return the fields of a random map."""
        raise NotImplementedError(f"{self.name} draws no maps")

    # The machinery.

    scenario_type = RoomScenario
    planners: Mapping[str, str] = ROOM_PLANNERS
    viewing_spec = Domain.viewing_spec
    questioner_spec = Domain.questioner_spec

    def horizon(self, scenario: Any) -> int:
        """Return the greatest number of turns for which optimal play is computed."""
        return AHEAD

    def row(self, scenario: Any) -> dict[str, Any]:
        """Return the row of a scenario in the list of scenarios."""
        return {
            **super().row(scenario),
            "rooms": len(scenario.file.ways),
            "turns": scenario.horizon,
        }

    def show_scenario(self, scenario: Any) -> Shown:
        """Return the map of a scenario, and what optimal play reaches on it."""
        world = scenario.world()
        optimum = describe_optimum(world, scenario.horizon)
        lines = [f"{scenario.name}: {scenario.file.title}", *world.about.splitlines(), optimum]
        data = {**scenario.data(), "optimum": optimum}
        return Shown(picture=Group(*map(plain_text, lines)), data=data)

    def remarks(self, scenario: Any) -> list[str]:
        """Return that a game cannot be won; nothing if it can."""
        if not is_there(SOLVING):
            return []
        chance, _ = _find_prospect(scenario.world(), scenario.horizon)
        return [] if chance > 0 else [f"it cannot be won in {scenario.horizon} turns"]

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path]:
        """Write a random map that can be won, in SHORTEST turns or more; return the file.

        It has `size` rooms, 9 by default. The title has level, rooms, seed and the optimum. Raise
        InputError if `level` or `size` is out of range, or if another seed is needed.
        """
        rooms = 9 if size is None else size
        if level not in self.levels or not 5 <= rooms <= MOST_ROOMS:
            raise InputError(
                "level, size",
                f"expected {self.levels[0]} to {self.levels[-1]} {self.level_is} as the level, "
                f"and 5 to {MOST_ROOMS} rooms",
            )
        draw = Random(f"{level}/{rooms}/{seed}")
        for _ in range(TRIES):
            drawn = {"world": self.name, "horizon": AHEAD, **self.draw_map(level, rooms, draw)}
            world = self.build(path.stem, path, drawn, {}).world()
            assert isinstance(world, RoomWorld)
            chance, spare = _find_prospect(world, AHEAD)
            if chance > 0 and AHEAD - spare / chance >= SHORTEST:
                title = f"Random map {level}/{rooms}/{seed}: {describe_optimum(world, AHEAD)}"
                text = to_yaml({"title": title, **drawn}, flow=None, width=100)
                write_text(path, text)
                return (path,)
        raise InputError("seed", f"none of {TRIES} random maps fits; take another seed")


def _find_prospect(world: RoomWorld, horizon: int) -> Prospect:
    find_prospect = import_solving(SOLVING, "search:find_prospect")
    prospect: Prospect = find_prospect(world, world.start(), min(horizon, AHEAD))
    return prospect


def describe_optimum(world: RoomWorld, horizon: int) -> str:
    """Return in words what optimal play reaches: when, and with which probability."""
    turns = min(horizon, AHEAD)
    if not is_there(SOLVING):
        return "without its solving nobody knows what optimal play reaches"
    chance, spare = _find_prospect(world, turns)
    if chance == 0:
        return f"optimal play cannot win in {turns} turns"
    mean = turns - spare / chance
    likely = f"optimal play wins in {turns} turns with probability {chance:.4g}"
    return f"{likely}, after {mean:.4g} on average"
