"""The domain protocol: the parts of a world besides its rules.

Each world is a folder with the same file names, and its `domain.py` connects them. Parts that only
some worlds have are capabilities (`worlds/capabilities.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from episodes.scenario import Scenario
    from episodes.trace import Header
    from episodes.world import Json, World
    from evals.judge import Judging

Settings = Mapping[str, str]
"""Options of a scenario that a user gives with its name, such as the number of agents."""

METHODS = ("names", "scenario", "rebuild", "world")

MEMBERS = ("name", "planners", *METHODS, "judging")
"""The members that every domain has."""


class Domain(Protocol):
    """A world with its scenarios, planners and judging.

    `name` is the name of its world. `planners` maps the names that a user can give to
    `module:Class`, which is imported when it is needed.
    """

    name: str
    planners: Mapping[str, str]

    def names(self, group: str | None = None) -> Sequence[str]:
        """Return the scenarios that come with the world, in order, or those of a group such as a
        level.

        Raise MissingError if there is no such group.
        """
        ...

    def scenario(self, name: str, settings: Settings) -> Scenario:
        """Return the scenario of a name or in a file. Raise InputError or MissingError."""
        ...

    def rebuild(self, header: Header, path: Path) -> Scenario:
        """Return the scenario of a trace, which is in the file `path`. Raise InputError."""
        ...

    def world(self, setup: Json) -> World[Any]:
        """Return the world that a trace's header describes.

        Raise TraceError if the header describes none.
        """
        ...

    @property
    def judging(self) -> Judging:
        """The judging of its episodes."""
        ...
