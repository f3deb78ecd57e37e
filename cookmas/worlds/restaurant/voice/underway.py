"""A summary of the active schedule, for prompts.

It shows which lines the schedule serves, which tools and appliances it occupies and when, which
food has cooked, who stands in the way, and which lines are left out. The module simulates the
schedule from the observed state and tracks all food on its way to a dish. Work on this food counts
for the order line to which the dish is served.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cookmas.episodes.world import Command, Commands
from cookmas.kitchen.actions import (
    Action,
    Navigate,
    Pick,
    Place,
    Serve,
    Start,
    Wait,
    Work,
    parse_action,
)
from cookmas.kitchen.simulator import Reason, lots, name_of
from cookmas.kitchen.state import Content, KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import Observation


def describe_schedule(observation: Observation[KitchenState]) -> dict[str, Any]:
    """Return `lines`, `booked`, `cooked`, `in_the_way` and `unserved`; empty ones are left out.

    For each worker, `lines` has the spans of timesteps in which it works, each with the order line
    that it works for. For each tool or appliance, `booked` has the spans in which it is occupied,
    each with the order line. For each appliance, `cooked` has the minutes that the food in each
    slot has cooked so far. `in_the_way` names the workers that wait where another one cannot enter
    because of it. `unserved` has the open order lines that the schedule does not serve.
    """
    world, state = observation.world, observation.state
    assert isinstance(world, Restaurant)
    course = _Course(world, state)
    for entry in observation.underway:
        course.follow(entry)
    cooked = {
        name: [[c.slot, state.minutes_cooked(name, c)] for c in contents if c.since is not None]
        for name, contents in state.contents.items()
    }
    summary = {
        "lines": {
            worker: _spans(times)
            for worker in world.workers
            if (times := [each for each in course.done.get(worker, ()) if each[1].line])
        },
        "booked": {name: _spans(times) for name, times in course.booked.items()},
        "cooked": {name: minutes for name, minutes in cooked.items() if minutes},
        "in_the_way": course.in_the_way,
        "unserved": [line for line in state.open_lines() if line not in course.served],
    }
    return {name: data for name, data in summary.items() if data}


@dataclass(eq=False)
class _Item:
    """A thing that the simulation tracks."""

    parts: Sequence[_Item] = ()
    """The items that were joined into this one."""
    line: str = ""
    """The order line to which the item is served; empty if it is not served."""

    def serve(self, line: str) -> None:
        """Set the order line of this item and of all its parts."""
        self.line = line
        for part in self.parts:
            part.serve(line)


_Times = dict[str, list[tuple[int, _Item]]]
"""For each worker or station, the timesteps at which it is busy, each with the item."""


class _Course:
    """A simulation of a schedule that records when workers and stations are busy with an item."""

    def __init__(self, world: Restaurant, state: KitchenState) -> None:
        self.done: _Times = {}
        self.booked: _Times = {}
        self.in_the_way: list[str] = []
        self.served: set[str] = set()
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
        """Carry out one timestep of the schedule; `entry` has the actions of the workers."""
        self._book()
        commands = dict.fromkeys(self._world.workers, self._world.idle) | dict(entry)
        after, outcomes, _ = self._world.step(
            self._state, [Command(*each) for each in commands.items()]
        )
        contents = dict(self._state.contents)
        for worker in self._world.workers:
            action = parse_action(commands[worker])
            if outcomes[worker].done:
                self._act(worker, action, contents)
            elif isinstance(action, Navigate) and outcomes[worker].fail == Reason.OCCUPIED:
                self._find_waiting(worker, action.station, commands)
        self._state = after

    def _find_waiting(self, kept_out: str, station: str, commands: Mapping[str, str]) -> None:
        """Note the workers that wait at a station that another one cannot enter."""
        now = self._state.timestep
        self.in_the_way += [
            f"{worker} stands at {station}, which {kept_out} enters at {now}"
            for worker, place in zip(self._world.workers, self._state.workers, strict=True)
            if place.station == station and commands[worker] == self._world.idle
        ]

    def _book(self) -> None:
        """Record the tools and appliances that hold something or have a worker at this timestep."""
        kitchen, state = self._world.kitchen, self._state
        items = {place.station: _Item() for place in state.workers}
        items |= {name: self._slots[name, c[0].slot] for name, c in state.contents.items()}
        for name, item in items.items():
            if kitchen.stations[name].kind.exclusive:
                self.booked.setdefault(name, []).append((state.timestep, item))

    def _act(self, worker: str, action: Action, contents: dict[str, tuple[Content, ...]]) -> None:
        """Record the item for which a worker acts.

        A navigation counts for the item of the worker's next action.
        """
        if isinstance(action, Wait):
            return
        going = self._going.setdefault(worker, [])
        going.append(self._state.timestep)
        if isinstance(action, Navigate):
            return
        item = self._move_item(worker, action, contents)
        self.done.setdefault(worker, []).extend((timestep, item) for timestep in going)
        going.clear()

    def _move_item(
        self, worker: str, action: Action, contents: dict[str, tuple[Content, ...]]
    ) -> _Item:
        """Return the item of an action, and move it to where the action puts it."""
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
                item = self._hands[worker] = self._take(name, slots)
            case Place() if place.holding is not None:
                item = self._hands.pop(worker)
                slot = min({*range(1, len(there) + 2)} - {c.slot for c in there})
                contents[name] = (*there, Content(slot, place.holding))
                self._slots[name, slot] = item
            case Work():
                item = self._take(name, [c.slot for c in there])
                self._slots[name, 1] = item
            case Start():
                item = next(self._slots[name, c.slot] for c in there if c.since is None)
            case _:
                item = self._hands.pop(worker)
                if isinstance(action, Serve):
                    item.serve(action.line)
                    self.served.add(action.line)
        return item

    def _take(self, station: str, slots: Sequence[int]) -> _Item:
        """Remove the items in these slots and return them as one."""
        items = [self._slots.pop((station, slot)) for slot in slots]
        return items[0] if len(items) == 1 else _Item(items)


def _spans(times: Sequence[tuple[int, _Item]]) -> list[str]:
    """Return the timesteps as spans with their order line, such as `["3-7 o1.2"]`.

    A timestep without a line joins the adjacent span.
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
