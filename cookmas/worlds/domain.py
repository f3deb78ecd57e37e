"""The domain protocol: what every world has in addition to its rules.

Each world is a folder with the same file names, and its `domain.py` binds the files together. Parts
that only some worlds have are optional capabilities (`cookmas/worlds/capabilities.py`).
"""

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

METHODS = ("names", "scenario", "rebuild", "world")
"""The methods that every domain has."""

MEMBERS = ("name", "planners", *METHODS, "judging")
"""The members that every domain has."""


class AnyDomain(Protocol):
    """A world with its scenarios, planners and judging.

    `name` is the name of its world. `planners` maps the name of each planner to its class as
    `module:Class`, which is imported only if it is needed.
    """

    name: str
    planners: Mapping[str, str]

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
        """Return the scenario in the header of a trace. Raise InputError if it is invalid.

        `path` is the file of the trace.
        """
        ...

    def world(self, setup: Json) -> AnyWorld[Any]:
        """Return the world that a trace's header describes.

        Raise TraceError if the header describes none.
        """
        ...

    @property
    def judging(self) -> Judging:
        """The rules by which episodes of the world are judged."""
        ...
