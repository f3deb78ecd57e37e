"""The layout of a kitchen: kinds of station, stations, and the contents of the dispensers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from cookmas.kitchen.components import DonenessTable

Role = Literal["dispenser", "counter", "tool", "appliance", "pass", "bin", "aisle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of station."""

    name: str
    role: Role
    processes: tuple[str, ...] = ()
    """The processes that are applied at a station of this kind.

    A tool has one or several processes of attended work. An appliance has one process, which runs
    unattended.
    """
    vessel: bool = False
    """True if the foods in it cook together and come out as one food."""

    @property
    def exclusive(self) -> bool:
        """True if only one worker at a time can stand there, unless the kitchen's file says
        otherwise.
        """
        return self.role in ("tool", "appliance")


ASSEMBLE = "assemble"
PLATE_NAME = "plate"

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(name="pantry", role="dispenser"),
        Kind(name="fridge", role="dispenser"),
        Kind(name="plates", role="dispenser"),
        Kind(name="counter", role="counter"),
        Kind(name="board", role="tool", processes=("chop", "slice", "peel", "grate")),
        Kind(name="mixer", role="tool", processes=("mix", "blend", "knead")),
        Kind(name="plating", role="tool", processes=(ASSEMBLE,)),
        Kind(name="grill", role="appliance", processes=("grill",)),
        Kind(name="pan", role="appliance", processes=("fry",), vessel=True),
        Kind(name="fryer", role="appliance", processes=("deep-fry",)),
        Kind(name="pot", role="appliance", processes=("boil",), vessel=True),
        Kind(name="oven", role="appliance", processes=("bake",)),
        Kind(name="pass", role="pass"),
        Kind(name="bin", role="bin"),
        Kind(name="aisle", role="aisle"),
    )
}

KIND_OF_PROCESS: Mapping[str, Kind] = {
    process: kind for kind in KINDS.values() for process in kind.processes
}

WORK: tuple[str, ...] = tuple(
    process for kind in KINDS.values() if kind.role == "tool" for process in kind.processes
)
"""The processes that a worker attends to; the others run unattended."""

STANDARD_WORK: Mapping[str, int] = {
    "chop": 2,
    "slice": 1,
    "peel": 1,
    "grate": 1,
    "mix": 2,
    "blend": 2,
    "knead": 4,
    ASSEMBLE: 1,
}
"""Timesteps of each attended process for which a recipe names no time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """A place in the kitchen, such as `grill_1`."""

    name: str
    kind: Kind
    slots: int = 0
    """How many things it can hold."""
    room: int | None = None
    """How many workers can stand there; None: any number."""


@dataclass(frozen=True, kw_only=True)
class Kitchen:
    """A kitchen with its larder, menu and workers: everything that an episode does not change."""

    name: str
    stations: Mapping[str, Station]
    larder: Mapping[str, str]
    """The kind of dispenser that has each ingredient."""
    menu: tuple[str, ...]
    doneness: DonenessTable
    workers: tuple[str, ...]
    stock: Mapping[str, int] = field(default_factory=dict)
    """How many there are of an ingredient, or of plates, if their number is limited."""

    @cached_property
    def aisle(self) -> str:
        """Name of the place where workers start and to which they step aside."""
        return self.of_kind("aisle")[0]

    @cached_property
    def _by_kind(self) -> Mapping[str, tuple[str, ...]]:
        return {
            kind: tuple(s.name for s in self.stations.values() if s.kind.name == kind)
            for kind in KINDS
        }

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """Return the names of the stations of a kind, in the order of the kitchen's file."""
        return self._by_kind[kind]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the stations, in the order of the kitchen's file."""
        return tuple(self.stations)

    @cached_property
    def _foods_by_dispenser(self) -> Mapping[str, tuple[str, ...]]:
        by_kind = {
            kind: tuple(sorted(food for food, where in self.larder.items() if where == kind))
            for kind in KINDS
        }
        return by_kind | {"plates": (PLATE_NAME,)}

    def dispenses(self, kind: str) -> tuple[str, ...]:
        """Return the names of the things in a kind of dispenser, sorted."""
        return self._foods_by_dispenser[kind]
