"""Decoding: from placed modes to a schedule with one action for each worker and timestep.

| constraint | method |
|---|---|
| one worker does a block from its start to its end | `_assign` |
| a slot must be named if a station has several | `_Slots` |
| an idle worker leaves room for others | `_step_aside` |
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, NamedTuple

from cookmas.episodes.parts import SearchRecord, SearchStatus
from cookmas.kitchen.actions import Action, Discard, Navigate, Pick, Place, Serve, Start, Wait, Work
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.stages import FoodInSlot, Stage
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.scheduling.mode import Op
from cookmas.solving.restaurant.scheduling.states import Placed, Solution

Schedule = list[dict[str, str]]
"""For each timestep from now on, the action of each worker in text."""

Fallback = Literal["waiting"]
"""The schedule that is returned if no search finds one: it waits for a few timesteps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleResult:
    """The result of scheduling."""

    status: SearchStatus
    """How much the schedule serves, or why there is none."""
    schedule: Schedule
    """The actions of each timestep; empty if there is no schedule."""
    bound: int | None = None
    """Lower bound, in timesteps, for everything that can be served now; None if there is none."""
    model_bound: int | None = None
    """Lower bound of every schedule in a solver's model; None if no solver was asked."""
    configuration: str | None = None
    """Name of the search configuration that found the schedule; None if the schedule waits."""
    effort: int = 0
    """Number of partial schedules that the search expanded."""
    fallback: Fallback | None = None
    """Which fallback the schedule is; None if it is none."""
    blocked: tuple[str, ...] = ()
    """Why the rest cannot be scheduled now, one sentence for each reason."""

    def record(self) -> SearchRecord:
        """Return the part of the result that a plan's record in the trace has."""
        return SearchRecord(
            status=self.status,
            bound=self.bound,
            model_bound=self.model_bound,
            configuration=self.configuration,
            effort=self.effort,
            fallback=self.fallback,
            blocked=[*self.blocked] or None,
        )


Rows = list[list[Action]]
"""For each timestep from now on, the action of each worker."""


class Improvement(NamedTuple):
    """The result of a solver that began with a known schedule."""

    rows: Rows | None
    """The actions; None if the solver found no schedule."""
    bound: int | None
    """Lower bound of every schedule in the solver's model, in timesteps; None if the known schedule
    is not in the model, nor a shorter one.
    """
    name: str
    """Name of the solver."""


def decode(kitchen: Kitchen, state: KitchenState, stages: list[Stage], found: Solution) -> Rows:
    """Return the actions of a solution.

    A worker with nothing to do leaves a station that has limited room.
    """
    worker_of = _assign(kitchen, state, found)
    length = max((p.start + p.mode.end for p in found.placed), default=0)
    grid: list[list[Action | None]] = [[None] * len(kitchen.workers) for _ in range(length)]
    slots = _Slots(kitchen, state, stages)
    acts = [
        _Act(placed.start + op.time, worker_of[placed.blocks[op.block]], placed, op)
        for placed in found.placed
        for op in placed.mode.ops
    ]
    for act in sorted(acts, key=attrgetter("time", "worker")):
        grid[act.time][act.worker] = _action(kitchen, act.placed, act.op, slots)
    return _step_aside(kitchen, state, grid)


class _Act(NamedTuple):
    """An action of a worker at a timestep."""

    time: int
    worker: int
    placed: Placed
    op: Op


def until_missed(found: Solution) -> int | None:
    """Return the number of timesteps before the first planned visit to a station that is out of
    service; None if there is no such visit.
    """
    return min(
        (
            placed.start + visit.arrive
            for placed in found.placed
            for visit in placed.mode.visits
            if placed.spots.get(visit.spot) in found.missing
        ),
        default=None,
    )


def _assign(kitchen: Kitchen, state: KitchenState, found: Solution) -> dict[int, int]:
    """Assign each block of work to the worker that must do it, or else to the first free one."""
    spans: dict[int, tuple[int, int]] = {}
    for placed in found.placed:
        for number, (start, end) in zip(placed.blocks, placed.mode.blocks, strict=True):
            begin, until = placed.start + start, placed.start + end
            known = spans.get(number, (begin, until))
            spans[number] = (min(begin, known[0]), max(until, known[1]))
    free_at = {i: 0 for i, name in enumerate(kitchen.workers) if name not in state.out}
    worker_of: dict[int, int] = {}
    for number in sorted(spans, key=lambda n: (n not in found.pinned, spans[n][0], n)):
        begin, until = spans[number]
        if number in found.pinned:
            worker_of[number] = found.pinned[number]
        else:
            worker_of[number] = next(w for w, free in free_at.items() if free <= begin)
        free_at[worker_of[number]] = until
    return worker_of


class _Slots:
    """The slots that are taken at each station, and the slot of each stage.

    A food is placed in the lowest free slot. The stations in `single` hold only one stage at a
    time.
    """

    def __init__(self, kitchen: Kitchen, state: KitchenState, stages: list[Stage]) -> None:
        self.taken = {
            name: {content.slot for content in contents}
            for name, contents in state.contents.items()
        }
        self.of_stage: dict[int, int] = {}
        self.single = {
            s.name for s in kitchen.stations.values() if s.kind.role == "tool" or s.kind.vessel
        }
        for number, stage in enumerate(stages):
            first = stage.inputs[0].source
            if stage.station is not None and isinstance(first, FoodInSlot):
                self.of_stage[number] = first.slot

    def fill(self, station: str, stage: int) -> None:
        taken = self.taken.setdefault(station, set())
        slot = next(n for n in range(1, len(taken) + 2) if n not in taken)
        taken.add(slot)
        self.of_stage[stage] = slot

    def empty(self, station: str, op: Op) -> int | None:
        """Free the slot of a `pick`. Return the slot if the action has to name it, else None."""
        if op.slot:
            self.taken[station].discard(op.slot)
            return op.slot
        if station in self.single:
            return None
        slot = self.of_stage[op.spot.stage]
        self.taken[station].discard(slot)
        return slot


def _action(kitchen: Kitchen, placed: Placed, op: Op, slots: _Slots) -> Action:
    station = placed.spots.get(op.spot) or op.spot.station
    match op.verb:
        case "nav":
            return Navigate(station)
        case "aside":
            return Navigate(kitchen.aisle)
        case "pick":
            if op.word:
                return Pick(op.word)
            return Pick(None, slots.empty(station, op))
        case "place":
            if station not in slots.single:
                slots.fill(station, op.spot.stage)
            return Place()
        case "work":
            return Work(op.word)
        case "start":
            return Start()
        case "discard":
            return Discard()
        case "serve":
            return Serve(op.word)


def _step_aside(kitchen: Kitchen, state: KitchenState, grid: list[list[Action | None]]) -> Rows:
    places = [worker.station for worker in state.workers]
    wait, aside = Wait(), Navigate(kitchen.aisle)
    rows: Rows = []
    for planned in grid:
        actions: list[Action] = []
        for worker, (name, action) in enumerate(zip(kitchen.workers, planned, strict=True)):
            if action is None:
                idle = kitchen.stations[places[worker]].room is None or name in state.out
                action = wait if idle else aside
            if isinstance(action, Navigate):
                places[worker] = action.station
            actions.append(action)
        rows.append(actions)
    return rows
