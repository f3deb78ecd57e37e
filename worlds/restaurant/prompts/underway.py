"""What can be said of the schedule under way: what it is for, what it books, what has cooked.

The schedule is carried out in the simulator from the observed state on, and whatever goes into a
dish is followed on its way: the work on it is for the order line that the dish is served to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from episodes.world import Command, Commands
from kitchen.actions import Action, Navigate, Pick, Place, Serve, Start, Wait, Work, parse_action
from kitchen.simulator import lots, name_of
from kitchen.state import Content, KitchenState
from kitchen.world import Restaurant
from orchestrator.planner import Observation


def about(observation: Observation[KitchenState]) -> dict[str, Any]:
    """Return `lines`, `booked` and `cooked`, as far as there is anything.

    `lines` says by worker, and `booked` by tool or appliance, for which line what is done from
    timestep to timestep; `cooked` has for each appliance the minutes of each slot so far.
    """
    world, state = observation.world, observation.state
    assert isinstance(world, Restaurant)
    course = _Course(world, state)
    for entry in observation.underway:
        course.follow(entry)
    cooked = {
        name: [[c.slot, state.cooked(name, c)] for c in contents if c.since is not None]
        for name, contents in state.contents.items()
    }
    found = {
        "lines": {
            worker: _spans(times)
            for worker in world.workers
            if (times := [each for each in course.done.get(worker, ()) if each[1].line])
        },
        "booked": {name: _spans(times) for name, times in course.booked.items()},
        "cooked": {name: minutes for name, minutes in cooked.items() if minutes},
    }
    return {name: data for name, data in found.items() if data}


@dataclass(eq=False)
class _Item:
    """A thing on its way, and what became one with it; `line` is the one that it is served to."""

    parts: Sequence[_Item] = ()
    line: str = ""

    def serve(self, line: str) -> None:
        """Say of this and all its parts for which line they were made."""
        self.line = line
        for part in self.parts:
            part.serve(line)


_Times = dict[str, list[tuple[int, _Item]]]
"""By worker or station the timesteps at which it is busy, each with the item."""


class _Course:
    """A schedule that is carried out: who and which station is busy with which item when."""

    def __init__(self, world: Restaurant, state: KitchenState) -> None:
        self.done: _Times = {}
        self.booked: _Times = {}
        self._world = world
        self._state = state
        self._going: dict[str, list[int]] = {}
        self._hands = {
            name: _Item()
            for name, place in zip(world.workers, state.workers, strict=True)
            if place.holding is not None
        }
        self._slots = {
            (station, content.slot): _Item()
            for station, contents in state.contents.items()
            for content in contents
        }

    def follow(self, entry: Commands) -> None:
        """Carry out one timestep."""
        self._book()
        commands = dict.fromkeys(self._world.workers, self._world.idle) | dict(entry)
        after, outcomes, _ = self._world.step(
            self._state, [Command(*each) for each in commands.items()]
        )
        contents = dict(self._state.contents)
        for worker in self._world.workers:
            if outcomes[worker].done:
                self._act(worker, parse_action(commands[worker]), contents)
        self._state = after

    def _book(self) -> None:
        """Note which tools and appliances hold something, or have a worker, at this timestep."""
        kitchen, state = self._world.kitchen, self._state
        items = {place.station: _Item() for place in state.workers}
        items |= {name: self._slots[name, c[0].slot] for name, c in state.contents.items()}
        for name, item in items.items():
            if kitchen.stations[name].kind.exclusive:
                self.booked.setdefault(name, []).append((state.timestep, item))

    def _act(self, worker: str, action: Action, contents: dict[str, tuple[Content, ...]]) -> None:
        """Follow an action; going somewhere is for what is done there."""
        if isinstance(action, Wait):
            return
        going = self._going.setdefault(worker, [])
        going.append(self._state.timestep)
        if isinstance(action, Navigate):
            return
        item = self._touched(worker, action, contents)
        self.done.setdefault(worker, []).extend((timestep, item) for timestep in going)
        going.clear()

    def _touched(
        self, worker: str, action: Action, contents: dict[str, tuple[Content, ...]]
    ) -> _Item:
        """Return the item that an action is about, once it is where the action brings it."""
        place = self._state.workers[self._world.workers.index(worker)]
        station = self._world.kitchen.stations[place.station]
        name, there = station.name, contents.get(station.name, ())
        match action:
            case Pick() if station.kind.role == "dispenser":
                item = self._hands[worker] = _Item()
            case Pick():
                slots = next(
                    slots
                    for slots, thing in lots(self._state, station, there)
                    if action.slot in (None, slots[0]) and action.food in (None, name_of(thing))
                )
                contents[name] = tuple(c for c in there if c.slot not in slots)
                item = self._hands[worker] = self._taken(name, slots)
            case Place() if place.holding is not None:
                item = self._hands.pop(worker)
                slot = min({*range(1, len(there) + 2)} - {c.slot for c in there})
                contents[name] = (*there, Content(slot, place.holding))
                self._slots[name, slot] = item
            case Work():
                item = self._taken(name, [c.slot for c in there])
                self._slots[name, 1] = item
            case Start():
                item = next(self._slots[name, c.slot] for c in there if c.since is None)
            case _:
                item = self._hands.pop(worker)
                if isinstance(action, Serve):
                    item.serve(action.line)
        return item

    def _taken(self, station: str, slots: Sequence[int]) -> _Item:
        """Return what was in these slots, as one."""
        items = [self._slots.pop((station, slot)) for slot in slots]
        return items[0] if len(items) == 1 else _Item(items)


def _spans(times: Sequence[tuple[int, _Item]]) -> list[str]:
    """Return the timesteps from first to last, each stretch with its line: `["3-7 o1.2"]`.

    What is for no line belongs to the stretch that it adjoins.
    """
    stretches: list[tuple[int, int, str]] = []
    for now, item in times:
        first, last, line = stretches[-1] if stretches else (now, now - 2, "")
        if last == now - 1 and (line == item.line or not line or not item.line):
            stretches[-1] = (first, now, line or item.line)
        else:
            stretches.append((now, now, item.line))
    return [
        " ".join(filter(None, (f"{first}-{last}" if last > first else f"{first}", line)))
        for first, last, line in stretches
    ]
