"""The optional parts of a domain: one runtime-checkable protocol for each capability.

A function beside a protocol says what holds for a domain that lacks the capability, or raises
InputError in one line that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from episodes.scenario import DEFAULT_HORIZON
from files.errors import InputError, MissingError, UnsupportedError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from episodes.scenario import Scenario
    from episodes.trace import Trace
    from evals.report import Details
    from mailboxes.desk import Desk
    from orchestrator.planner import Entry, Planner
    from worlds.domain import Domain, Settings
    from worlds.messages import Message
    from worlds.script import Script
    from worlds.training import Training
    from worlds.viewing import Viewing


@runtime_checkable
class BoundedDomain(Protocol):
    """A domain that knows how long an episode may take where the scenario does not say."""

    def horizon(self, scenario: Any) -> int:
        """Return the timesteps after which an episode ends."""
        ...


def horizon(domain: Domain, scenario: Scenario) -> int:
    """Return the horizon of a scenario that has none: by default `DEFAULT_HORIZON`."""
    return domain.horizon(scenario) if isinstance(domain, BoundedDomain) else DEFAULT_HORIZON


@runtime_checkable
class SchedulingDomain(Protocol):
    """A domain whose schedule files have a form of their own."""

    def schedule(self, path: Path, scenario: Any) -> Sequence[Entry]:
        """Return the schedule in a file, checked. Raises InputError or MissingError."""
        ...


def schedule(domain: Domain, path: Path, scenario: Scenario) -> Sequence[Entry]:
    """Return the schedule in a file: by default a list of timesteps, each worker to action."""
    if isinstance(domain, SchedulingDomain):
        return domain.schedule(path, scenario)
    from worlds.schedules import read_schedule

    return read_schedule(domain, path, scenario)


@runtime_checkable
class TruthfulDomain(Protocol):
    """A domain whose scenarios are judged by more than the rules of their world."""

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """Return what the scenario is judged by, from where it belongs or from another file.

        Raises InputError if it does not belong to it, MissingError if there is none.
        """
        ...


NO_TRUTH: Mapping[str, Any] = {}
"""The truth of a world whose rules say all that is judged."""


def truth(domain: Domain, scenario: Scenario, path: Path | None = None) -> Any:
    """Return what a scenario is judged by: nothing where the rules say it all."""
    if isinstance(domain, TruthfulDomain):
        return domain.truth(scenario, path)
    if path is not None:
        raise InputError(str(path), f"the world {domain.name} has no truth beside its rules")
    return NO_TRUTH


@runtime_checkable
class DetailedDomain(Protocol):
    """A domain with tables of a verdict that are its own."""

    @property
    def details(self) -> Details:
        """The tables of a verdict."""
        ...


def details(domain: Domain) -> Details:
    """Return what draws the tables of a verdict: by default one of what was asked for."""
    from worlds.tables import asked_for

    return domain.details if isinstance(domain, DetailedDomain) else asked_for


@runtime_checkable
class ScriptedDomain(Protocol):
    """A domain for which the scripted model has answers."""

    @property
    def script(self) -> Script:
        """What the scripted model answers."""
        ...


def script(domain: Domain) -> Script:
    """Return the script of a domain. Raises InputError where there is none."""
    if isinstance(domain, ScriptedDomain):
        return domain.script
    raise InputError(f"world {domain.name!r}", "has no script, so nothing can be answered for it")


@runtime_checkable
class ListedDomain(Protocol):
    """A domain that says in a list of scenarios more than their names."""

    def row(self, scenario: Any) -> Mapping[str, Any]:
        """Return what a list of scenarios says of one, by column."""
        ...


def row(domain: Domain, scenario: Scenario) -> Mapping[str, Any]:
    """Return what a list of scenarios says of one: by default its name, and its title."""
    if isinstance(domain, ListedDomain):
        return domain.row(scenario)
    return {"name": scenario.name, "title": str(scenario.data().get("title", ""))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Something to be looked at: for people and, as plain data, for machines."""

    picture: RenderableType
    data: Any


@runtime_checkable
class ShowingDomain(Protocol):
    """A domain that has more to show than its scenarios as they are written."""

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """Return what a person asks to see: a scenario, or something else of the world.

        Raises InputError or MissingError.
        """
        ...


def show(domain: Domain, what: Sequence[str], settings: Settings) -> Shown:
    """Return what a person asks to see: by default a scenario, or without words all of them."""
    if isinstance(domain, ShowingDomain):
        return domain.show(what, settings)
    return show_written(domain, what, settings)


def show_written(domain: Domain, what: Sequence[str], settings: Settings) -> Shown:
    """Return a scenario as its file says it; without words, the list of all scenarios."""
    from worlds.tables import fields_of, listed

    if not what:
        rows = [dict(row(domain, domain.scenario(name, {}))) for name in domain.names()]
        return Shown(picture=listed(rows), data=rows)
    if len(what) != 1:
        raise InputError("show", f"the world {domain.name} shows one scenario at a time")
    data = domain.scenario(what[0], settings).data()
    return Shown(picture=fields_of(data), data=data)


@runtime_checkable
class ViewableDomain(Protocol):
    """A domain with words and a drawing of its own."""

    @property
    def viewing(self) -> Viewing:
        """Its words and its drawing, on the page and on the terminal."""
        ...


def viewing(domain: Domain) -> Viewing:
    """Return the words and the drawing of a world: by default its states as plain data."""
    if isinstance(domain, ViewableDomain):
        return domain.viewing
    from worlds.viewing import PlainViewing

    return PlainViewing()


@runtime_checkable
class VettedDomain(Protocol):
    """A domain that has something to say of a scenario that can be read."""

    def vet(self, scenario: Any) -> Sequence[str]:
        """Return what there is to say of a scenario, a sentence each.

        Raises InputError if what belongs to it, such as its truth, does not fit it.
        """
        ...


def vet(domain: Domain, scenario: Scenario) -> Sequence[str]:
    """Return what there is to say of a scenario: by default whether it can be judged."""
    if isinstance(domain, VettedDomain):
        return domain.vet(scenario)
    found = [f"scenario {scenario.name}: sound"]
    if not isinstance(domain, TruthfulDomain):
        return found
    try:
        domain.truth(scenario)
    except MissingError as error:
        return [*found, f"it cannot be judged: {error}"]
    return [*found, "its truth: sound"]


@runtime_checkable
class CheckingDomain(Protocol):
    """A domain that can check other files than those of scenarios."""

    def check(self, path: Path) -> Sequence[str]:
        """Return what there is to say of a sound file, a sentence each. Raises InputError."""
        ...


def check(domain: Domain, path: Path) -> Sequence[str]:
    """Return what there is to say of a sound file: by default it is one of a scenario."""
    if isinstance(domain, CheckingDomain):
        return domain.check(path)
    return vet(domain, domain.scenario(str(path), {}))


@runtime_checkable
class MendingDomain(Protocol):
    """A domain that can mend what belongs to a scenario."""

    def mend(self, path: Path) -> Sequence[str]:
        """Mend what belongs to a scenario, once everything else is sound.

        Return what there is to say of it. Raises InputError, and has changed nothing then.
        """
        ...


def mend(domain: Domain, path: Path) -> Sequence[str]:
    """Mend what belongs to a scenario. Raises UnsupportedError where the world mends nothing."""
    if isinstance(domain, MendingDomain):
        return domain.mend(path)
    raise UnsupportedError("--fix", f"the world {domain.name} mends nothing; leave it out")


@runtime_checkable
class SolvedDomain(Protocol):
    """A domain whose scenarios come with a schedule that solves them."""

    def keep(self, scenario: Any, trace: Trace) -> Path:
        """Write what was done in a trace down as the scenario's schedule; return its file."""
        ...


def solved_domain(domain: Domain) -> SolvedDomain:
    """Return a domain whose scenarios have schedules. Raises UnsupportedError if they do not."""
    if isinstance(domain, SolvedDomain):
        return domain
    raise UnsupportedError("--solve", f"scenarios of {domain.name} have no schedules")


@runtime_checkable
class GeneratingDomain(Protocol):
    """A domain that can make scenarios."""

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> Sequence[Path]:
        """Write a new scenario to `path`, and what belongs to it. Raises InputError."""
        ...


def generate(domain: Domain, level: int, size: int | None, seed: int, path: Path) -> Sequence[Path]:
    """Write a new scenario and what belongs to it; return the files.

    Raises InputError, also where the world makes no scenarios.
    """
    if isinstance(domain, GeneratingDomain):
        return domain.generate(level, size, seed, path)
    raise UnsupportedError("generate", f"the world {domain.name} makes no scenarios; write one")


@runtime_checkable
class OracleDomain(Protocol):
    """A domain that can hand its truth to a planner, so that scheduling is measured by itself."""

    def oracle(self, scenario: Any) -> Planner:
        """Return a planner that knows what a scenario asks for; its class is `oracle`."""
        ...


@runtime_checkable
class AlterableDomain(Protocol):
    """A domain whose world can be built otherwise while an episode goes on."""

    def alter(self, world: Any, state: Any, kitchen: str) -> tuple[Any, str]:
        """Return the world with another kitchen, by name or file, and the difference in words.

        Raises InputError if something of the state has no place in it, MissingError if there is
        none.
        """
        ...


@runtime_checkable
class OpenDomain(Protocol):
    """A domain whose episodes can be open to messages from outside."""

    def desk(self, scenario: Any) -> Desk:
        """Return who receives the senders of messages."""
        ...

    def heard(self, truth: Any, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]) -> Any:
        """Return the truth with what senders said their words mean, by the number of the letter.

        What cannot be read of it is left out.
        """
        ...


def open_domain(domain: Domain) -> OpenDomain:
    """Return a domain whose episodes can be open. Raises InputError if they cannot."""
    if isinstance(domain, OpenDomain):
        return domain
    raise InputError(domain.name, "takes no messages while it is played")


@runtime_checkable
class MessagingDomain(Protocol):
    """A domain whose open episodes take messages of its own, beside a supervisor's instructions."""

    def messages(self, world: Any | None = None) -> Sequence[Message]:
        """Return what customers send.

        The choices of a field may depend on the `world` that is played.
        """
        ...


def messages(domain: Domain, world: Any | None = None) -> Sequence[Message]:
    """Return what customers send to open episodes of a domain: by default nothing."""
    return domain.messages(world) if isinstance(domain, MessagingDomain) else ()


@runtime_checkable
class StoredDomain(Protocol):
    """A domain of which something may be kept in Redis, where it can be edited at any time."""

    async def pulled(self, address: str, folder: Path) -> Settings:
        """Write what is kept at an address into a folder; return the settings that name it."""
        ...


async def pulled(domain: Domain, address: str, folder: Path) -> Settings:
    """Return the settings that name what is kept at an address: none where nothing is."""
    return await domain.pulled(address, folder) if isinstance(domain, StoredDomain) else {}


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
    """A domain whose worlds can be put into numbers."""

    def training(self, world: Any) -> Training:
        """Return a world of its own in numbers. Raises InputError where that cannot be done."""
        ...


def training(domain: Domain, world: Any) -> Training:
    """Return a world in numbers. Raises InputError where it has none."""
    if isinstance(domain, TrainableDomain):
        return domain.training(world)
    raise InputError(domain.name, "has no numbers for its actions (training)")
