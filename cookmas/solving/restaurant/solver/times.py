"""The times of a task in a CP-SAT model: a start, and a choice among the modes of one shape.

Modes have the same shape if they differ only in their times, as by the minutes that food cooks. All
times that differ alike between the modes are the start plus one *shift*; a table says which shifts
belong together. A worker that already stands where the task begins leaves out the first walk: the
task is *linked*, and everything else has the times that it would have after that walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cookmas.solving.restaurant.scheduling.mode import Mode
from cookmas.solving.restaurant.scheduling.states import Placed
from cookmas.solving.restaurant.scheduling.tasks import Task
from cookmas.solving.restaurant.solver.cpsat import load_cpsat

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Var = cp_model.IntVar
    Time = cp_model.LinearExpr | int

Key = tuple[str, int]
"""A time of a mode: its kind, and the number within the mode.

The kinds are `begin` and `end` of a block, `arrive` and `leave` of a visit, `in` and `out` of a
stay, `put` of a filling, `lift` of a lifted slot, `empty` of a stage that is left, and `served`.
"""


def times_of(mode: Mode) -> dict[Key, int]:
    """Return all times of a mode."""
    times: dict[Key, int] = {}
    for number, (begin, end) in enumerate(mode.blocks):
        times["begin", number], times["end", number] = begin, end
    for number, visit in enumerate(mode.visits):
        times["arrive", number], times["leave", number] = visit.arrive, visit.leave
    for number, room in enumerate(room for room in mode.rooms if room.stay):
        low = (room.stay & -room.stay).bit_length() - 1
        times["in", number], times["out", number] = low, room.stay.bit_length()
    for number, filling in enumerate(mode.fillings):
        times["put", number] = filling.put
    for number, (_, _, time) in enumerate(mode.lifted):
        times["lift", number] = time
    for number, (_, time) in enumerate(mode.leaves):
        times["empty", number] = time
    if mode.served is not None:
        times["served", 0] = mode.served
    return times


def times_after_walk(mode: Mode) -> dict[Key, int]:
    """Return the times of a linked mode as if its worker had walked first."""
    later = {key: time + 1 for key, time in times_of(mode).items()}
    return later | {("begin", 0): 0, ("arrive", 0): 0}


def shape_of(mode: Mode) -> tuple[object, ...]:
    """Return a key that is equal for modes that differ only in their times."""
    return (
        len(mode.blocks),
        tuple(visit.spot for visit in mode.visits),
        tuple(room.spot for room in mode.rooms if room.stay),
        tuple((filling.stage, filling.passes) for filling in mode.fillings),
        tuple(mode.hands),
        tuple(name for name, *_ in mode.lifted),
        tuple(stage for stage, _ in mode.leaves),
    )


class Hinted(NamedTuple):
    """The mode of a task in a known schedule, its start after a walk, and whether it is linked."""

    mode: Mode
    start: int
    linked: bool


def find_hinted(modes: Sequence[Mode], placed: Placed) -> Hinted | None:
    """Return which of some modes a known schedule has; None if it has none of them."""
    shape, times = shape_of(placed.mode), times_of(placed.mode)
    for mode in modes:
        if shape_of(mode) == shape and times_of(mode) == times:
            return Hinted(mode, placed.start, False)
    after = times_after_walk(placed.mode)
    for mode in modes:
        if shape_of(mode) == shape and times_of(mode) == after:
            return Hinted(mode, placed.start - 1, True)
    return None


class TaskTimes:
    """A task in a model: its `start`, and its times as expressions.

    `modes` have one shape. `forced` tasks count their times from now. `linked` is whether the
    worker already stands where the task begins; None for a forced task. `present` is whether the
    task is done; None if it must be.
    """

    def __init__(
        self,
        model: cp_model.CpModel,
        task: Task | None,
        modes: Sequence[Mode],
        horizon: int,
        forced: bool,
        hinted: Hinted | None,
    ) -> None:
        self.task = task
        self.modes = modes
        self.forced = forced
        self.present: Var | None = None
        self.linked: Var | None = None
        self.start: Var = model.new_int_var(0 if forced else -1, 0 if forced else horizon, "")
        self.begin: Var = self.start
        self._tables = [times_of(mode) for mode in modes]
        self._shifts: dict[tuple[int, ...], Var] = {}
        shifted: dict[tuple[int, ...], Var] = {}
        self._times: dict[Key, Time] = {}
        known = times_of(hinted.mode) if hinted else {}
        first = self._tables[0]
        cp = load_cpsat()
        for key, base in first.items():
            shift = tuple(table[key] - base for table in self._tables)
            if not any(shift):
                self._times[key] = self.start + base
                continue
            if shift not in self._shifts:
                domain = cp.Domain.FromValues(sorted(set(shift)))
                self._shifts[shift] = model.new_int_var_from_domain(domain, "")
                shifted[shift] = model.new_int_var(-1, 2 * horizon, "")
                model.add(shifted[shift] == self.start + self._shifts[shift])
                if hinted:
                    model.add_hint(self._shifts[shift], known[key] - base)
                    model.add_hint(shifted[shift], hinted.start + known[key] - base)
            self._times[key] = shifted[shift] + base
        if self._shifts:
            rows = sorted({tuple(shift[n] for shift in self._shifts) for n in range(len(modes))})
            model.add_allowed_assignments(list(self._shifts.values()), rows)
        if not forced:
            self.linked = model.new_bool_var("")
            self.begin = model.new_int_var(0, horizon, "")
            model.add(self.begin == self.start + self.linked)
            if hinted:
                model.add_hint(self.start, hinted.start)
                model.add_hint(self.linked, hinted.linked)
                model.add_hint(self.begin, hinted.start + hinted.linked)

    @property
    def mode(self) -> Mode:
        """A mode of the shape."""
        return self.modes[0]

    def at(self, kind: str, number: int = 0) -> Time:
        """Return a time by its key; that of the first walk may be saved."""
        if number == 0 and kind in ("begin", "arrive"):
            return self.begin
        return self._times[kind, number]

    def visits(self) -> Iterator[tuple[int, Time, Time]]:
        """Yield the number of each visit, its arrival and its end."""
        for number in range(len(self.mode.visits)):
            yield number, self.at("arrive", number), self.at("leave", number)

    def find_chosen(self, value: Callable[[Any], int]) -> Mode:
        """Return the mode that a solution chose, by the values of its variables."""
        found = {shift: value(var) for shift, var in self._shifts.items()}
        return next(
            mode
            for number, mode in enumerate(self.modes)
            if all(shift[number] == at for shift, at in found.items())
        )
