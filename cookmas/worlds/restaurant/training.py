"""The restaurant in numbers, for the training of agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from cookmas.kitchen.actions import (
    Action,
    Discard,
    Navigate,
    Pick,
    Place,
    Serve,
    Start,
    Wait,
    Work,
)
from cookmas.kitchen.foods import Dish, Food, Plate, Thing
from cookmas.kitchen.layout import KIND_OF_PROCESS, PLATE_NAME, WORK
from cookmas.kitchen.legal import legal_actions
from cookmas.kitchen.state import Content, KitchenState, order_of
from cookmas.kitchen.world import Restaurant
from cookmas.worlds.base.training import NOTHING, Array, Rows, Training, place_in

LINES = 12
"""Maximum number of open order lines in an observation.

The oldest lines come first. Each time one of them is closed, another line becomes visible.
"""

NOTE = 120
"""Maximum length of a customer's words in an observation, in bytes of UTF-8."""

PORTIONS = 128
"""Maximum number of portions of food and plates in an observation."""

PROCESSES = tuple(KIND_OF_PROCESS)

AT_STATION, IN_HAND = 0, 1


class KitchenTraining(Training):
    """The actions and observations of a kitchen in numbers.

    Foods are numbered by name, stations and menu items as the kitchen lists them. The numbers do
    not tell in which order processes were applied to a portion, nor in which order foods were
    joined.
    """

    def __init__(self, world: Restaurant) -> None:
        kitchen = self._kitchen = world.kitchen
        self.foods = (*sorted(kitchen.larder), PLATE_NAME)
        self.stations = tuple(kitchen.stations)
        self._food = place_in(self.foods)
        self._station = place_in(self.stations)
        self._item = place_in(kitchen.menu)
        self._process = place_in(PROCESSES)
        super().__init__(world)
        self._go = self.number[str(Navigate(self.stations[0]))]
        self._pick = self.number[str(Pick(None, 1))]
        self._serve = self.number[str(Serve("line 1"))]

    def list_actions(self) -> Sequence[str]:
        """Return the text of each action."""
        slots = max(station.slots for station in self._kitchen.stations.values())
        listed: tuple[Action, ...] = (
            Wait(),
            *map(Navigate, self.stations),
            *map(Pick, self.foods),
            *(Pick(None, slot) for slot in range(1, slots + 1)),
            Place(),
            *map(Work, WORK),
            Start(),
            Discard(),
            *(Serve(f"line {n}") for n in range(1, LINES + 1)),
        )
        return tuple(map(str, listed))

    def list_arrays(self) -> Mapping[str, Array]:
        """Return the shapes of the observed arrays, by name."""
        return {
            "timestep": Array(1, ("timestep",)),
            "workers": Array(len(self._kitchen.workers), ("station", "in_service", "holding")),
            "stations": Array(len(self.stations), ("in_service",)),
            "portions": Array(
                PORTIONS,
                ("where", "index", "slot", "component", "food", "cooking", *PROCESSES),
            ),
            "lines": Array(LINES, ("order", "item", "due")),
            "notes": Array(LINES, tuple(f"byte_{n}" for n in range(1, NOTE + 1))),
            "stock": Array(len(self.foods), ("left",)),
        }

    def text(self, state: KitchenState, number: int) -> str:
        """Return the action with this number.

        `serve(line 2)` becomes the action that serves the second open order line. Without such a
        line the action stays unchanged, and FAILs.
        """
        text = self.actions[number]
        nth = number - self._serve
        line = next(islice(state.open_lines(), nth, None), None) if nth >= 0 else None
        return str(Serve(line)) if line else text

    def legal(self, state: KitchenState, worker: str) -> Sequence[int]:
        """Return the numbers of the legal actions.

        A line that is not in the observation cannot be served.
        """
        lines = place_in(list(state.open_lines()))
        legal: list[int] = []
        for action in legal_actions(self._kitchen, state, worker):
            if isinstance(action, Navigate):
                legal.append(self._go + self._station[action.station])
            elif isinstance(action, Pick) and action.slot:
                legal.append(self._pick + action.slot - 1)
            elif not isinstance(action, Serve):
                legal.append(self.number[str(action)])
            elif lines[action.line] < LINES:
                legal.append(self._serve + lines[action.line])
        return legal

    def encode(self, state: KitchenState) -> Mapping[str, Rows]:
        """Return the observation of the whole kitchen, which is the same for all workers."""
        lines = list(islice(state.open_lines().items(), LINES))
        orders = place_in(list(dict.fromkeys(order_of(name) for name, _ in lines)))
        return {
            "timestep": [[state.timestep]],
            "workers": [
                [self._station[w.station], name not in state.out, _kind(w.holding)]
                for name, w in zip(self._kitchen.workers, state.workers, strict=True)
            ],
            "stations": [[name not in state.out] for name in self.stations],
            "portions": list(islice(self._portions(state), PORTIONS)),
            "lines": [
                [
                    orders[order_of(name)],
                    self._item.get(line.item, NOTHING),
                    NOTHING if line.due is None else line.due,
                ]
                for name, line in lines
            ],
            "notes": [_pad(line.note) for _, line in lines],
            "stock": [[state.stock.get(food, NOTHING)] for food in self.foods],
        }

    def _portions(self, state: KitchenState) -> Iterator[list[int]]:
        for number, worker in enumerate(state.workers):
            if worker.holding is not None:
                yield from self._rows(worker.holding, [IN_HAND, number, 0], NOTHING)
        for name, contents in state.contents.items():
            for content in contents:
                where = [AT_STATION, self._station[name], content.slot]
                yield from self._rows(content.thing, where, _cooking_minutes(state, name, content))

    def _rows(self, thing: Thing, where: list[int], cooking: int) -> Iterator[list[int]]:
        """Yield one row for a plate, or one for each portion of a food or dish.

        `where` has the first columns of each row: the kind of place, its index and the slot.
        `cooking` has the minutes that the thing has been cooking.
        """
        if isinstance(thing, Plate):
            yield [*where, 0, self._food[PLATE_NAME], cooking, *[0] * len(PROCESSES)]
            return
        components = thing.components if isinstance(thing, Dish) else (thing,)
        for number, component in enumerate(components, start=1):
            for food, minutes in self._leaves(component, [0] * len(PROCESSES)):
                known = self._food.get(food, NOTHING)
                yield [*where, number, known, cooking, *minutes]

    def _leaves(self, food: Food, minutes: list[int]) -> Iterator[tuple[str, list[int]]]:
        """Yield the raw portions in a food, each with the minutes of each process applied to it."""
        total = list(minutes)
        for step in food.steps:
            total[self._process[step.process]] += step.minutes
        if not food.parts:
            yield food.name, total
        for part in food.parts:
            yield from self._leaves(part, total)


def _kind(thing: Thing | None) -> int:
    """Return the kind of thing in a hand: nothing (0), food (1), a plate (2), a dish (3)."""
    if thing is None:
        return 0
    return 2 if isinstance(thing, Plate) else 3 if isinstance(thing, Dish) else 1


def _cooking_minutes(state: KitchenState, station: str, content: Content) -> int:
    """Return the minutes that a content has been cooking; NOTHING if it does not cook."""
    return NOTHING if content.since is None else state.minutes_cooked(station, content)


def _pad(note: str) -> list[int]:
    encoded = note.encode()[:NOTE]
    return [*encoded, *[NOTHING] * (NOTE - len(encoded))]


TRAINING = KitchenTraining
