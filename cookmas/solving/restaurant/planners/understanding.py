"""The interpretation of open order lines from their recipes and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import customise
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import OrderLine
from cookmas.solving.restaurant.reading import Larder, Reading, read_note, read_recipe
from cookmas.solving.restaurant.scheduling.schedule import find_problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """The interpretation of some order lines."""

    wanted: Mapping[str, tuple[Component, ...]]
    """The components that each line asks for, sorted by their notation."""
    doubts: Mapping[str, tuple[str, ...]]
    """The reader's doubts, for each line that has any."""
    problems: Mapping[str, str]
    """The reason for each line that cannot be made from the kitchen's ingredients."""

    def notation(self) -> dict[str, list[str]]:
        """Return the components of each line in notation, as texts."""
        return {line: [str(c) for c in components] for line, components in self.wanted.items()}

    def list_doubts(self) -> list[str]:
        """Return all doubts, each with its line."""
        return [f"{line}: {doubt}" for line, doubts in self.doubts.items() for doubt in doubts]


class Understander:
    """The embedded reader of recipes and notes, which reads each text only once."""

    def __init__(self, kitchen: Kitchen) -> None:
        self.kitchen = kitchen
        self._larder = Larder(ingredients=frozenset(kitchen.larder), doneness=kitchen.doneness)
        self._read = lru_cache(maxsize=512)(self._recipe)
        self._understand = lru_cache(maxsize=512)(self._line)

    def _recipe(self, prose: str) -> Reading:
        return read_recipe(prose, self._larder)

    def _line(
        self, prose: str, note: str
    ) -> tuple[tuple[Component, ...], tuple[str, ...], str | None]:
        """Return the components that a recipe and a note ask for, the doubts about them, and the
        reason if they cannot be made.
        """
        reading = self._read(prose)
        wishes, unclear = read_note(note, reading.components, self._larder)
        wanted = customise(reading.components, wishes, self.kitchen.doneness)
        doubts = tuple(map(str, (*reading.doubts, *unclear)))
        return wanted, doubts, find_problem(self.kitchen, wanted)

    def understand(
        self, lines: Mapping[str, OrderLine], recipes: Mapping[str, str]
    ) -> Understanding:
        """Return the components that each line asks for, with the doubts about them.

        `recipes` has the recipe of each menu item.
        """
        wanted: dict[str, tuple[Component, ...]] = {}
        doubts: dict[str, tuple[str, ...]] = {}
        problems: dict[str, str] = {}
        for name, line in lines.items():
            wanted[name], unclear, problem = self._understand(recipes[line.item], line.note)
            if unclear:
                doubts[name] = unclear
            if problem:
                problems[name] = problem
        return Understanding(wanted=wanted, doubts=doubts, problems=problems)
