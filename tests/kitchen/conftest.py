"""Random kitchens and runs for the tests of the kitchen."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.kitchen.actions import LIBRARY
from cookmas.kitchen.foods import Dish
from cookmas.kitchen.layout import KINDS, WORK, Kitchen, Station
from cookmas.kitchen.legal import legal_actions
from cookmas.kitchen.simulator import name_of
from cookmas.kitchen.state import KitchenState
from tests.kitchen.bench import MENU, NAMES

FOODS = ("beef patty", "bun", "egg", "oil", "onion", "soy sauce")
UNREADABLE = (
    "",
    "dance",
    "navigate",
    "navigate()",
    "serve",
    "chop(onion)",
    "pick(onion, egg)",
    "pick(slot 0)",
    "pick onion",
    "PLACE",
    "place it",
    "wait(3)",
    "walk(pantry)",
    "navigate(bin)(bin)",
    "navigate(bin )",
    "wait()",
    " wait",
    "Wait",
    "wait\n",
    "place()",
    "pick()",
    "pick(,)",
    "pick(slot 1234)",
    "pick(slot=1)",
    "pick(slot \u0661)",
    "pick(slot 01)",
    "pick(slot 1, slot 2)",
    "pick(slot 1, onion)",
    "pick(onion,slot 1)",
    "pick(onion, slot 1, slot 1)",
    "pick(beef  patty)",
)


class Chaos:
    """Random kitchens, joint actions and events of every kind in the rules."""

    def kitchen(self, rng: Random) -> Kitchen:
        """Return a small kitchen with random slots and rooms, in which workers block each other."""
        stations: dict[str, Station] = {}
        for kind in KINDS.values():
            holds = kind.exclusive or kind.name == "counter"
            count = rng.choice([1, 1, 2]) if holds or kind.name in ("aisle", "pass") else 1
            for number in range(1, count + 1):
                name = f"{kind.name}_{number}" if holds or number > 1 else kind.name
                slots = 1 if kind.name == "board" else rng.randint(1, 4) if holds else 0
                room = 1 if kind.exclusive else None
                if rng.random() < 0.4:
                    room = rng.randint(1, 3)
                stations[name] = Station(name=name, kind=kind, slots=slots, room=room)
        larder = {food: rng.choice(["pantry", "fridge"]) for food in FOODS}
        limited = [name for name in (*FOODS, "plate") if rng.random() < 0.3]
        return Kitchen(
            name="chaos",
            stations=stations,
            larder=larder,
            menu=MENU,
            doneness={},
            workers=NAMES[: rng.randint(1, len(NAMES))],
            stock={name: rng.choice([0, 0, 1, 2, 4]) for name in limited},
        )

    def joint(self, rng: Random, kitchen: Kitchen, state: KitchenState) -> dict[str, str]:
        """Return an action for each worker; sometimes one is missing or unreadable."""
        actions: dict[str, str] = {}
        for index, worker in enumerate(kitchen.workers):
            chance = rng.random()
            dish = isinstance(state.workers[index].holding, Dish)
            if chance < (0.4 if dish else 0.7):
                actions[worker] = self._legal(rng, kitchen, state, worker)
            elif chance < 0.95:
                actions[worker] = self._any(rng, kitchen, state, index)
            elif chance < 0.98:
                actions[worker] = rng.choice(UNREADABLE)
        return actions

    def _legal(self, rng: Random, kitchen: Kitchen, state: KitchenState, worker: str) -> str:
        texts = [str(action) for action in legal_actions(kitchen, state, worker)]
        useful = [text for text in texts if text != "wait" and not text.startswith("navigate")]
        if "assemble" in useful and rng.random() < 0.6:
            return "assemble"
        if useful and rng.random() < 0.75:
            return rng.choice(useful)
        wanted = [f"navigate({name})" for name in self._goals(rng, kitchen, state, worker)]
        sensible = [text for text in texts if text in wanted]
        if sensible and rng.random() < 0.7:
            return rng.choice(sensible)
        return rng.choice(texts)

    def _goals(self, rng: Random, kitchen: Kitchen, state: KitchenState, worker: str) -> list[str]:
        """Return the places that help a worker to serve a dish."""
        holding = state.workers[kitchen.workers.index(worker)].holding
        if isinstance(holding, Dish):
            return list(kitchen.of_kind("pass"))
        if holding is not None:
            return [*kitchen.of_kind("plating"), rng.choice(list(kitchen.stations))]
        if rng.random() < 0.4:
            return list(state.contents)
        filled = [name for name in kitchen.of_kind("plating") if name in state.contents]
        return [*(filled or kitchen.of_kind("plates")), *kitchen.of_kind("pantry")]

    def _any(self, rng: Random, kitchen: Kitchen, state: KitchenState, index: int) -> str:
        here = kitchen.stations[state.workers[index].station]
        verb = rng.choice([*LIBRARY, "navigate", "navigate", "pick", "pick", "serve", "place"])
        if here.kind.role == "pass" and rng.random() < 0.8:
            verb = "serve"
        if here.kind.role == "bin" and rng.random() < 0.5:
            verb = "discard"
        if here.kind.role == "tool" and rng.random() < (0.5 if verb in WORK else 0.2):
            verb = rng.choice(here.kind.processes)
        if verb == "navigate":
            return f"navigate({rng.choice([*kitchen.stations, 'nowhere'])})"
        if verb == "serve":
            return f"serve({rng.choice([*state.lines, 'o9.9'])})"
        if verb == "pick":
            lying = [name_of(c.thing) for c in state.contents.get(here.name, ())]
            whole = "+".join(sorted({leaf for name in lying for leaf in name.split("+")}))
            names = [*kitchen.dispenses(here.kind.name), *lying, whole, rng.choice(FOODS)]
            food = rng.choice([None, rng.choice([*names, "plate", "dish", "nothing"])])
            slot = rng.choice([None, None, 1, rng.randint(1, 5), 99])
            arguments = [food or "", f"slot {slot}" if slot else ""]
            return f"pick({', '.join(filter(None, arguments))})".replace("()", "")
        return verb

    def events(self, rng: Random, kitchen: Kitchen, state: KitchenState) -> list[dict[str, Any]]:
        """Return the external events of this timestep: usually none; some are refused."""
        count = rng.choice([0, 0, 0, 1, 1, 2])
        return [self._event(rng, kitchen, state) for _ in range(count)]

    def _event(self, rng: Random, kitchen: Kitchen, state: KitchenState) -> dict[str, Any]:
        order = rng.choice(["o1", "o2", "Table-3"])
        line = rng.choice([*state.lines, f"{order}.1", "o9.9"])
        item = rng.choice([*MENU, *MENU, *MENU, "Air"])
        note = rng.choice(["", "without onion", "two minutes longer"])
        due = rng.choice([None, state.timestep + rng.randint(0, 30)])
        lines = [
            {"item": rng.choice([*MENU, item]), "note": note} for _ in range(rng.randint(1, 3))
        ]
        timesteps = rng.randint(1, 4)
        busy = [name for name in kitchen.stations if name in state.contents or name in state.out]
        anywhere = [*kitchen.stations, "nowhere"]
        return rng.choice(
            [
                {"kind": "new_order", "order": order, "lines": lines, "due": due},
                {"kind": "new_order", "order": order, "lines": lines, "due": due},
                {"kind": "add_line", "order": order, "item": item, "note": note},
                {"kind": "remove_line", "line": line},
                {"kind": "change_line", "line": line, "note": note},
                {"kind": "cancel_order", "order": order},
                {
                    "kind": "fault",
                    "station": rng.choice(
                        rng.choice([busy or anywhere, anywhere, kitchen.workers])
                    ),
                    "timesteps": timesteps,
                },
                {
                    "kind": "fault",
                    "worker": rng.choice([*kitchen.workers, "nobody", kitchen.aisle]),
                    "timesteps": timesteps,
                },
            ]
        )


@pytest.fixture(scope="session")
def chaos() -> Chaos:
    return Chaos()
