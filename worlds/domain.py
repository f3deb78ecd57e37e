"""What a domain is: the few things that every world brings beyond its rules.

Each world is a folder with the same file names in it, bound together by its `domain.py`. What only
some worlds have is a capability of its own (`worlds/capabilities.py`).
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
"""What a person says of a scenario beside its name, such as the number of agents."""

METHODS = ("names", "scenario", "rebuild", "world")

MEMBERS = ("name", "planners", *METHODS, "judging")
"""The members that every domain has."""


class Domain(Protocol):
    """A world with its scenarios, planners and judges.

    `name` is that of its world; `planners` are those that a person can name: `module:Class` by
    name, imported when they are asked for.
    """

    name: str
    planners: Mapping[str, str]

    def names(self, group: str | None = None) -> Sequence[str]:
        """Return the scenarios that come with it, in order, or those of a group such as a level.

        Raises MissingError if there is no such group.
        """
        ...

    def scenario(self, name: str, settings: Settings) -> Scenario:
        """Return the scenario of a name, or in a file. Raises InputError or MissingError."""
        ...

    def rebuild(self, header: Header, path: Path) -> Scenario:
        """Return the scenario that a trace in the file `path` was made of. Raises InputError."""
        ...

    def world(self, setup: Json) -> World[Any]:
        """Return the world that a trace's header describes.

        Raises TraceError if it describes none.
        """
        ...

    @property
    def judging(self) -> Judging:
        """How its episodes are judged."""
        ...
