"""The workers in a model of the rules: when each is busy, and at which station it stands."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cookmas.kitchen.layout import Kitchen, Station
from cookmas.solving.restaurant.solver.cpsat import load_cpsat

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Var = cp_model.IntVar
    Time = cp_model.LinearExprT
    Interval = cp_model.IntervalVar


class Labour:
    """A model of the workers of a kitchen until the `makespan`, which a solver minimizes.

    It is at most `horizon` timesteps.
    """

    def __init__(self, kitchen: Kitchen, horizon: int) -> None:
        self.kitchen = kitchen
        self.horizon = horizon
        self.model: cp_model.CpModel = load_cpsat().CpModel()
        self.makespan = self._time()
        self._busy: list[Interval] = []
        self._energy: dict[int, list[Time]] = defaultdict(list)
        self._visits: dict[str, list[Interval]] = defaultdict(list)
        self.model.minimize(self.makespan)

    def _time(self) -> Var:
        return self.model.new_int_var(0, self.horizon, "")

    def _bool(self) -> Var:
        return self.model.new_bool_var("")

    def _interval(
        self, begin: Time, size: Time, end: Time, when: cp_model.LiteralT | None = None
    ) -> Interval:
        if when is None:
            return self.model.new_interval_var(begin, size, end, "")
        return self.model.new_optional_interval_var(begin, size, end, when, "")

    def _occupy(
        self, begin: Time, size: Time, end: Time, tail: int, when: cp_model.LiteralT | None = None
    ) -> None:
        """Let a worker be busy; the makespan is at least `tail` timesteps after the end."""
        self._busy.append(self._interval(begin, size, end, when))
        if when is None:
            self._energy[tail].append(size)
        elif isinstance(size, int):
            self._energy[tail].append(int(size) * when)

    def _act(
        self, kind: str, act: Var, busy: int, tail: int, when: cp_model.LiteralT | None = None
    ) -> Var:
        """Let a worker act at a kind of station, and be busy for some timesteps from then on.

        Return whether the worker walks there just before, or waits there, so that it is busy one
        timestep more.
        """
        lead, begin = self._bool(), self.model.new_int_var(-1, self.horizon, "")
        self.model.add(begin == act - lead)
        self._visits[kind].append(self._interval(begin, 1 + lead, act + 1, when))
        self._occupy(begin, busy + lead, act + busy, tail, when)
        if when is not None:
            self._energy[tail].append(busy * when)
        return lead

    def _is(self, this: Time, that: Time) -> Var:
        """Return a truth value that implies that two times are equal."""
        same = self._bool()
        self.model.add(this == that).only_enforce_if(same)
        return same

    def _list_stations(self, kind: str) -> list[Station]:
        return [s for s in self.kitchen.stations.values() if s.kind.name == kind]

    def _stations(self, kind: str) -> int:
        return len(self._list_stations(kind))

    def _slots(self, kind: str) -> int:
        return sum(s.slots for s in self._list_stations(kind))

    def _limit_workers(self) -> None:
        """Let no more workers be busy at a timestep than there are."""
        workers = len(self.kitchen.workers)
        self.model.add_cumulative(self._busy, [1] * len(self._busy), workers)
        done: list[Time] = []
        for tail in sorted(self._energy, reverse=True):
            done += self._energy[tail]
            self.model.add(sum(done) <= workers * (self.makespan - tail))

    def _limit_room(self) -> None:
        """Let one worker at a time be at each station.

        A worker is there from its walk on; another one can come when it leaves.
        """
        for kind, visits in self._visits.items():
            self.model.add_cumulative(visits, [1] * len(visits), self._stations(kind))

    @staticmethod
    def holds(kitchen: Kitchen) -> bool:
        """Return whether each tool and appliance of a kitchen has room for one worker."""
        return all(
            station.room == 1
            for station in kitchen.stations.values()
            if station.kind.role in ("tool", "appliance")
        )
