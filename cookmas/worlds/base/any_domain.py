"""The type of domains, for those that inherit nothing from `Domain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cookmas.episodes.scenario import Scenario
    from cookmas.episodes.trace import Header
    from cookmas.episodes.world import AnyWorld, Json
    from cookmas.evals.judging import Judging

Settings = Mapping[str, str]
"""Options that a user gives with the name of a scenario, such as the number of agents."""


class AnyDomain(Protocol):
    """The type of all domains, also of those that inherit nothing."""

    @property
    def name(self) -> str:
        """Name of the world."""
        ...

    @property
    def planners(self) -> Mapping[str, str]:
        """The class of each planner as `module:Class`, by name; imported only if it is needed."""
        ...

    @property
    def judging(self) -> Judging:
        """The rules by which episodes of the world are judged."""
        ...

    def names(self, group: str | None = None) -> Sequence[str]:
        """Return the names of the scenarios that come with the world, in order.

        With a `group`, such as a level, return only the names in that group. Raise MissingError if
        there is no such group.
        """
        ...

    def scenario(self, name: str, settings: Settings) -> Scenario:
        """Return a scenario by its name or its file. Raise InputError or MissingError."""
        ...

    def rebuild(self, header: Header, path: Path) -> Scenario:
        """Return the scenario in the header of the trace `path`. Raise InputError if invalid."""
        ...

    def world(self, setup: Json) -> AnyWorld[Any]:
        """Return the world that a trace's header describes. Raise TraceError if there is none."""
        ...
