"""The optional parts of a domain: one runtime-checkable protocol for each capability.

Most protocols have a function beside them, which calls the domain's member. If a domain lacks the
capability, the function uses a default, or raises InputError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from cookmas.episodes.scenario import DEFAULT_HORIZON
from cookmas.files.errors import InputError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cookmas.episodes.scenario import Scenario
    from cookmas.episodes.trace import Trace
    from cookmas.evals.report import Details
    from cookmas.mailboxes.desk import Desk
    from cookmas.orchestrator.planner import Entry, Planner
    from cookmas.worlds.domain import AnyDomain, Settings
    from cookmas.worlds.messages import MessageForm
    from cookmas.worlds.script import Script
    from cookmas.worlds.training import Training
    from cookmas.worlds.viewing import Viewing


@runtime_checkable
class BoundedDomain(Protocol):
    """A domain that decides the horizon of scenarios whose files name no horizon."""

    def horizon(self, scenario: Any) -> int:
        """Return the number of timesteps after which an episode ends."""
        ...


def horizon(domain: AnyDomain, scenario: Scenario) -> int:
    """Return the horizon, in timesteps, of a scenario whose file names no horizon.

    By default the horizon is `DEFAULT_HORIZON`.
    """
    return domain.horizon(scenario) if isinstance(domain, BoundedDomain) else DEFAULT_HORIZON


@runtime_checkable
class SchedulingDomain(Protocol):
    """A domain that has its own format of schedule files."""

    def schedule(self, path: Path, scenario: Any) -> Sequence[Entry]:
        """Read and check a schedule file; return its schedule.

        Raise InputError if the schedule is invalid, MissingError if there is no such file.
        """
        ...


def schedule(domain: AnyDomain, path: Path, scenario: Scenario) -> Sequence[Entry]:
    """Return the schedule in a file.

    By default the file is a list of timesteps, and each timestep maps workers to actions.
    """
    if isinstance(domain, SchedulingDomain):
        return domain.schedule(path, scenario)
    from cookmas.worlds.schedules import read_schedule

    return read_schedule(domain, path, scenario)


@runtime_checkable
class TruthfulDomain(Protocol):
    """A domain whose judging needs a truth, which the rules of the world do not give."""

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """Return the truth of a scenario, from the file `path` or from where the domain keeps it.

        Raise InputError if the truth belongs to another scenario, MissingError if there is none.
        """
        ...


NO_TRUTH: Mapping[str, Any] = {}
"""The empty truth, for worlds whose rules decide everything that is judged."""


def truth(domain: AnyDomain, scenario: Scenario, path: Path | None = None) -> Any:
    """Return the truth of a scenario; it is empty if the domain has no truths.

    Raise InputError if the domain has no truths but the caller gives a file.
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
    """A domain that shows a verdict in tables of its own."""

    @property
    def details(self) -> Details:
        """The function that returns the tables of a verdict."""
        ...


def details(domain: AnyDomain) -> Details:
    """Return the function that makes the tables of a verdict; by default one table of the goals."""
    from cookmas.worlds.tables import table_of_goals

    return domain.details if isinstance(domain, DetailedDomain) else table_of_goals


@runtime_checkable
class ScriptedDomain(Protocol):
    """A domain for which the scripted model has answers."""

    @property
    def script(self) -> Script:
        """The script by which the scripted model answers."""
        ...


def script(domain: AnyDomain) -> Script:
    """Return the script of a domain. Raise InputError if it has none."""
    if isinstance(domain, ScriptedDomain):
        return domain.script
    raise InputError(
        f"world {domain.name!r}", "has no script for the scripted model; use another model"
    )


@runtime_checkable
class ListedDomain(Protocol):
    """A domain with columns of its own in the list of scenarios."""

    def row(self, scenario: Any) -> Mapping[str, Any]:
        """Return the row of a scenario in the list of scenarios: the value of each column."""
        ...


def row(domain: AnyDomain, scenario: Scenario) -> Mapping[str, Any]:
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
    """A domain that has its own pictures of what a user asks to see."""

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """Return the picture of a scenario, or of something else in the world.

        `what` are the names that the user gives. Raise InputError if they are invalid, MissingError
        if nothing has such a name.
        """
        ...


def show(domain: AnyDomain, what: Sequence[str], settings: Settings) -> Shown:
    """Return what a user asks to see; by default the named scenario, or a list of all scenarios."""
    if isinstance(domain, ShowingDomain):
        return domain.show(what, settings)
    return show_written(domain, what, settings)


def show_written(domain: AnyDomain, what: Sequence[str], settings: Settings) -> Shown:
    """Return the fields of the scenario that `what` names, or the list of all scenarios.

    The list is returned if `what` is empty. Raise InputError if `what` has several names.
    """
    from cookmas.worlds.tables import fields_of, table_of_rows

    if not what:
        rows = [dict(row(domain, domain.scenario(name, {}))) for name in domain.names()]
        return Shown(picture=table_of_rows(rows), data=rows)
    if len(what) != 1:
        raise InputError("show", f"the world {domain.name} shows one scenario at a time")
    data = domain.scenario(what[0], settings).data()
    return Shown(picture=fields_of(data), data=data)


@runtime_checkable
class ViewableDomain(Protocol):
    """A domain that brings its own words and drawing for the page and the terminal."""

    @property
    def viewing(self) -> Viewing:
        """The words and the drawing of the world, for the page and the terminal."""
        ...


def viewing(domain: AnyDomain) -> Viewing:
    """Return the words and the drawing of a world; by default they show states as plain data."""
    if isinstance(domain, ViewableDomain):
        return domain.viewing
    from cookmas.worlds.viewing import PlainViewing

    return PlainViewing()


@runtime_checkable
class OracleDomain(Protocol):
    """A domain with a planner that knows a scenario's truth, to measure scheduling alone."""

    def oracle(self, scenario: Any) -> Planner:
        """Return a planner of the class `oracle`, which knows the truth of a scenario."""
        ...


@runtime_checkable
class AlterableDomain(Protocol):
    """A domain whose world can be replaced by a changed one during an episode."""

    def alter(self, world: Any, state: Any, name: str, /) -> tuple[Any, str]:
        """Return the world in another place, such as a larger one, and the changes in words.

        `name` is the name or the file of the new place. Raise InputError if something in `state`
        does not fit into the new place, MissingError if there is no place of this name.
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
        """Return the truth, completed with the meanings that senders gave for their words.

        `meanings` maps the number of a message to its meaning. A meaning that cannot be read is
        left out.
        """
        ...


def open_domain(domain: AnyDomain) -> OpenDomain:
    """Return the domain as an `OpenDomain`. Raise InputError if its episodes take no messages."""
    if isinstance(domain, OpenDomain):
        return domain
    raise InputError(domain.name, "takes no messages during an episode")


@runtime_checkable
class MessagingDomain(Protocol):
    """A domain that has messages of its own for open episodes.

    A supervisor's instructions can be sent to every open episode, even if its domain has no such
    messages.
    """

    def messages(self, world: Any | None = None) -> Sequence[MessageForm]:
        """Return the kinds of message that senders may send.

        `world` is the world that is played, if the caller knows it. The choices of a field may
        depend on this world.
        """
        ...


def messages(domain: AnyDomain, world: Any | None = None) -> Sequence[MessageForm]:
    """Return the kinds of message to open episodes of a domain; by default there are none."""
    return domain.messages(world) if isinstance(domain, MessagingDomain) else ()


@runtime_checkable
class StoredDomain(Protocol):
    """A domain that can keep some of its data in Redis, where users can edit them at any time."""

    async def pull(self, address: str, folder: Path) -> Settings:
        """Copy the data at an address into a folder; return the settings that name the copy."""
        ...


async def pull(domain: AnyDomain, address: str, folder: Path) -> Settings:
    """Copy the data at an address into a folder; return the settings that name the copy.

    By default nothing is copied, and there are no settings.
    """
    return await domain.pull(address, folder) if isinstance(domain, StoredDomain) else {}


@runtime_checkable
class CommandingDomain(Protocol):
    """A domain that adds commands of its own to the command line."""

    @property
    def commands(self) -> Mapping[str, str]:
        """The commands by name.

        Each is a `module:function`, or a `module:app` if it is an app of Typer.
        """
        ...


def commands(domain: AnyDomain) -> Mapping[str, str]:
    """Return the commands that a domain adds to the command line; by default none."""
    return domain.commands if isinstance(domain, CommandingDomain) else {}


@runtime_checkable
class TrainableDomain(Protocol):
    """A domain that can represent its worlds in numbers, so that agents can be trained."""

    def training(self, world: Any) -> Training:
        """Return the representation of a world in numbers. Raise InputError if there is none."""
        ...


def training(domain: AnyDomain, world: Any) -> Training:
    """Return the representation of a world in numbers. Raise InputError if there is none."""
    if isinstance(domain, TrainableDomain):
        return domain.training(world)
    raise InputError(domain.name, "cannot number its actions, which training needs")
