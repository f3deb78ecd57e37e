"""The simulator: one timestep of the kitchen as a pure function.

    state, outcomes = step(kitchen, state, [Navigate("fridge"), Wait(), Wait()])

The page docs/explanation/kitchen-rules.md states the rules. Within a timestep they apply in the
order of this module. First all workers that navigate leave and arrive. Then the other workers act,
in the order of the workers. Then the clocks advance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from cookmas.episodes.world import DONE, Outcome
from cookmas.kitchen.actions import Action, Discard, Navigate, Pick, Place, Serve, Start, Work
from cookmas.kitchen.foods import PLATE, Dish, Food, Plate, Thing, join, make_dish, make_raw
from cookmas.kitchen.layout import ASSEMBLE, PLATE_NAME, Kitchen, Station
from cookmas.kitchen.state import (
    Content,
    KitchenState,
    OrderLine,
    Outage,
    WorkerState,
    shift_clocks,
)

RULES = "2"
"""Version of the rules.

Every change of what an action does raises it; the page of the rules lists the versions.
"""


class Reason(StrEnum):
    """The closed list of reasons for which an action FAILs."""

    OCCUPIED = "occupied"
    UNKNOWN_STATION = "unknown_station"
    WRONG_STATION = "wrong_station"
    OUT_OF_SERVICE = "out_of_service"
    HANDS_FULL = "hands_full"
    HANDS_EMPTY = "hands_empty"
    NOT_HERE = "not_here"
    OUT_OF_STOCK = "out_of_stock"
    NO_ROOM = "no_room"
    UNSUITABLE = "unsuitable"
    NOTHING_TO_DO = "nothing_to_do"
    UNKNOWN_LINE = "unknown_line"
    CLOSED_LINE = "closed_line"
    NO_ACTION = "no_action"


def step(
    kitchen: Kitchen, state: KitchenState, actions: Sequence[Action]
) -> tuple[KitchenState, tuple[Outcome, ...]]:
    """Carry out one action for each worker, in the kitchen's order of workers.

    Returns the state of the next timestep and one outcome for each worker. An action that FAILs
    changes nothing. Raises ValueError if there is not exactly one action for each worker.
    """
    if len(actions) != len(state.workers):
        raise ValueError(
            f"expected {len(state.workers)} actions, one for each worker, not {len(actions)}"
        )
    draft = _Draft(kitchen, state)
    outcomes = [DONE] * len(actions)
    going = {w: action.station for w, action in enumerate(actions) if type(action) is Navigate}
    if going:
        _navigate(draft, going, outcomes)
    for worker, action in enumerate(actions):
        act = _ACTS.get(type(action))
        if act is not None:
            if state.out and kitchen.workers[worker] in state.out:
                outcomes[worker] = _out_of_service(kitchen.workers[worker])
            else:
                outcomes[worker] = act(draft, worker, action)
    return draft.next_state(), tuple(outcomes)


class _Draft:
    """The next state under construction, which the actions of a timestep change in place."""

    __slots__ = ("contents", "kitchen", "lines", "now", "out", "state", "stock", "workers")

    def __init__(self, kitchen: Kitchen, state: KitchenState) -> None:
        self.kitchen = kitchen
        self.state = state
        self.now = state.timestep
        self.workers = list(state.workers)
        self.contents = dict(state.contents)
        self.out: Mapping[str, Outage] = state.out
        self.stock: Mapping[str, int] = state.stock
        self.lines: Mapping[str, OrderLine] = state.lines

    def next_state(self) -> KitchenState:
        then = self.now + 1
        if self.out:
            back = {name: o for name, o in self.out.items() if o.until <= then}
            for name, outage in back.items():
                if name in self.contents:
                    pause = then - outage.since
                    self.contents[name] = shift_clocks(self.contents[name], pause)
            if back:
                self.out = {name: o for name, o in self.out.items() if name not in back}
        gone = self.state.gone
        if leaving := self.state.lines_to_leave():
            gone += sum(self.lines[name].status == "served" for name in leaving)
            self.lines = {name: x for name, x in self.lines.items() if name not in leaving}
        workers = tuple(self.workers)
        return KitchenState(then, workers, self.contents, self.out, self.stock, self.lines, gone)


def _out_of_service(name: str) -> Outcome:
    return Outcome(Reason.OUT_OF_SERVICE, f"{name} is out of service.")


def _fail_at_wrong_station(action: Action, station: Station) -> Outcome:
    return Outcome(Reason.WRONG_STATION, f"{action} cannot be done at {station.name}.")


def _navigate(draft: _Draft, going: dict[int, str], outcomes: list[Outcome]) -> None:
    """Let all navigating workers leave, then arrive; a worker that cannot arrive has never left.

    A worker that stays behind takes up room and may keep others out. So the arrivals are settled
    again until nothing changes. Every round keeps out at least one more worker.
    """
    workers, kitchen = draft.workers, draft.kitchen
    for worker, target in tuple(going.items()):
        if draft.out and kitchen.workers[worker] in draft.out:
            outcomes[worker] = _out_of_service(kitchen.workers[worker])
        elif target not in kitchen.stations:
            outcomes[worker] = Outcome(
                Reason.UNKNOWN_STATION, f"There is no station {target!r} in this kitchen."
            )
        elif target != workers[worker].station:
            continue
        del going[worker]
    while going and (late := _find_kept_out(kitchen, workers, going)):
        for worker in late:
            target = going.pop(worker)
            outcomes[worker] = Outcome(Reason.OCCUPIED, f"{target} is occupied.")
    for worker, target in going.items():
        workers[worker] = WorkerState(target, workers[worker].holding)


def _find_kept_out(
    kitchen: Kitchen, workers: Sequence[WorkerState], going: Mapping[int, str]
) -> list[int]:
    """Return the navigating workers for which there is no room at their target."""
    there = [place.station for worker, place in enumerate(workers) if worker not in going]
    late: list[int] = []
    for worker, target in going.items():
        room = kitchen.stations[target].room
        if room is not None:
            if there.count(target) >= room:
                late.append(worker)
            there.append(target)
    return late


def _pick(draft: _Draft, worker: int, action: Pick) -> Outcome:
    place = draft.workers[worker]
    station = draft.kitchen.stations[place.station]
    if station.kind.role not in ("dispenser", "counter", "tool", "appliance"):
        return _fail_at_wrong_station(action, station)
    if place.holding is not None:
        return Outcome(Reason.HANDS_FULL, f"The hand already holds {place.holding}.")
    if station.kind.role == "dispenser":
        return _dispense(draft, worker, action, station)
    contents = draft.contents.get(station.name, ())
    for slots, thing in lots(draft.state, station, contents):
        if action.slot in (None, slots[0]) and action.food in (None, name_of(thing)):
            if len(slots) == len(contents):
                del draft.contents[station.name]
            else:
                draft.contents[station.name] = tuple([c for c in contents if c.slot not in slots])
            draft.workers[worker] = WorkerState(place.station, thing)
            return DONE
    unassembled = action.food == "dish" and station.kind.name == "plating" and contents
    missing = ": assemble is missing" if unassembled else ""
    return Outcome(Reason.NOT_HERE, f"{action} finds nothing at {station.name}{missing}.")


def lots(
    state: KitchenState, station: Station, contents: tuple[Content, ...]
) -> list[tuple[tuple[int, ...], Thing]]:
    """Return the things that a worker can take out of a station, from the lowest slot on.

    Each entry has the slots and the thing as it would come out now. Foods that have cooked together
    in a pot or pan are one entry with several slots.
    """
    entries: list[tuple[tuple[int, ...], Thing]] = []
    together: list[tuple[int, Food]] = []
    first = 0
    for content in contents:
        slot, thing, since = content
        if since is not None and isinstance(thing, Food):
            minutes = state.minutes_cooked(station.name, content)
            thing = thing.apply(station.kind.processes[0], minutes)
            if minutes and station.kind.vessel:
                first = first if together else len(entries)
                together.append((slot, thing))
                continue
        entries.append(((slot,), thing))
    if together:
        slots, foods = zip(*together, strict=True)
        entries.insert(first, (slots, join(foods)))
    return entries


def name_of(thing: Thing) -> str:
    """Return the name by which `pick` refers to a thing."""
    if isinstance(thing, Food):
        return thing.name
    return PLATE_NAME if isinstance(thing, Plate) else "dish"


def _dispense(draft: _Draft, worker: int, action: Pick, station: Station) -> Outcome:
    if station.name in draft.out:
        return _out_of_service(station.name)
    name = action.food
    if name is None and station.kind.name == "plates":
        name = PLATE_NAME
    where = "plates" if name == PLATE_NAME else draft.kitchen.larder.get(name or "")
    if name is None or where != station.kind.name or action.slot is not None:
        return Outcome(Reason.NOT_HERE, f"{action} finds nothing at {station.name}.")
    if name in draft.stock:
        left = draft.stock[name]
        if left == 0:
            return Outcome(Reason.OUT_OF_STOCK, f"There is no {name} left.")
        draft.stock = {**draft.stock, name: left - 1}
    thing = PLATE if name == PLATE_NAME else make_raw(name)
    draft.workers[worker] = WorkerState(station.name, thing)
    return DONE


def _place(draft: _Draft, worker: int, action: Place) -> Outcome:
    place = draft.workers[worker]
    station = draft.kitchen.stations[place.station]
    thing = place.holding
    if station.kind.role not in ("counter", "tool", "appliance"):
        return _fail_at_wrong_station(action, station)
    if thing is None:
        return Outcome(Reason.HANDS_EMPTY, "There is nothing in the hand to place.")
    if station.name in draft.out:
        return _out_of_service(station.name)
    contents = draft.contents.get(station.name, ())
    if refused := refusal_to_hold(station, contents, thing):
        return refused
    below = 0
    while below < len(contents) and contents[below].slot == below + 1:
        below += 1
    placed = Content(below + 1, thing)
    draft.contents[station.name] = (*contents[:below], placed, *contents[below:])
    draft.workers[worker] = WorkerState(place.station)
    return DONE


def refusal_to_hold(
    station: Station, contents: tuple[Content, ...], thing: Thing
) -> Outcome | None:
    """Return why a thing cannot be placed at a station with these contents; None if it can."""
    kind = station.kind
    if kind.role != "counter" and kind.name != "plating" and not isinstance(thing, Food):
        return Outcome(Reason.UNSUITABLE, f"A {name_of(thing)} does not belong on {station.name}.")
    if not _has_room(station, contents, thing):
        return Outcome(Reason.NO_ROOM, f"{station.name} has no room for {name_of(thing)}.")
    return None


def _has_room(station: Station, contents: tuple[Content, ...], thing: Thing) -> bool:
    if len(contents) >= station.slots:
        return False
    if station.kind.name != "plating":
        return True
    if isinstance(thing, Dish):
        return not contents
    kinds = {type(content.thing) for content in contents}
    return Dish not in kinds and not (isinstance(thing, Plate) and Plate in kinds)


def can_work(contents: tuple[Content, ...], process: str) -> bool:
    """Return whether there is food for the process.

    To assemble takes a plate and a food, or two foods.
    """
    foods = sum([isinstance(content.thing, Food) for content in contents])
    least = 2 if process == ASSEMBLE and foods == len(contents) else 1
    return foods >= least


def can_start(contents: tuple[Content, ...]) -> bool:
    """Return whether a station holds something that is not cooking yet."""
    return any(content.since is None for content in contents)


def _work(draft: _Draft, worker: int, action: Work) -> Outcome:
    place = draft.workers[worker]
    station = draft.kitchen.stations[place.station]
    if station.kind.role != "tool" or action.process not in station.kind.processes:
        return _fail_at_wrong_station(action, station)
    if place.holding is not None:
        return Outcome(Reason.HANDS_FULL, f"{action} needs an empty hand.")
    if station.name in draft.out:
        return _out_of_service(station.name)
    contents = draft.contents.get(station.name, ())
    if not can_work(contents, action.process):
        return Outcome(Reason.NOTHING_TO_DO, f"There is nothing to {action} at {station.name}.")
    foods = tuple([c.thing for c in contents if isinstance(c.thing, Food)])
    product: Thing
    if action.process == ASSEMBLE and len(foods) < len(contents):
        product = make_dish(foods)
    else:
        product = join(foods).apply(action.process, 1)
    draft.contents[station.name] = (Content(1, product),)
    return DONE


def _start(draft: _Draft, worker: int, action: Start) -> Outcome:
    place = draft.workers[worker]
    station = draft.kitchen.stations[place.station]
    if station.kind.role != "appliance":
        return _fail_at_wrong_station(action, station)
    if place.holding is not None:
        return Outcome(Reason.HANDS_FULL, "start needs an empty hand.")
    if station.name in draft.out:
        return _out_of_service(station.name)
    contents = draft.contents.get(station.name, ())
    if not can_start(contents):
        return Outcome(Reason.NOTHING_TO_DO, f"There is nothing to start at {station.name}.")
    now = draft.now
    draft.contents[station.name] = tuple(
        [Content(c.slot, c.thing, now) if c.since is None else c for c in contents]
    )
    return DONE


def _serve(draft: _Draft, worker: int, action: Serve) -> Outcome:
    place = draft.workers[worker]
    station = draft.kitchen.stations[place.station]
    if station.kind.role != "pass":
        return _fail_at_wrong_station(action, station)
    if place.holding is None:
        return Outcome(Reason.HANDS_EMPTY, "There is no dish in the hand to serve.")
    if station.name in draft.out:
        return _out_of_service(station.name)
    if not isinstance(place.holding, Dish):
        why = (
            f"{place.holding} is no dish: assemble is missing, which makes one of plate and foods."
        )
        return Outcome(Reason.UNSUITABLE, why)
    line = draft.lines.get(action.line)
    if line is None:
        return Outcome(Reason.UNKNOWN_LINE, f"There is no order line {action.line!r}.")
    if line.status != "open":
        return Outcome(Reason.CLOSED_LINE, f"Order line {action.line} is already {line.status}.")
    served = line._replace(status="served", closed_at=draft.now)
    draft.lines = {**draft.lines, action.line: served}
    draft.workers[worker] = WorkerState(place.station)
    return DONE


def _discard(draft: _Draft, worker: int, action: Discard) -> Outcome:
    place = draft.workers[worker]
    station = draft.kitchen.stations[place.station]
    if station.kind.role != "bin":
        return _fail_at_wrong_station(action, station)
    if place.holding is None:
        return Outcome(Reason.HANDS_EMPTY, "There is nothing in the hand to discard.")
    if station.name in draft.out:
        return _out_of_service(station.name)
    draft.workers[worker] = WorkerState(place.station)
    return DONE


_ACTS: Mapping[type[Action], Callable[[_Draft, int, Any], Outcome]] = {
    Pick: _pick,
    Place: _place,
    Work: _work,
    Start: _start,
    Serve: _serve,
    Discard: _discard,
}
