"""What a domain is: all that a world brings beyond its rules, so that it can be played and judged.

Each world is a folder with the same file names in it, bound together by its `domain.py`. The parts
are imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from rich.console import RenderableType

from episodes.desk import Desk
from episodes.scenario import Scenario
from episodes.trace import Header, Trace
from episodes.world import Json, World
from evals.judge import Judging
from evals.report import Details
from orchestrator.planner import Entry, Planner
from orchestrator.planners.load import Named
from worlds.script import Script
from worlds.viewing import Viewing

Settings = Mapping[str, str]
"""What a person says of a scenario beside its name, such as the number of agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Something to be looked at: for people and, as plain data, for machines."""

    picture: RenderableType
    data: Any


class OpenDomain(Protocol):
    """What a domain has beside, whose episodes can be open to messages from outside."""

    def desk(self, scenario: Any) -> Desk:
        """Who receives the senders of messages."""
        ...

    def heard(self, truth: Any, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]) -> Any:
        """The truth with what senders said their words mean, by the number of the letter.

        What cannot be read of it is left out.
        """
        ...


@runtime_checkable
class SolvedDomain(Protocol):
    """What a domain has beside, whose scenarios come with a schedule that solves them."""

    def keep(self, scenario: Any, trace: Trace) -> Path:
        """Write what was done in a trace down as the scenario's schedule; returns its file."""
        ...


@runtime_checkable
class GeneratingDomain(Protocol):
    """What a domain has beside, that can make scenarios."""

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> Sequence[Path]:
        """Write a new scenario to `path`, and what belongs to it. Raises InputError."""
        ...


@runtime_checkable
class HasOracle(Protocol):
    """A domain that can hand its truth to a planner, so that scheduling is measured by itself."""

    def oracle(self, scenario: Any) -> Planner:
        """A planner that knows what a scenario asks for; its class is `oracle`."""


@runtime_checkable
class AlterableDomain(Protocol):
    """What a domain has beside, whose world can be built otherwise while an episode goes on."""

    def alter(self, world: Any, state: Any, kitchen: str) -> tuple[Any, str]:
        """The world with another kitchen, a name or a file, and what is otherwise in words.

        Raises InputError if something of the state has no place in it, MissingError if there is
        none.
        """
        ...


class Domain(Protocol):
    """A world with its scenarios, planners, words and judges.

    `name` is that of its world; `planners` are those that a person can name.
    """

    name: str
    planners: Named

    def names(self, group: str | None = None) -> Sequence[str]:
        """The scenarios that come with it, in order, or those of a group such as a level.

        Raises MissingError if there is no such group.
        """
        ...

    def scenario(self, name: str, settings: Settings) -> Scenario:
        """The scenario of a name, or in a file. Raises InputError or MissingError."""
        ...

    def rebuild(self, header: Header, path: Path) -> Scenario:
        """The scenario that a trace in the file `path` was made of. Raises InputError."""
        ...

    def world(self, setup: Json) -> World[Any]:
        """The world that a trace's header describes. Raises TraceError if it describes none."""
        ...

    def horizon(self, scenario: Any) -> int:
        """Timesteps after which an episode ends where the scenario does not say."""
        ...

    def schedule(self, path: Path, scenario: Any) -> Sequence[Entry]:
        """The schedule in a file, checked. Raises InputError or MissingError."""
        ...

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """What the scenario is judged by, from where it belongs or from another file.

        Raises InputError if it does not belong to it, MissingError if there is none.
        """
        ...

    @property
    def judging(self) -> Judging:
        """How its episodes are judged."""
        ...

    @property
    def details(self) -> Details:
        """The tables of a verdict that are its own."""
        ...

    @property
    def script(self) -> Script:
        """What the scripted model answers."""
        ...

    def row(self, scenario: Any) -> Mapping[str, Any]:
        """What a list of scenarios says of one, by column."""
        ...

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """What a person asks to see: a scenario, or something else of the world.

        Raises InputError or MissingError.
        """
        ...

    @property
    def viewing(self) -> Viewing:
        """Its words and its drawing, on the page that shows a run."""
        ...

    def vet(self, scenario: Any) -> Sequence[str]:
        """What there is to say of a scenario that can be read, a sentence each.

        Raises InputError if what belongs to it, such as its truth, does not fit it.
        """
        ...

    def check(self, path: Path, *, fix: bool = False) -> Sequence[str]:
        """Return what there is to say of a sound file, a sentence each.

        With `fix` what belongs to a scenario is mended where that can be done, once everything else
        is sound. Raises InputError, and has changed nothing then.
        """
        ...
