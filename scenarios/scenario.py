"""Scenarios: the input of an episode, with kitchen, workers, orders and later events.

A scenario is read from a file, is a variant of another one, or is an open kitchen.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, Name, Title, read_yaml, validate
from cookmas.kitchen.events import AddLine, ChangeLine, Fault, NewOrder
from cookmas.kitchen.layout import PLATE_NAME, Kitchen
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.book import Book
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import SHIPPED_MENU, Menu, MenuStore, load_menu
from cookmas.scenarios.scenario_file import ScenarioFile, TimedEvent

if TYPE_CHECKING:
    from cookmas.mailboxes.redis.link import RedisLink

SHIPPED_SCENARIOS = Path(__file__).parent / "levels"
"""The folder of the checked scenarios that come with CookMAS."""

_SHIPPED = SHIPPED_SCENARIOS.resolve()

OPEN = "open"
"""The scenario name that stands for an open kitchen."""

MOST_LINES = 200
"""Maximum number of order lines of a scenario."""


@dataclass(frozen=True, kw_only=True)
class KitchenScenario:
    """A valid scenario that can be played."""

    name: str
    """The name of the shipped scenario, or the name of the file without its suffix."""
    path: Path
    """The scenario's file."""
    file: ScenarioFile
    """The content of the scenario's file."""
    menu: Menu
    """The menu from which customers order."""
    kitchen: Kitchen
    """The kitchen in which the scenario is played."""
    original: str | None = None
    """For a variant, the digest of the scenario that it varies; else None."""

    @property
    def shipped(self) -> bool:
        """True if the scenario is one of the checked scenarios that come with CookMAS."""
        return _is_shipped(self.path)

    @property
    def seed(self) -> int:
        """The seed of everything that is drawn during an episode."""
        return self.file.seed

    @property
    def horizon(self) -> int | None:
        """The timestep at which the episode ends at the latest; None if the file sets none."""
        return self.file.horizon

    @cached_property
    def digest(self) -> str:
        """The digest of the content.

        A truth file names the scenario that it belongs to by this digest.
        """
        return digest(self.data())

    def data(self) -> dict[str, Any]:
        """Return the scenario as plain data, as in its file."""
        data = self.file.model_dump(exclude_defaults=True, exclude={"events"})
        return {**data, "events": [event.flat() for event in self.file.events]}

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the events with their timesteps, in the form that the mailbox takes."""
        return [(e.at, e.event.model_dump(exclude_defaults=True)) for e in self.file.events]

    def list_incoming_lines(self) -> list[tuple[int, str]]:
        """Return the timestep and the menu item of each order line that comes in, in order."""
        lines: list[tuple[int, str]] = []
        for timed in sorted(self.file.events, key=lambda timed: timed.at):
            match timed.event:
                case NewOrder(lines=new):
                    lines += [(timed.at, line.item) for line in new]
                case AddLine(item=item):
                    lines.append((timed.at, item))
        return lines

    @cached_property
    def book(self) -> Book:
        """The order lines that come in, with their notes."""
        return Book(self.file, str(self.path))

    def world(self) -> Restaurant:
        """Return the restaurant in which this scenario is played."""
        return Restaurant(self.kitchen)

    @cached_property
    def _recipes(self) -> MenuStore:
        return MenuStore(self.menu)

    async def look_up(self, key: str) -> str:
        """Return the recipe of a menu item. Raises MissingError if the menu has no item `key`."""
        return await self._recipes.recipe(key)

    def look_up_in(self, link: RedisLink, episode: str) -> Callable[[str], Awaitable[str]]:
        """Return a function that looks a recipe up in Redis, or else in the menu's files.

        `episode` is the name of the kitchen in Redis.
        """
        from cookmas.scenarios.redis_recipes import RedisRecipes

        return RedisRecipes(link, episode).look_up_first(self.look_up)


def load_scenario(name: str) -> KitchenScenario:
    """Load a scenario by its name (`level3/07`) or its file. Raises InputError or MissingError."""
    path = scenario_path(name)
    return build_scenario(_name_of(path), path, read_yaml(path))


def scenario_path(name: str) -> Path:
    """Return the file of a scenario, given its name or its file. Raises MissingError."""
    if name.endswith((".yaml", ".yml")):
        return Path(name)
    path = SHIPPED_SCENARIOS / f"{name}.yaml"
    if not path.is_file():
        raise MissingError(
            f"there is no scenario {name!r}; 'cookmas list' names them, or give a YAML file"
        )
    return path


def _is_shipped(path: Path) -> bool:
    return path.parent.parent.resolve() == _SHIPPED


def _name_of(path: Path) -> str:
    if _is_shipped(path):
        return f"{path.parent.name}/{path.stem}"
    return path.stem


def scenario_names(level: int | None = None) -> list[str]:
    """Return the names of the checked scenarios of one level or of all levels, in order."""
    return names_in(f"level{level}" if level else "level*")


def names_in(group: str) -> list[str]:
    """Return the names of the shipped scenarios in a group, such as `adversarial`, in order."""
    return sorted(_name_of(path) for path in SHIPPED_SCENARIOS.glob(f"{group}/*.yaml"))


def build_scenario(name: str, path: Path, data: Any) -> KitchenScenario:
    """Validate the plain data of a scenario and build the scenario.

    Error messages name `path`. Relative paths in the data start from the folder of `path`. Raises
    InputError or MissingError.
    """
    file = validate(ScenarioFile, data, str(path))
    menu = load_menu(path.parent / file.menu if file.menu else SHIPPED_MENU)
    try:
        place = kitchen_path(file.kitchen, path.parent)
    except MissingError as error:
        raise InputError(str(path), f"kitchen: {error}") from None
    kitchen = build_kitchen(place, menu, file.workers, file.stock)
    _check(file, menu, kitchen, str(path))
    scenario = KitchenScenario(name=name, path=path, file=file, menu=menu, kitchen=kitchen)
    if len(scenario.book.items) > MOST_LINES:
        raise InputError(str(path), f"events: have more than {MOST_LINES} order lines")
    return scenario


def _check(file: ScenarioFile, menu: Menu, kitchen: Kitchen, where: str) -> None:
    for food in file.stock:
        if food not in menu.larder and food != PLATE_NAME:
            raise InputError(where, f"stock.{food}: is no ingredient of the menu")
    orders: set[str] = set()
    for number, timed in enumerate(file.events):
        field = f"events.{number}"
        event = timed.event
        items: list[str] = []
        if isinstance(event, NewOrder):
            items = [line.item for line in event.lines]
            if event.order in orders:
                raise InputError(where, f"{field}.order: {event.order!r} comes in twice")
            orders.add(event.order)
        elif isinstance(event, AddLine):
            items = [event.item]
        elif isinstance(event, Fault):
            _check_fault(event, kitchen, where, field)
        elif isinstance(event, ChangeLine) and not event.note:
            raise InputError(where, f"{field}.note: expected the customer's new words")
        for item in items:
            if item not in menu.items:
                raise InputError(
                    where, f"{field}.item: {item!r} is not on the menu; expected one of its items"
                )
    first = min(timed.at for timed in file.events)
    if not any(isinstance(t.event, NewOrder) and t.at == first for t in file.events):
        raise InputError(where, "events: expected an order as the first event")


def _check_fault(event: Fault, kitchen: Kitchen, where: str, field: str) -> None:
    if event.station and event.station not in kitchen.stations:
        raise InputError(where, f"{field}.station: there is no {event.station!r} in this kitchen")
    if event.worker and event.worker not in kitchen.workers:
        known = ", ".join(kitchen.workers)
        raise InputError(
            where, f"{field}.worker: there is no {event.worker!r}; expected one of {known}"
        )


class Variation(FileModel):
    """The differences between a variant and its scenario."""

    workers: Annotated[int, Field(ge=1, le=6)] | None = None
    """The number of workers; None: as in the file."""
    interval: Annotated[float, Field(gt=0, le=100)] | None = None
    """The factor by which the timesteps of all events are multiplied; None: 1.

    An order stays due the same number of timesteps after it comes in.
    """


def vary_scenario(scenario: KitchenScenario, settings: Mapping[str, Any]) -> KitchenScenario:
    """Return the variant of a scenario that `settings` describe. Raises InputError."""
    variation = validate(Variation, dict(settings), f"{scenario.name}, settings")
    file = scenario.file
    if variation.workers is not None:
        file = file.model_copy(update={"workers": variation.workers})
    if variation.interval is not None:
        events = [_stretch(timed, variation.interval) for timed in file.events]
        file = file.model_copy(update={"events": events})
    data = replace(scenario, file=file).data()
    built = build_scenario(scenario.name, scenario.path, data)
    if built.digest == scenario.digest:
        return scenario
    return replace(built, original=scenario.digest)


def _stretch(timed: TimedEvent, factor: float) -> TimedEvent:
    at, event = round(timed.at * factor), timed.event
    if isinstance(event, NewOrder) and event.due is not None:
        event = event.model_copy(update={"due": event.due - timed.at + at})
    return TimedEvent.model_validate({"at": at, "event": event})


class _OpenFile(ScenarioFile):
    """The settings of an open kitchen: a scenario file without events."""

    title: Title = "An open kitchen"
    level: Annotated[int, Field(ge=1, le=3)] = 3
    kitchen: Name = "standard"
    events: list[TimedEvent] = Field(default_factory=list)


def open_kitchen(data: Mapping[str, Any]) -> KitchenScenario:
    """Return an open kitchen with the settings in `data`, such as `kitchen`, `menu` and `workers`.

    `kitchen` is the name of a shipped kitchen or a file; `menu` is a folder. Raises InputError or
    MissingError.
    """
    file = validate(_OpenFile, dict(data), "open kitchen")
    if file.events:
        raise InputError(
            "open kitchen", "events: expected none, as orders come in while the kitchen is open"
        )
    menu = load_menu(Path(file.menu).resolve() if file.menu else SHIPPED_MENU)
    kitchen = build_kitchen(kitchen_path(file.kitchen), menu, file.workers, file.stock)
    return KitchenScenario(
        name=OPEN, path=Path(f"{OPEN}.yaml"), file=file, menu=menu, kitchen=kitchen
    )
