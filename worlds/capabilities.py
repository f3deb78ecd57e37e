"""The optional parts of a domain: one runtime-checkable protocol for each capability.

For each protocol a function of the same purpose applies the default for a domain that lacks the
capability, or raises InputError in one line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from episodes.scenario import DEFAULT_HORIZON
from files.errors import InputError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from episodes.scenario import Scenario
    from episodes.trace import Trace
    from evals.report import Details
    from mailboxes.desk import Desk
    from orchestrator.planner import Entry, Planner
    from worlds.domain import Domain, Settings
    from worlds.messages import MessageForm
    from worlds.script import Script
    from worlds.training import Training
    from worlds.viewing import Viewing


@runtime_checkable
class BoundedDomain(Protocol):
    """A domain that limits the length of episodes whose scenario names no horizon."""

    def horizon(self, scenario: Any) -> int:
        """Return the number of timesteps after which an episode ends."""
        ...


def horizon(domain: Domain, scenario: Scenario) -> int:
    """Return the horizon in timesteps of a scenario without one; by default `DEFAULT_HORIZON`."""
    return domain.horizon(scenario) if isinstance(domain, BoundedDomain) else DEFAULT_HORIZON


@runtime_checkable
class SchedulingDomain(Protocol):
    """A domain that has its own format of schedule files."""

    def schedule(self, path: Path, scenario: Any) -> Sequence[Entry]:
        """Return the schedule in a file after checking it. Raise InputError or MissingError."""
        ...


def schedule(domain: Domain, path: Path, scenario: Scenario) -> Sequence[Entry]:
    """Return the schedule in a file; by default the file maps workers to actions, by timestep."""
    if isinstance(domain, SchedulingDomain):
        return domain.schedule(path, scenario)
    from worlds.schedules import read_schedule

    return read_schedule(domain, path, scenario)


@runtime_checkable
class TruthfulDomain(Protocol):
    """A domain that judges its scenarios by more than the rules of their world."""

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """Return the truth of a scenario from its own place, or from the file `path`.

        Raise InputError if the truth belongs to another scenario, MissingError if there is none.
        """
        ...


NO_TRUTH: Mapping[str, Any] = {}
"""The truth of a world in which the rules decide everything that is judged."""


def truth(domain: Domain, scenario: Scenario, path: Path | None = None) -> Any:
    """Return the truth of a scenario; it is empty if the rules decide everything.

    Raise InputError if the domain has no truths and a file is named.
    """
    if isinstance(domain, TruthfulDomain):
        return domain.truth(scenario, path)
    if path is not None:
        raise InputError(
            str(path), f"the world {domain.name} judges by its rules alone; name no truth"
        )
    return NO_TRUTH


@runtime_checkable
class DetailedDomain(Protocol):
    """A domain that has its own tables of a verdict."""

    @property
    def details(self) -> Details:
        """Function that returns the tables of a verdict."""
        ...


def details(domain: Domain) -> Details:
    """Return the function that makes the tables of a verdict; by default one table of the goals."""
    from worlds.tables import table_of_goals

    return domain.details if isinstance(domain, DetailedDomain) else table_of_goals


@runtime_checkable
class ScriptedDomain(Protocol):
    """A domain for which the scripted model has answers."""

    @property
    def script(self) -> Script:
        """The script by which the scripted model answers."""
        ...


def script(domain: Domain) -> Script:
    """Return the script of a domain. Raise InputError if it has none."""
    if isinstance(domain, ScriptedDomain):
        return domain.script
    raise InputError(
        f"world {domain.name!r}", "has no script for the scripted model; use another model"
    )


@runtime_checkable
class ListedDomain(Protocol):
    """A domain that lists more of its scenarios than their names."""

    def row(self, scenario: Any) -> Mapping[str, Any]:
        """Return the row of a scenario in the list of scenarios, by column."""
        ...


def row(domain: Domain, scenario: Scenario) -> Mapping[str, Any]:
    """Return the row of a scenario in a list; by default its name and its title."""
    if isinstance(domain, ListedDomain):
        return domain.row(scenario)
    return {"name": scenario.name, "title": str(scenario.data().get("title", ""))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Something that a user asked to see."""

    picture: RenderableType
    """The picture for people."""
    data: Any
    """The same as plain data, for machines."""


@runtime_checkable
class ShowingDomain(Protocol):
    """A domain that can show more than the files of its scenarios."""

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """Return what a user asks to see: a scenario, or something else of the world.

        Raise InputError or MissingError.
        """
        ...


def show(domain: Domain, what: Sequence[str], settings: Settings) -> Shown:
    """Return what a user asks to see; by default the named scenario, or all if none is named."""
    if isinstance(domain, ShowingDomain):
        return domain.show(what, settings)
    return show_written(domain, what, settings)


def show_written(domain: Domain, what: Sequence[str], settings: Settings) -> Shown:
    """Return a scenario as its file has it; without a name, the list of all scenarios."""
    from worlds.tables import fields_of, table_of_rows

    if not what:
        rows = [dict(row(domain, domain.scenario(name, {}))) for name in domain.names()]
        return Shown(picture=table_of_rows(rows), data=rows)
    if len(what) != 1:
        raise InputError("show", f"the world {domain.name} shows one scenario at a time")
    data = domain.scenario(what[0], settings).data()
    return Shown(picture=fields_of(data), data=data)


@runtime_checkable
class ViewableDomain(Protocol):
    """A domain that has its own words and drawing."""

    @property
    def viewing(self) -> Viewing:
        """The words and the drawing of the world, for the page and the terminal."""
        ...


def viewing(domain: Domain) -> Viewing:
    """Return the words and the drawing of a world; by default they show states as plain data."""
    if isinstance(domain, ViewableDomain):
        return domain.viewing
    from worlds.viewing import PlainViewing

    return PlainViewing()


@runtime_checkable
class OracleDomain(Protocol):
    """A domain that can give its truth to a planner, so that scheduling is measured alone."""

    def oracle(self, scenario: Any) -> Planner:
        """Return a planner that knows the truth of a scenario; its class is `oracle`."""
        ...


@runtime_checkable
class AlterableDomain(Protocol):
    """A domain whose world can be altered during an episode."""

    def alter(self, world: Any, state: Any, name: str, /) -> tuple[Any, str]:
        """Return the world with another place, by its name or file, and the difference in words.

        Raise InputError if something in the state does not fit there, MissingError if there is no
        such place.
        """
        ...


@runtime_checkable
class OpenDomain(Protocol):
    """A domain whose episodes can be open to messages from outside."""

    def desk(self, scenario: Any) -> Desk:
        """Return the desk, which receives the messages of senders."""
        ...

    def add_meanings(
        self, truth: Any, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]
    ) -> Any:
        """Return the truth with the meanings that senders gave for their words.

        `meanings` are by the number of the message. Those that cannot be read are left out.
        """
        ...


def open_domain(domain: Domain) -> OpenDomain:
    """Return the domain as an open one. Raise InputError if its episodes take no messages."""
    if isinstance(domain, OpenDomain):
        return domain
    raise InputError(domain.name, "takes no messages during an episode")


@runtime_checkable
class MessagingDomain(Protocol):
    """A domain whose open episodes take messages of its own, beside a supervisor's instructions."""

    def messages(self, world: Any | None = None) -> Sequence[MessageForm]:
        """Return what senders may send.

        The choices of a field may depend on the `world` that is played.
        """
        ...


def messages(domain: Domain, world: Any | None = None) -> Sequence[MessageForm]:
    """Return what may be sent to open episodes of a domain: by default nothing."""
    return domain.messages(world) if isinstance(domain, MessagingDomain) else ()


@runtime_checkable
class StoredDomain(Protocol):
    """A domain of which something may be kept in Redis, where it can be edited at any time."""

    async def pull(self, address: str, folder: Path) -> Settings:
        """Write what is kept at an address into a folder; return the settings that name it."""
        ...


async def pull(domain: Domain, address: str, folder: Path) -> Settings:
    """Return the settings that name what is kept at an address: none where nothing is."""
    return await domain.pull(address, folder) if isinstance(domain, StoredDomain) else {}


@runtime_checkable
class CommandingDomain(Protocol):
    """A domain that brings commands to the command line, beside those for every world."""

    @property
    def commands(self) -> Mapping[str, str]:
        """The commands by name, each `module:function` or `module:app`, an app of Typer."""
        ...


def commands(domain: Domain) -> Mapping[str, str]:
    """Return the commands that a domain brings: by default none."""
    return domain.commands if isinstance(domain, CommandingDomain) else {}


@runtime_checkable
class TrainableDomain(Protocol):
    """A domain whose worlds can be represented in numbers."""

    def training(self, world: Any) -> Training:
        """Return the representation of one of its worlds. Raise InputError if there is none."""
        ...


def training(domain: Domain, world: Any) -> Training:
    """Return the representation of a world in numbers. Raise InputError if there is none."""
    if isinstance(domain, TrainableDomain):
        return domain.training(world)
    raise InputError(domain.name, "cannot number its actions, which training needs")
