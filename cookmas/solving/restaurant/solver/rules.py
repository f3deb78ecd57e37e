"""The rules of the simulator that every schedule keeps: a model whose optimum is a lower bound.

The model has the events that every schedule of the dishes needs: for each food and each
stage (`cookmas.kitchen.stages`) the last placing before the stage begins, each timestep of work,
each starting, and the taking out at the end. The events may be done by any workers, and far apart
in time. So every schedule of the simulator gives a solution of the model, and none is shorter than
the model's optimum. The reverse does not hold.

| rule of the kitchen | method |
|---|---|
| a worker that picks a food does nothing else until it is placed | `_carry` |
| a worker that does not stand at a station walks there first: a *lead* | `Labour._act`, `_follow` |
| work takes as many timesteps as the recipe says, with an empty hand | `_work` |
| food cooks for the minutes of the recipe, or it is interrupted and carried | `_cook` |
| one `start` starts all that lies in an appliance | `_share_starts` |
| who has placed a food may take out another one at once | `_take_out` |
| a worker does one thing at a timestep | `Labour._limit_workers` |
| a station has room for one worker | `Labour._limit_room`, `_meet` |
| a slot has one food, a tool or vessel one stage | `_limit_slots` |
| a line is served from its order on | `_serve` |

The bound is lower than need be where a schedule lets food wait elsewhere or interrupts its cooking:
of that only the least is counted. Faults are left out. Where several workers have room at a tool or
an appliance, the model does not hold.

`Labour` has the workers: when each is busy, and at which station it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cookmas.kitchen.layout import KINDS, Kitchen, Station
from cookmas.kitchen.stages import Fetch, Input, Made, Stage, Workload
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


def duration_of(stage: Stage, entry: Input) -> int:
    """Return the least time from after a food is placed in a stage until it is taken out."""
    return entry.low if stage.cooks else len(stage.work)


class _Events:
    """The events of a stage.

    `puts` are the last placings of its inputs before it begins. `acts` are the timesteps of its
    work, or those at which its inputs are started. `out` is the taking out. `whole` is true if the
    work or the cooking is in one piece. `paid` has whether a start is counted here (see
    `RulesModel._share_starts`), `lead` whether a worker walks to it,
    and `walks` whether a worker walks to the taking out. `linked` has whether who placed
    a food here took another one out.
    """

    def __init__(self, stage: Stage, out: Var, whole: Var) -> None:
        self.stage = stage
        self.out = out
        self.whole = whole
        self.tail = 0
        self.puts: list[Var] = []
        self.acts: list[Var] = []
        self.paid: Var | None = None
        self.lead: Var | None = None
        self.walks = whole
        self.linked: list[Var] = []


class RulesModel(Labour):
    """The model of fresh dishes in a kitchen, each served at its release or later.

    `horizon` is the greatest makespan that is asked about. With `steady`, no clock of a station
    ever stops.
    """

    def __init__(
        self,
        kitchen: Kitchen,
        work: Workload,
        release: Mapping[str, int],
        horizon: int,
        steady: bool = True,
    ) -> None:
        super().__init__(kitchen, horizon)
        self.work = work
        self.steady = steady
        self._tails = self._find_tails()
        self._events = [_Events(stage, self._time(), self._bool()) for stage in work.stages]
        self._of_kind: dict[str, list[_Events]] = defaultdict(list)
        for number, events in enumerate(self._events):
            events.tail = self._tails[number]
            self._of_kind[events.stage.kind].append(events)
            for entry in events.stage.inputs:
                source = entry.source
                tail = duration_of(events.stage, entry) + self._tails[number]
                if isinstance(source, Fetch):
                    pick = self._fetch(tail)
                else:
                    assert isinstance(source, Made)
                    pick = self._events[source.stage].out
                events.puts.append(self._carry(pick, tail))
            self._meet(events)
        for events in self._events:
            if events.stage.cooks:
                self._cook(events)
            else:
                self._work(events)
        for events in self._events:
            self._take_out(events)
        self._share_starts()
        self._walk_back()
        for delivery in work.deliveries:
            assert isinstance(delivery.source, Made)
            self._serve(self._events[delivery.source.stage].out, release.get(delivery.line, 0))
        self._limit_workers()
        self._limit_room()
        self._limit_slots()

    def _find_tails(self) -> list[int]:
        """Return for each stage the least time from its taking out to the end."""
        tails = [3] * len(self.work.stages)
        for number in reversed(range(len(tails))):
            stage = self.work.stages[number]
            for entry in stage.inputs:
                if isinstance(entry.source, Made):
                    tails[entry.source.stage] = 3 + duration_of(stage, entry) + tails[number]
        return tails

    # The events.

    def _fetch(self, tail: int) -> Var:
        """Let a worker walk to a dispenser; return when it picks the thing there."""
        pick = self.model.new_int_var(1, self.horizon, "")
        self._occupy(pick - 1, 1, pick, tail + 3)
        return pick

    def _carry(self, pick: Var, tail: int) -> Var:
        """Carry a food that was picked; return when it is placed or served.

        The first three timesteps are counted by the pick. Then a worker waits with the food until
        it is placed, or the food lies elsewhere for a while. In this case the first placing is not
        counted, because it may stand for the lead of another act.
        """
        put, lies, rest = self._time(), self._bool(), self._time()
        self.model.add(put >= pick + 2)
        self.model.add(put >= pick + 5).only_enforce_if(lies)
        self.model.add(rest == pick + 2).only_enforce_if(lies)
        self.model.add(rest == put + 1).only_enforce_if(~lies)
        length = self.model.new_int_var(2, self.horizon, "")
        self.model.add(length == rest - pick)
        self.model.add(length >= 3 - lies)
        self._occupy(pick, length, rest, tail)
        self._occupy(put - 2, 3, put + 1, tail, lies)
        return put

    def _meet(self, events: _Events) -> None:
        """Let the inputs of a stage be placed at one station, by one worker at a time."""
        visits = [self._interval(put - 1, 2, put + 1) for put in events.puts]
        self._visits[events.stage.kind] += visits
        self.model.add_no_overlap(visits)

    def _follow(self, before: Sequence[Var], act: Var, lead: Var) -> None:
        """Let an act follow others at a station: the last of them at once, or after a lead."""
        for other in before:
            self.model.add(act >= other + 1 + lead)
        last = [self._is(act, other + 1) for other in before]
        self.model.add_bool_or([lead, *last])

    def _work(self, events: _Events) -> None:
        """Work for each timestep of the recipe."""
        before, breaks = events.puts, []
        for done in range(len(events.stage.work)):
            act = self._time()
            after = len(events.stage.work) - 1 - done
            lead = self._act(events.stage.kind, act, 1, after + events.tail)
            self._follow(before, act, lead)
            events.acts.append(act)
            breaks.append(lead)
            before = [act]
        self.model.add_bool_or([events.whole, *breaks[1:]])
        for lead in breaks[1:]:
            self.model.add_implication(events.whole, ~lead)
        self.model.add(events.out >= before[0] + 1)

    def _cook(self, events: _Events) -> None:
        """Start the inputs, and let each cook for the minutes of the recipe.

        Inputs of which no two can be started together have a start each. If the cooking is
        interrupted, at least one food is picked, carried and started again, and nothing is known of
        the upper end of the minutes, nor of where the food is.
        """
        events.acts += [self._time() for _ in events.stage.inputs]
        starts: list[int] = []
        for number in sorted(range(len(events.acts)), key=lambda n: events.stage.inputs[n].high):
            entry, act = events.stage.inputs[number], events.acts[number]
            self.model.add(act >= events.puts[number] + 1)
            self.model.add(events.out >= act + entry.low)
            if self.steady:
                self.model.add(events.out <= act + entry.high).only_enforce_if(events.whole)
            if not starts or entry.low > events.stage.inputs[starts[-1]].high:
                starts.append(number)
        for number in starts:
            act = events.acts[number]
            first = number == starts[0]
            if first:
                events.paid = self._bool()
                self.model.add_implication(~events.whole, events.paid)
            tail = events.stage.inputs[number].low - 1 + events.tail
            when = events.paid if first else events.whole
            lead = self._act(events.stage.kind, act, 1, tail, when)
            ways = [self._is(act, put + 1) for put in events.puts]
            for put in events.puts[number : number + 1]:
                self.model.add(act >= put + 1 + lead)
            self.model.add_bool_or([lead, *ways, ~events.whole])
            events.lead = lead
        carried = self._time()
        self._occupy(carried, 2, carried + 2, events.tail, ~events.whole)

    def _share_starts(self) -> None:
        """Let one start count for several stages in an appliance where each food cooks by itself.

        In a vessel, foods of different stages would become one.
        """
        for kind, stages in self._of_kind.items():
            cooking = [(events, events.paid) for events in stages if events.paid is not None]
            paid = [each for _, each in cooking]
            most = max((station.slots for station in self._list_stations(kind)), default=1)
            if KINDS[kind].vessel or most == 1:
                self.model.add(sum(paid) == len(paid))
                continue
            self.model.add(sum(paid) * most >= len(paid))
            if most == 2 and all(entry.low > 1 for e in stages for entry in e.stage.inputs):
                # Two foods that share a start fill the station. So who takes out the first one has
                # placed or started nothing there, and walks.
                walks = [events.walks for events, _ in cooking]
                parted = [~events.whole for events, _ in cooking]
                self.model.add(sum(paid) + sum(walks) + sum(parted) >= len(paid))
            for events, own in cooking:
                shared = []
                for other, counted in cooking:
                    if other is not events:
                        same = self._is(events.acts[0], other.acts[0])
                        self.model.add_implication(same, counted)
                        shared.append(same)
                self.model.add_bool_or([own, *shared])

    def _walk_back(self) -> None:
        """Let a worker that placed a food and took another one out not go on where it stands.

        In a vessel nobody else starts that food for this worker. So if all who placed a food of a
        stage took something out, a worker walks to the start.
        """
        for events in self._events:
            linked, lead = events.linked, events.lead
            if linked and lead is not None and KINDS[events.stage.kind].vessel:
                most = len(events.puts) - 1 + lead + len(events.puts) * ~events.whole
                self.model.add(sum(linked) <= most)

    def _take_out(self, events: _Events) -> None:
        """Take the food of a stage out: at once after the last act, after another food was placed
        or started at the same station, or after a lead.
        """
        stage, kind = events.stage, events.stage.kind
        events.walks = lead = self._act(kind, events.out, 0, events.tail)
        own = events.acts if stage.cooks else events.acts[-1:]
        ways = [self._is(events.out, act + 1) for act in own]
        if not stage.cooks:
            self.model.add(events.out >= events.acts[-1] + 1 + lead)
        if self._takes_beside(events):
            for other in self._of_kind[kind]:
                if other is not events:
                    links = [self._is(events.out, put + 1) for put in other.puts]
                    other.linked += links
                    ways += links
                    if stage.cooks and not KINDS[kind].vessel:
                        ways += [self._is(events.out, act + 1) for act in other.acts]
        self.model.add_bool_or([lead, *ways])

    def _takes_beside(self, events: _Events) -> bool:
        """Return whether another food can be placed beside the product of a stage."""
        several = any(s.slots > 1 for s in self._list_stations(events.stage.kind))
        return several and not self._is_dish(events)

    def _is_dish(self, events: _Events) -> bool:
        return any(
            self._events[d.source.stage] is events
            for d in self.work.deliveries
            if isinstance(d.source, Made)
        )

    def _serve(self, out: Var, release: int) -> None:
        """Carry a dish to the pass, and serve it when its line is open."""
        served = self._carry(out, 0)
        self.model.add(served >= release)
        self.model.add(self.makespan >= served + 1)

    # The resources.

    def _limit_slots(self) -> None:
        """Let no more foods and stages be in slots than there are.

        After a food was taken out, a timestep passes in which the worker leaves and another comes.
        """
        for kind, stages in self._of_kind.items():
            stays = [self._stay(events) for events in stages]
            one = KINDS[kind].role == "tool" or KINDS[kind].vessel
            units = self._stations(kind) if one else self._slots(kind)
            if len(stays) > units:
                self.model.add_cumulative(stays, [1] * len(stays), units)

    def _stay(self, events: _Events) -> Interval:
        """Return the time for which a stage needs a slot of its own.

        In a vessel another stage may wait until the first is taken out, but not start before. At a
        mixer another stage may gather beside a product.
        """
        stage = events.stage
        begin, end = self._time(), self.model.new_int_var(0, self.horizon + 2, "")
        size = self.model.new_int_var(0, self.horizon + 2, "")
        for time in events.acts if stage.cooks and KINDS[stage.kind].vessel else events.puts:
            self.model.add(begin <= time)
        self.model.add(size == end - begin)
        if stage.cooks:
            self.model.add(end == events.out + 2)
            return self._interval(begin, size, end, events.whole)
        last = events.acts[-1] + 1 if self._takes_beside(events) else events.out + 2
        self.model.add(end >= events.acts[0] + 1)
        self.model.add(end >= last).only_enforce_if(events.whole)
        return self._interval(begin, size, end)
