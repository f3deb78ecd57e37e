"""The rooms of the code, as found from the imports: their lines, and their imports."""

from __future__ import annotations

import configparser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import grimp

CONTRACTS = Path(__file__).parents[2] / ".importlinter"

Arrows = Mapping[str, frozenset[str]]
"""For each room, by name, the rooms that it imports."""


class CircleError(Exception):
    """Rooms that import each other in a circle, so that one arrow would point upwards."""


class HomelessError(Exception):
    """A module that is in no room."""


@dataclass(frozen=True)
class DrawnRoom:
    """A group of modules with one idea, described in a few words; `modules` are name patterns."""

    name: str
    words: str
    modules: Sequence[str] = ()

    def holds(self, module: str) -> bool:
        """Return whether a module is in this room, given that it is in no earlier one."""
        return any(fnmatchcase(module, each) for each in self.modules or (f"cookmas.{self.name}*",))


ROOMS = (
    DrawnRoom(
        "commands",
        "the command line",
        ("cookmas.__main__", "cookmas.commands*"),
    ),
    DrawnRoom(
        "programs",
        "studies, people, bridges, and the display below them",
        (
            "cookmas.studies*",
            "cookmas.people*",
            "cookmas.bridges*",
            "cookmas.display*",
        ),
    ),
    DrawnRoom("modelserver", "a scripted model behind an endpoint"),
    DrawnRoom(
        "base of worlds",
        "what a world tells commands, prompts and judges",
        (
            "cookmas.worlds",
            "cookmas.worlds.base*",
            "cookmas.worlds.grids*",
        ),
    ),
    DrawnRoom(
        "solving",
        "how each world is played and proven: planners, searches, bounds",
        ("cookmas.solving*",),
    ),
    DrawnRoom("worlds", "each with rules, words, prompts, judging", ("cookmas.worlds.*",)),
    DrawnRoom(
        "kitchen, scenarios",
        "the restaurant's: simulator; menu, recipes, levels, truth",
        ("cookmas.kitchen*", "cookmas.scenarios*"),
    ),
    DrawnRoom("orchestrator", "the graph, planners, talk with models, runs in folders"),
    DrawnRoom("evals", "evidence, verdicts, suites, reports"),
    DrawnRoom("workers", "who carries out assignments"),
    DrawnRoom("mailboxes", "how events come in: memory, SQLite, Redis"),
    DrawnRoom("sandbox", "people's code in a process of its own"),
    DrawnRoom("episodes", "world, scenario, rule of a timestep, trace, replay"),
    DrawnRoom("files", "YAML, whole files, errors of one line"),
    DrawnRoom("core", "the Python API, the client, the list of worlds", ("cookmas", "cookmas.*")),
)
"""The rooms of the house. A module is in the first that holds it."""


def room_of(module: str, rooms: Iterable[DrawnRoom] = ROOMS) -> str:
    """Return the name of the room of a module. Raises HomelessError."""
    for room in rooms:
        if room.holds(module):
            return room.name
    raise HomelessError(f"{module} is in no room: add it to ROOMS in {Path(__file__).name}")


def arrows_of(imports: Iterable[tuple[str, str]], rooms: Sequence[DrawnRoom] = ROOMS) -> Arrows:
    """Return for each room the rooms that it imports, by the imports of their modules.

    An arrow is left out if a longer path leads to the same room. Raises CircleError, HomelessError.
    """
    found: dict[str, set[str]] = {room.name: set() for room in rooms}
    because: dict[tuple[str, str], str] = {}
    for importer, imported in sorted(imports):
        above, below = room_of(importer, rooms), room_of(imported, rooms)
        if above != below:
            found[above].add(below)
            because.setdefault((above, below), f"{importer} imports {imported}")
    try:
        order = list(
            TopologicalSorter({name: sorted(found[name]) for name in found}).static_order()
        )
    except CycleError as error:
        told = "; ".join(because[step] for step in pairwise(reversed(error.args[1])))
        raise CircleError(f"rooms in a circle: {told}") from None
    reached: dict[str, set[str]] = {}
    kept: dict[str, frozenset[str]] = {}
    for name in order:
        further = set[str]().union(*(reached[below] for below in found[name]))
        kept[name] = frozenset(found[name] - further)
        reached[name] = further | found[name]
    return {room.name: kept[room.name] for room in rooms}


def layers_of(arrows: Arrows) -> list[list[str]]:
    """Return the rooms in layers, the lowest first; each room is as low as its imports allow."""
    height: dict[str, int] = {}
    for name in TopologicalSorter(arrows).static_order():
        height[name] = max((height[below] + 1 for below in arrows[name]), default=0)
    return [
        [name for name in arrows if height[name] == level]
        for level in range(max(height.values()) + 1)
    ]


@cache
def _graph() -> grimp.ImportGraph:
    contracts = configparser.ConfigParser()
    contracts.read(CONTRACTS)
    return grimp.build_graph(*contracts["importlinter"]["root_packages"].split(), cache_dir=None)


def imports_today() -> set[tuple[str, str]]:
    """Return for each module the modules that it imports, including imports for the type checker
    only.
    """
    graph = _graph()
    return {
        (importer, imported)
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    }


def lines_today() -> dict[str, int]:
    """Return the number of lines of Python in each room."""
    lines = {room.name: 0 for room in ROOMS}
    for module in _graph().modules:
        lines[room_of(module)] += _file(module).read_bytes().count(b"\n")
    return lines


def _file(module: str) -> Path:
    """Return the file of a module without importing the module."""
    path = CONTRACTS.parent.joinpath(*module.split("."))
    alone = path.with_suffix(".py")
    return alone if alone.exists() else path / "__init__.py"
