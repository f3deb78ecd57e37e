"""Scenarios: the input of an episode, with kitchen, workers, orders and later events.

A scenario is read from a file, whose content has limits, or is an open kitchen, whose orders come
in while it is played.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from cookmas.episodes.instruction import Instruct
from cookmas.episodes.scenario import FileScenario
from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.naming import is_yaml, suggest_name
from cookmas.files.reading import FileModel, Name, Title, read_yaml, refuse_other_file, validate
from cookmas.kitchen.events import (
    LAST_TIMESTEP,
    AddLine,
    CancelOrder,
    ChangeLine,
    Event,
    Fault,
    NewOrder,
    RemoveLine,
)
from cookmas.kitchen.layout import PLATE_NAME, Kitchen
from cookmas.kitchen.state import order_of
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import SHIPPED_MENU, Menu, MenuStore, load_menu

if TYPE_CHECKING:
    from cookmas.mailboxes.redis.link import RedisLink

MOST_EVENTS = 200
"""Maximum number of events of a scenario."""

MOST_STOCK = 10_000
"""Maximum stock of a limited ingredient."""

LONGEST = 10 * LAST_TIMESTEP
"""Maximum horizon that a scenario can set, in timesteps."""


class TimedEvent(FileModel):
    """An event with its timestep; in a file, both are one mapping."""

    at: Annotated[int, Field(ge=0, le=LAST_TIMESTEP)]
    """The timestep."""
    event: Annotated[Event | Instruct, Field(discriminator="kind")]
    """The event."""

    @model_validator(mode="before")
    @classmethod
    def _from_one_mapping(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "event" not in data:
            return {"at": data.get("at"), "event": {k: v for k, v in data.items() if k != "at"}}
        return data

    @model_serializer(mode="wrap")
    def _as_one_mapping(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data = dump(self)
        return {"at": data["at"], **data["event"]}

    def stretch(self, factor: float) -> TimedEvent:
        """Return the event with its timestep multiplied by `factor`.

        An order stays due the same number of timesteps after it comes in.
        """
        at, event = round(self.at * factor), self.event
        if isinstance(event, NewOrder) and event.due is not None:
            event = event.model_copy(update={"due": event.due - self.at + at})
        return self.model_copy(update={"at": at, "event": event})


class ScenarioFile(FileModel):
    """The content of a scenario file."""

    world: Literal["restaurant"] = "restaurant"
    """Name of the world."""
    title: Title
    """A short title."""
    level: Annotated[int, Field(ge=1, le=3)]
    """The level of difficulty."""
    kitchen: Name
    """The name of a shipped kitchen, or the path of a kitchen file."""
    menu: Name | None = None
    """The folder of the menu; None: the shipped menu."""
    workers: Annotated[int, Field(ge=1, le=6)] = 3
    """The number of workers."""
    interval: Annotated[float, Field(gt=0, le=100)] = 1
    """The factor by which the timesteps of all events are multiplied."""
    faults: bool = True
    """False: the faults of the file do not happen."""
    seed: int = 0
    """The seed of everything that is drawn during an episode."""
    stock: dict[str, Annotated[int, Field(ge=0, le=MOST_STOCK)]] = Field(default_factory=dict)
    """The number of portions of each limited ingredient, or of `plate`; others are unlimited."""
    horizon: Annotated[int, Field(ge=1, le=LONGEST)] | None = None
    """The number of timesteps after which the episode ends; None: ten times the lower bound of the
    makespan."""
    events: Annotated[list[TimedEvent], Field(min_length=1, max_length=MOST_EVENTS)]
    """The orders, changes, cancellations and faults, with their timesteps."""


class OpenFile(ScenarioFile):
    """The settings of an open kitchen, which has no events of its own."""

    title: Title = "An open kitchen"
    level: Annotated[int, Field(ge=1, le=3)] = 3
    kitchen: Name = "standard"
    events: Annotated[list[TimedEvent], Field(max_length=0)] = Field(default_factory=list)


SHIPPED_SCENARIOS = Path(__file__).parent / "levels"
"""The folder of the checked scenarios that come with CookMAS."""

_SHIPPED = SHIPPED_SCENARIOS.resolve()

OPEN = "open"
"""The scenario name that stands for an open kitchen."""

VARIED = ("workers", "interval", "faults")
"""The fields of a scenario's file that a user can also set by options.

They do not change what the customers' words mean, so one truth is for all variants of a scenario.
"""

MOST_LINES = 200
"""Maximum number of order lines of a scenario."""


@dataclass(frozen=True, kw_only=True)
class KitchenScenario(FileScenario):
    """A scenario of the restaurant."""

    file: ScenarioFile
    """Content of the scenario's file."""
    world_type: type[Restaurant] = Restaurant
    """Class of the world."""

    @property
    def shipped(self) -> bool:
        """True if the scenario is one of the checked scenarios that come with CookMAS."""
        return self.path.resolve().is_relative_to(_SHIPPED)

    @cached_property
    def menu(self) -> Menu:
        """The menu from which customers order."""
        return load_menu(self.path.parent / self.file.menu if self.file.menu else SHIPPED_MENU)

    @cached_property
    def kitchen(self) -> Kitchen:
        """The kitchen in which the scenario is played."""
        try:
            place = kitchen_path(self.file.kitchen, self.path.parent)
        except MissingError as error:
            raise InputError(str(self.path), f"kitchen: {error}") from None
        return build_kitchen(place, self.menu, self.file.workers, self.file.stock)

    @cached_property
    def timed_events(self) -> list[TimedEvent]:
        """The events of the file, at the timesteps that its interval gives them.

        The faults are left out if the scenario is played without them.
        """
        factor = self.file.interval
        events = (e for e in self.file.events if self.file.faults or not isinstance(e.event, Fault))
        return [event if factor == 1 else event.stretch(factor) for event in events]

    @cached_property
    def book(self) -> Book:
        """The order lines that come in, with their notes."""
        return Book(self.file.level, self.timed_events, str(self.path))

    @cached_property
    def truth_digest(self) -> str:
        """The digest by which a truth file names the scenario: that of all but `VARIED`."""
        return digest({name: x for name, x in self.data().items() if name not in VARIED})

    def world(self) -> Restaurant:
        """Return the restaurant in which the scenario is played."""
        return self.world_type(self.kitchen)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the events with their timesteps, in the form that the mailbox takes."""
        return [(e.at, e.event.model_dump(exclude_defaults=True)) for e in self.timed_events]

    def check(self) -> None:
        """Raise InputError if stock, events and level do not fit each other and the kitchen."""
        where, menu, kitchen = str(self.path), self.menu, self.kitchen
        for food in self.file.stock:
            if food not in menu.larder and food != PLATE_NAME:
                raise InputError(where, f"stock.{food}: is no ingredient of the menu")
        orders: set[str] = set()
        for number, timed in enumerate(self.timed_events):
            field = f"events.{number}"
            event = timed.event
            items: list[str] = []
            if timed.at > LAST_TIMESTEP:
                raise InputError(where, f"interval: {field} comes after timestep {LAST_TIMESTEP}")
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
                    why = f"{item!r} is not on the menu; expected one of its items"
                    raise InputError(where, f"{field}.item: {why}")
        first = min(timed.at for timed in self.timed_events)
        if not any(isinstance(t.event, NewOrder) and t.at == first for t in self.timed_events):
            raise InputError(where, "events: expected an order as the first event")
        if len(self.book.items) > MOST_LINES:
            raise InputError(where, f"events: have more than {MOST_LINES} order lines")

    def list_incoming_lines(self) -> list[tuple[int, str]]:
        """Return the timestep and the menu item of each order line that comes in, in order."""
        lines: list[tuple[int, str]] = []
        for timed in sorted(self.timed_events, key=lambda timed: timed.at):
            match timed.event:
                case NewOrder(lines=new):
                    lines += [(timed.at, line.item) for line in new]
                case AddLine(item=item):
                    lines.append((timed.at, item))
        return lines

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


def _check_fault(event: Fault, kitchen: Kitchen, where: str, field: str) -> None:
    if event.station and event.station not in kitchen.stations:
        raise InputError(where, f"{field}.station: there is no {event.station!r} in this kitchen")
    if event.worker and event.worker not in kitchen.workers:
        known = ", ".join(kitchen.workers)
        raise InputError(
            where, f"{field}.worker: there is no {event.worker!r}; expected one of {known}"
        )


class Book:
    """The order lines that come in during a scenario, and all notes on them.

    `items` maps the name of each line to its menu item. `notes` lists every note with its line. The
    constructor raises InputError if an event refers to an order or line that does not exist yet, or
    if the level is too low for the events.
    """

    def __init__(self, level: int, events: Sequence[TimedEvent], where: str) -> None:
        self.where = where
        self.items: dict[str, str] = {}
        self.notes: list[tuple[str, str]] = []
        numbered = sorted(enumerate(events), key=lambda entry: entry[1].at)
        for number, timed in numbered:
            field = f"events.{number}"
            match timed.event:
                case NewOrder(order=order, lines=lines):
                    for line in lines:
                        self._add(order, line.item, line.note)
                case AddLine(order=order, item=item, note=note):
                    self._expect_order(order, field, timed.at)
                    self._add(order, item, note)
                case CancelOrder(order=order):
                    self._expect_order(order, field, timed.at)
                case RemoveLine(line=line):
                    self._expect_line(line, field, timed.at)
                case ChangeLine(line=line, note=note):
                    self._expect_line(line, field, timed.at)
                    self._say(line, note)
        self._expect_level(level, events)

    def _add(self, order: str, item: str, note: str) -> None:
        number = 1 + sum(order_of(name) == order for name in self.items)
        self.items[f"{order}.{number}"] = item
        self._say(f"{order}.{number}", note)

    def _say(self, line: str, note: str) -> None:
        if note:
            self.notes.append((line, note))

    def _expect_order(self, order: str, field: str, at: int) -> None:
        orders = list(dict.fromkeys(order_of(name) for name in self.items))
        if order not in orders:
            known = ", ".join(orders) or "none"
            raise InputError(
                self.where,
                f"{field}.order: there is no order {order!r} at timestep {at}, expected: {known}",
            )

    def _expect_line(self, line: str, field: str, at: int) -> None:
        if line not in self.items:
            known = ", ".join(self.items) or "none"
            raise InputError(
                self.where,
                f"{field}.line: there is no line {line!r} at timestep {at}, expected: {known}",
            )

    def _expect_level(self, level: int, events: Sequence[TimedEvent]) -> None:
        if level < 3 and len(events) > 1:
            raise InputError(self.where, f"level: is {level} with several events, expected 3")
        if level == 1 and len(self.items) > 1:
            raise InputError(self.where, "level: is 1 with several order lines, expected 2")


def scenario_names(level: int | None = None) -> list[str]:
    """Return the names of the shipped scenarios of one level or of all levels, in order."""
    folders = f"level{level}" if level else "level*"
    return sorted(f"{x.parent.name}/{x.stem}" for x in SHIPPED_SCENARIOS.glob(f"{folders}/*.yaml"))


def load_scenario(name: str, beside: Path | None = None) -> KitchenScenario:
    """Load a scenario by its name (`level3/07`) or its file. Raises InputError or MissingError.

    A relative path starts from the folder `beside`, or from the present folder if that is None.
    """
    path = scenario_path(name, beside)
    shipped = path.resolve().is_relative_to(_SHIPPED)
    return build_scenario(
        f"{path.parent.name}/{path.stem}" if shipped else path.stem, path, read_yaml(path)
    )


def scenario_path(name: str, beside: Path | None = None) -> Path:
    """Return the file of a scenario, given its name or its file. Raises MissingError."""
    if is_yaml(name):
        return (beside or Path()) / name
    path = SHIPPED_SCENARIOS / f"{name.removeprefix(f'{Restaurant.name}/')}.yaml"
    if not path.is_file():
        refuse_other_file(Path(name), "a scenario, a .yaml file")
        raise MissingError(
            f"there is no scenario {name!r}; 'cookmas list' names them, or give a YAML file"
            f"{suggest_name(name, _list_shipped())}"
        )
    return path


def _list_shipped() -> Iterator[str]:
    for path in SHIPPED_SCENARIOS.rglob("*.yaml"):
        yield path.relative_to(SHIPPED_SCENARIOS).with_suffix("").as_posix()


def build_scenario(name: str, path: Path, data: Any) -> KitchenScenario:
    """Validate the plain data of a scenario and build the scenario.

    Error messages name `path`. Relative paths in the data start from the folder of `path`. Raises
    InputError or MissingError.
    """
    scenario = KitchenScenario(name=name, path=path, file=validate(ScenarioFile, data, str(path)))
    scenario.check()
    return scenario


def open_kitchen(data: Mapping[str, Any]) -> KitchenScenario:
    """Return an open kitchen with the settings in `data`, such as `kitchen`, `menu` and `workers`.

    `kitchen` is the name of a shipped kitchen or a file; `menu` is a folder. Raises InputError or
    MissingError.
    """
    file = validate(OpenFile, dict(data), "open kitchen")
    return KitchenScenario(name=OPEN, path=Path(f"{OPEN}.yaml").resolve(), file=file)
