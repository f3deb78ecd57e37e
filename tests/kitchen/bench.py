"""A kitchen in which an example plays: stations such as `grill_1`, and `pantry` and `aisle`."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.episodes.world import Json, Trigger
from cookmas.kitchen.actions import parse_action
from cookmas.kitchen.components import Doneness, parse_thing
from cookmas.kitchen.layout import KINDS, Kitchen, Station
from cookmas.kitchen.simulator import step
from cookmas.kitchen.state import Content, KitchenState, WorkerState, make_opening_state
from cookmas.kitchen.world import Restaurant

MENU = ("Burger", "Soup of the Day")
NAMES = ("ann", "bob", "cem", "dee", "eve", "fay")
SLOTS = {
    "counter": 3,
    "board": 1,
    "mixer": 3,
    "plating": 4,
    "grill": 2,
    "pan": 3,
    "fryer": 2,
    "pot": 3,
    "oven": 2,
}


class Bench:
    """Two of every storing station, one of every other, and the state that actions lead to.

    Workers stand at `places`, each written "grill_1" or "grill_1: onion > chop 2" with the worker's
    food; other workers are in the aisle. `contents` are the foods at stations, from slot 1, with
    stopped clocks.
    """

    def __init__(
        self,
        *places: str,
        workers: int = 3,
        stock: Mapping[str, int] | None = None,
        rooms: Mapping[str, int] | None = None,
        **contents: list[str],
    ) -> None:
        stations: dict[str, Station] = {}
        for kind in KINDS.values():
            slots = SLOTS.get(kind.name, 0)
            room = 1 if kind.exclusive else None
            for name in [f"{kind.name}_1", f"{kind.name}_2"] if slots else [kind.name]:
                stations[name] = Station(
                    name=name, kind=kind, slots=slots, room=(rooms or {}).get(name, room)
                )
        self.kitchen = Kitchen(
            name="bench",
            stations=stations,
            larder={"onion": "pantry", "oil": "pantry", "bun": "pantry", "egg": "fridge"},
            menu=MENU,
            doneness={("egg", "boil"): Doneness({"soft": (4, 5), "hard": (8, 10)}, 20)},
            workers=NAMES[:workers],
            stock=dict(stock or {}),
        )
        self.restaurant = Restaurant(self.kitchen)
        self.state: KitchenState = make_opening_state(self.kitchen)
        self.stand(*places)
        self.lay(**contents)

    def stand(self, *places: str) -> None:
        """Let the first workers stand at places, perhaps with a food."""
        standing = list(self.state.workers)
        for index, text in enumerate(places):
            station, _, thing = text.partition(": ")
            standing[index] = WorkerState(station, parse_thing(thing) if thing else None)
        self.state = self.state._replace(workers=tuple(standing))

    def lay(self, **contents: list[str]) -> None:
        """Let foods lie at stations, from slot 1, and nothing elsewhere."""
        lying = {
            station: tuple(Content(slot, parse_thing(text)) for slot, text in enumerate(texts, 1))
            for station, texts in contents.items()
        }
        self.state = self.state._replace(contents=lying)

    def step(self, *actions: str) -> list[str | None]:
        """Play a timestep; workers without an action wait. Return each one's reason, or None."""
        waiting = ["wait"] * (len(self.kitchen.workers) - len(actions))
        joint = [parse_action(text) for text in (*actions, *waiting)]
        self.state, outcomes = step(self.kitchen, self.state, joint)
        return [outcome.fail for outcome in outcomes[: len(actions)]]

    def do(self, *actions: str) -> None:
        """Play a timestep in which no action FAILs."""
        reasons = self.step(*actions)
        assert reasons == [None] * len(actions), reasons

    def wait(self, timesteps: int) -> None:
        """Let all workers wait."""
        for _ in range(timesteps):
            self.do()

    def take(self, event: Json) -> Trigger | None:
        """Take an event, which must not be refused; return the trigger."""
        self.state, ruling = self.restaurant.apply(self.state, event)
        assert ruling.refused is None
        return ruling.trigger

    def refuse(self, event: Json) -> str:
        """Expect that an event is refused and changes nothing; return the reason."""
        same, ruling = self.restaurant.apply(self.state, event)
        assert same == self.state
        assert ruling.trigger is None
        assert ruling.refused is not None
        return ruling.refused

    def fault(self, timesteps: int, **what: str) -> Trigger | None:
        """Put a station or a worker out of service for a number of timesteps."""
        return self.take({"kind": "fault", "timesteps": timesteps, **what})

    @property
    def places(self) -> list[str]:
        """The station of each worker."""
        return [worker.station for worker in self.state.workers]

    @property
    def hands(self) -> list[str | None]:
        """The food in the hand of each worker."""
        held = [worker.holding for worker in self.state.workers]
        return [None if thing is None else str(thing) for thing in held]

    def lying(self, station: str) -> dict[int, str]:
        """Return the foods at a station, by slot."""
        return {c.slot: str(c.thing) for c in self.state.contents.get(station, ())}
