"""The restaurant as a world: the kitchen with the methods that all worlds have.

Guests and the house send messages to an open one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Self

from cookmas.episodes.base import World
from cookmas.episodes.messages import MessageField, MessageForm
from cookmas.episodes.world import Commands, Json, Outcome, Ruling, Tally, Trigger, refuse_workers
from cookmas.files.errors import InputError, NotationError, TraceError
from cookmas.kitchen import events, simulator
from cookmas.kitchen.actions import Action, Wait, parse_action
from cookmas.kitchen.components import Doneness
from cookmas.kitchen.layout import KINDS, Kitchen, Station
from cookmas.kitchen.legal import legal_actions
from cookmas.kitchen.simulator import Reason
from cookmas.kitchen.state import FOREVER, KitchenState, Outage, make_opening_state

LATER = "Add to, change or cancel an order"


def _menu(world: Any) -> Sequence[str]:
    """Return the menu of a restaurant, which is a `Restaurant`."""
    return list(world.kitchen.menu)


ORDER = MessageForm(
    kind="order",
    event="new_order",
    fields=(
        MessageField(
            name="words",
            label="Order, in words",
            example="2 Classic Burger: no onion; 1 French Fries",
            choices=_menu,
            free=True,
        ),
    ),
    subject="order",
    creates="live",
)
"""The message that places an order."""

MESSAGES = (
    ORDER,
    MessageForm(
        kind="add",
        event="add_line",
        fields=(
            MessageField(name="order", example="live1"),
            MessageField(name="words", label="What", example="1 Garden Salad"),
        ),
        group=LATER,
    ),
    MessageForm(
        kind="change",
        event="change_line",
        fields=(
            MessageField(name="line", example="live1.2"),
            MessageField(name="note", label="New words", example="medium, please"),
        ),
        group=LATER,
    ),
    MessageForm(
        kind="cancel",
        fields=(MessageField(name="name", label="Order or line", example="live1"),),
        group=LATER,
    ),
)
"""An order, and what may be said of an earlier one."""


class Restaurant(World):
    """A kitchen with its workers and its orders."""

    name = "restaurant"
    rules = simulator.RULES
    idle = str(Wait())
    state_type = KitchenState
    messages = MESSAGES

    def __init__(self, kitchen: Kitchen) -> None:
        self.kitchen = kitchen
        self.workers = kitchen.workers
        """Names of the workers, in the order in which they act."""

    def count_open(self, state: KitchenState) -> int:
        """Return the number of open order lines."""
        return len(state.open_lines())

    def start(self) -> KitchenState:
        """Return the state before the first order."""
        return make_opening_state(self.kitchen)

    def apply(self, state: KitchenState, event: Json) -> tuple[KitchenState, Ruling]:
        """Apply an order, a change, a cancellation, a refusal or a fault. Raises InputError."""
        return events.apply(self.kitchen, state, events.parse_event(event))

    def decline_event(self, name: str, why: str) -> dict[str, Any]:
        """Return the event that refuses an order line and tells the customer why."""
        return {"kind": "refuse_line", "line": name, "why": why[: events.LONGEST_WHY]}

    def step(
        self, state: KitchenState, commands: Commands
    ) -> tuple[KitchenState, dict[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep.

        A worker without a readable action waits, and its action FAILs.
        """
        given = dict(commands)
        joint: list[Action] = []
        unreadable: dict[str, Outcome] = {}
        for worker in self.workers:
            try:
                joint.append(parse_action(given[worker]))
                continue
            except KeyError:
                why = f"{worker} gave no action."
            except NotationError as error:
                why = f"{error}."
            unreadable[worker] = Outcome(Reason.NO_ACTION, why)
            joint.append(Wait())
        after, outcomes = simulator.step(self.kitchen, state, joint)
        done = dict(zip(self.workers, outcomes, strict=True))
        return after, done | unreadable if unreadable else done, ()

    def legal(self, state: KitchenState, worker: str) -> list[str]:
        """Return the actions of `worker` that would not FAIL if no other worker moved."""
        return [str(action) for action in legal_actions(self.kitchen, state, worker)]

    def refusal(self, commands: Commands) -> str | None:
        """Return why the commands are malformed; None if they are not.

        They are malformed if a command names no worker of the kitchen, is the second command of a
        worker, or cannot be read.
        """
        if strange := refuse_workers(commands, self.workers):
            return strange
        for worker, action in commands:
            try:
                parse_action(action)
            except NotationError as error:
                return f"{worker}: {error}"
        return None

    def is_finished(self, state: KitchenState) -> bool:
        """Return whether no order line is open."""
        return "open" not in [line.status for line in state.lines.values()]

    def lookups(self, state: KitchenState) -> list[str]:
        """Return the menu items of the open lines, each once, in the order of arrival."""
        return list(dict.fromkeys(line.item for line in state.open_lines().values()))

    def tally(self, state: KitchenState) -> Tally:
        """Count the lines that were served.

        No line counts as lost: a closed line is no longer a request.
        """
        served = sum(line.status == "served" for line in state.lines.values())
        return Tally(done=state.gone + served, lost=0)

    def progress_key(self, state: KitchenState) -> dict[str, Any]:
        """Return the part of the state by which progress is measured, as plain data.

        It has the things in hands and stations, the stock and the order lines. It lacks the places
        of the workers and the clocks, which change without progress.
        """
        data = self.dump(state)
        return {
            "hands": [thing for _, thing in data["workers"].values()],
            "contents": data["contents"],
            "stock": data["stock"],
            "lines": data["lines"],
            "gone": state.gone,
        }

    def view_for(self, state: KitchenState, worker: str | None) -> KitchenState:
        """Return the state without the ends of the faults; every worker sees the whole kitchen."""
        if not state.out:
            return state
        hidden = {name: Outage(outage.since, FOREVER) for name, outage in state.out.items()}
        return state._replace(out=hidden)

    def simulable(self, observed: KitchenState, worker: str | None) -> KitchenState:
        """Return the observed state itself; in a simulation, outages of unknown end never end."""
        return observed

    def remove_workers(self, state: KitchenState, workers: Sequence[str]) -> KitchenState:
        """Return an observed state in which these workers are out of service, with no known end.

        A worker blocks the station at which it stands if that has limited room, so the station is
        out of service too.
        """
        stands = dict(zip(self.workers, state.workers, strict=True))
        places = {stands[name].station for name in workers}
        taken = [place for place in places if self.kitchen.stations[place].room is not None]
        missing = {name: Outage(state.timestep, FOREVER) for name in (*workers, *sorted(taken))}
        return state._replace(out={**state.out, **missing})

    def setup(self) -> dict[str, Any]:
        """Return the kitchen as plain data, from which any reader of a trace can rebuild it."""
        kitchen = self.kitchen
        return {
            "name": kitchen.name,
            "stations": {s.name: [s.kind.name, s.slots, s.room] for s in kitchen.stations.values()},
            "larder": {kind: list(kitchen.dispenses(kind)) for kind in ("pantry", "fridge")},
            "menu": list(kitchen.menu),
            "doneness": [
                [food, process, {n: list(w) for n, w in entry.levels.items()}, entry.burnt]
                for (food, process), entry in kitchen.doneness.items()
            ],
            "workers": list(kitchen.workers),
            "stock": dict(kitchen.stock),
        }

    def alter(self, setup: Json, state: KitchenState) -> Restaurant:
        """Return the restaurant of another `setup`, in which this state can continue.

        Raises InputError if the other kitchen has no place for something in the state, TraceError
        if `setup` is invalid.
        """
        other = self.of_setup(setup)
        if why := misfit(other.kitchen, state):
            raise InputError(f"kitchen {other.kitchen.name}", why)
        return other

    @classmethod
    def of_setup(cls, setup: Json) -> Self:
        """Return the restaurant that `setup` describes. Raises TraceError if it describes none."""
        try:
            return cls(kitchen_of(setup))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            raise TraceError("the trace's header does not describe a restaurant") from None


def kitchen_of(setup: Json) -> Kitchen:
    """Return the kitchen that the `setup` of a restaurant describes."""
    return Kitchen(
        name=setup["name"],
        stations={
            name: Station(name=name, kind=KINDS[kind], slots=slots, room=room)
            for name, (kind, slots, room) in setup["stations"].items()
        },
        larder={food: kind for kind, foods in setup["larder"].items() for food in foods},
        menu=tuple(setup["menu"]),
        doneness={
            (food, process): Doneness({n: (w[0], w[1]) for n, w in levels.items()}, burnt)
            for food, process, levels, burnt in setup["doneness"]
        },
        workers=tuple(setup["workers"]),
        stock=dict(setup["stock"]),
    )


def misfit(kitchen: Kitchen, state: KitchenState) -> str | None:
    """Return why a state of another kitchen cannot continue in this one; None if it can.

    Food keeps its slot and workers keep their stations; nothing is moved to make the state fit.
    """
    return next(_misfits(kitchen, state), None)


def _misfits(kitchen: Kitchen, state: KitchenState) -> Iterator[str]:
    stations = kitchen.stations
    if len(state.workers) != len(kitchen.workers):
        number = len(state.workers)
        yield f"the kitchen has {len(kitchen.workers)} workers, and the state has {number}"
    for name, contents in state.contents.items():
        for content in contents:
            if name not in stations:
                yield f"there is no {name}, which holds {content.thing}"
            elif content.slot > stations[name].slots:
                slots = stations[name].slots
                yield f"{name} has {slots} slots, and {content.thing} is in slot {content.slot}"
    occupants = Counter(worker.station for worker in state.workers)
    for worker, place in zip(kitchen.workers, state.workers, strict=False):
        if place.station not in stations:
            yield f"there is no {place.station}, at which {worker} stands"
    for name, number in occupants.items():
        room = stations[name].room if name in stations else None
        if room is not None and number > room:
            yield f"{name} has room for {room}, and {number} workers stand there"
    for name in state.out:
        if name not in stations and name not in kitchen.workers:
            yield f"there is no {name}, which is out of service"
