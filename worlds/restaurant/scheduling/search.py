"""Beam search for a short schedule, synchronised in time.

A state is a partial schedule up to a timestep, with everything that was begun planned to its end.
At each timestep at which somebody is free, tasks that can start now are started; the states are
ranked by how soon they may be finished, by the longest remaining work and by the total of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from operator import itemgetter

from kitchen.layout import Kitchen, Station
from kitchen.stages import Held, Here
from kitchen.state import Content, KitchenState
from worlds.restaurant.scheduling.clearing import put_down
from worlds.restaurant.scheduling.mode import Mode, Spot
from worlds.restaurant.scheduling.modes import Modes
from worlds.restaurant.scheduling.ranking import Entry, Ranking
from worlds.restaurant.scheduling.resources import Levels, Resources
from worlds.restaurant.scheduling.reuse import Remaining
from worlds.restaurant.scheduling.states import (
    HOPELESS,
    Placed,
    Solution,
    State,
    Unplaceable,
    quality,
)
from worlds.restaurant.scheduling.tasks import Task

SEED = 20260101
"""Seed, beside the timestep, of the noise that lets equally good states differ."""

BRANCH = 3
"""How many tasks are tried next from a state."""

OPENINGS = 6
"""How many ways of going on with each thing under way are tried from a state."""

WIDTH_OF_OPENINGS = 40
"""How many ways of going on with everything under way are kept while they are put together."""

LINK_BONUS = 4
"""How many timesteps sooner a task counts whose worker stands there already."""


class Search:
    """Finds schedules for a workload in a kitchen as it is."""

    def __init__(self, kitchen: Kitchen, state: KitchenState, work: Remaining) -> None:
        self.kitchen = kitchen
        self.now = state
        self.in_service = [i for i, w in enumerate(kitchen.workers) if w not in state.out]
        places = {i: state.workers[i].station for i in self.in_service}
        crowded = frozenset(
            name
            for name, contents in state.contents.items()
            if len(contents) > 1 and _holds_singly(kitchen.stations[name], contents)
        )
        kinds = {i: kitchen.stations[name].kind.name for i, name in places.items()}
        empty = frozenset(i for i in self.in_service if state.workers[i].holding is None)
        self.tasks = Modes(work, state.timestep, places, kinds, empty, crowded)
        self.resources = Resources(kitchen, state, self.tasks)
        self.junk = work.junk
        self.pinned: dict[int, int] = {}
        self.tried = 0
        self._left_to_do: dict[int, tuple[float, int]] = {}
        self._plating = sum(1 << n for n, s in enumerate(work.stages) if s.kind == "plating")
        ranking = Ranking(self.tasks, self.resources.kind, self._owner)
        self._after, self._inner, self.entries = ranking.after, ranking.inner, ranking.entries
        self.needed = sum(entry.bit for entry in self.entries if entry.task.kind != "clear")

    def _owner(self, task: Task) -> str:
        """The station or worker that has what a task begins with."""
        holder = self.tasks.holder(task)
        if holder is not None:
            return self.kitchen.workers[holder]
        spot = self.tasks.begins_at(task)
        if spot.stage >= 0:
            stage = self.tasks.stages[spot.stage]
            for entry in stage.inputs:
                if isinstance(entry.source, Held):
                    return self.kitchen.workers[entry.source.worker]
            return stage.station or ""
        return spot.station

    # ------------------------------------------------------------------ the beginning

    def _opening(self, width: int) -> list[State]:
        """The states in which everything that cannot wait has its place."""
        stages = self.tasks.stages
        left: dict[int, int] = {}
        root = State(sum(entry.bit for entry in self.entries), self.resources.levels, left)
        for number, stage in enumerate(stages):
            if self.tasks.gathers(number):
                late = self.tasks.late(number)
                left[number] = sum(
                    not isinstance(entry.source, Here) and index not in late
                    for index, entry in enumerate(stage.inputs)
                )
                if stage.station is not None:
                    root.open_at[number] = (stage.station, 0)
                    root.begun |= 1 << number
        for clear in self.tasks.work.clears:
            if clear.stage is not None:
                left[clear.stage] += 1
        free = sorted(self.tasks.empty)
        root.ends = tuple((0, self.now.workers[i].station, -i - 1) for i in free)
        self.pinned = {-i - 1: i for i in free}
        states = [root]
        forced = [task for task in self.tasks.listed if self.tasks.pressing(task)]
        forced.sort(key=lambda h: (self.tasks.holder(h) is not None, self._deadline(h)))
        for task in forced:
            states = self._force(states, self.tasks.modes(task), width, self._owner(task))
        for worker, counter in self.junk.items():
            name = self.kitchen.workers[worker]
            modes = put_down(worker, self.tasks.places[worker], counter)
            states = self._force(states, modes, width, name)
        return states

    def _deadline(self, task: Task) -> int:
        return max((mode.end for mode in self.tasks.modes(task)), default=0)

    def _force(self, states: list[State], modes: list[Mode], width: int, owner: str) -> list[State]:
        grown: list[State] = []
        for state in states:
            fitting = 0
            for mode in modes:
                if not all(state.left[stage] == 0 for stage, _ in mode.leaves):
                    continue
                on = mode.on_spot
                at = None if on is None else (mode.visits[0].spot, self.now.workers[on].station)
                placed = self.resources.place(state.levels, mode, 0, state.open_at, at)
                if placed and self._may_open(state, mode, 0):
                    grown.append(self._started(state, mode, *placed, None, 0))
                    fitting += 1
                    if fitting == OPENINGS:
                        break
        if not grown:
            raise Unplaceable(owner)
        grown.sort(key=quality)
        return grown[: min(WIDTH_OF_OPENINGS, 3 * width)]

    # ------------------------------------------------------------------ one step of the search

    def _may_open(self, state: State, mode: Mode, bit: int) -> bool:
        """Whether a plating place that a mode begins can be begun without a deadlock.

        It waits only for what can still be made beside it: if some of that needs a plating place
        as well, another one must be free.
        """
        for arrival in mode.arrivals:
            stage = arrival.stage
            if state.begun >> stage & 1 or self.tasks.stages[stage].kind != "plating":
                continue
            others = self._inner[stage] & ~state.begun & self._plating
            if others and self.resources.idle_stations(state.levels, "plating") < 2:
                return False
        return True

    def _started(
        self,
        state: State,
        mode: Mode,
        levels: Levels,
        spots: dict[Spot, str],
        link: int | None,
        bit: int,
    ) -> State:
        new = state.copy()
        t = state.t
        new.levels = levels
        new.todo = state.todo & ~bit
        numbers: list[int] = []
        for block in range(len(mode.blocks)):
            if block == 0 and link is not None:
                numbers.append(link)
            else:
                new.blocks += 1
                numbers.append(new.blocks)
        for block, worker in mode.hands:
            numbers[block] = -worker - 1
            self.pinned[-worker - 1] = worker
        if mode.arrivals or mode.leaves:
            new.left = state.left.copy()
            new.full_at = state.full_at.copy()
            new.open_at = state.open_at.copy()
            for stage, _ in mode.leaves:
                del new.open_at[stage]
            for arrival in mode.arrivals:
                stage, put = arrival
                if Spot(stage=stage) in spots:
                    new.begun |= 1 << stage
                    if not any(stage == s for s, _ in mode.leaves):
                        _, since = new.open_at.get(stage, ("", t + put))
                        new.open_at[stage] = (spots[Spot(stage=stage)], min(since, t + put))
                if not any(stage == s for s, _ in mode.leaves):
                    new.left[stage] -= 1
                    new.full_at[stage] = max(new.full_at.get(stage, 0), t + put + 1)
        new.ends = (
            *(end for end in state.ends if end[2] not in numbers or end[0] != t),
            *(
                (t + mode.blocks[op.block][1], spots[op.spot], numbers[op.block])
                for op in mode.lasts()
                if op.spot in spots
            ),
        )
        new.placed = (state.placed, Placed(t, mode, spots, tuple(numbers)))
        end = t + mode.end
        new.last = max(state.last, end)
        new.ended += end
        if mode.served is not None:
            new.last = max(new.last, t + mode.served + 1)
            new.served += t + mode.served
        return new

    def _moves(self, state: State, rank: list[Entry]) -> Iterator[State]:
        """The states after one more task was started at this timestep, the most urgent first."""
        t, found = state.t, 0
        here = [(place, block) for end, place, block in state.ends if end == t]
        for entry in rank:
            if not entry.bit & state.todo or entry.earlier & state.todo:
                continue
            task = entry.task
            if task.kind == "work" and (
                state.left[task.stage] or state.full_at.get(task.stage, 0) > t + 1
            ):
                continue
            if task.kind == "clear" and not self._in_the_way(state, task):
                continue
            begins = entry.opens >= 0 and not state.begun >> entry.opens & 1
            if begins and not self.resources.may_keep(state.levels, entry.opens):
                continue
            new = self._linked(state, entry, here) or self._walked(state, entry)
            if new:
                yield new
                found += 1
                if found == BRANCH:
                    return

    def _in_the_way(self, state: State, task: Task) -> bool:
        """Whether the slot of a useless thing is wanted, because all others are taken."""
        clear = self.tasks.work.clears[task.index]
        kind = self.resources.kind[clear.station]
        return clear.stage is not None or self.resources.stuck(state.levels, kind, state.t)

    def _linked(self, state: State, entry: Entry, here: list[tuple[str, int]]) -> State | None:
        task = entry.task
        if task.kind == "work" and state.full_at.get(task.stage, 0) > state.t:
            return None
        for place, block in here:
            if not self._is_at(state, entry.spot, place):
                continue
            for mode in self.tasks.modes(task, linked=True):
                new = self._try(state, entry, mode, (entry.spot, place), block)
                if new:
                    return new
        return None

    def _is_at(self, state: State, spot: Spot, place: str) -> bool:
        if spot.stage >= 0:
            return state.open_at.get(spot.stage, ("", 0))[0] == place
        return spot.station == place or spot.kind == self.resources.kind[place]

    def _walked(self, state: State, entry: Entry) -> State | None:
        for mode in self.tasks.modes(entry.task):
            new = self._try(state, entry, mode, None, None)
            if new:
                return new
        return None

    def _try(
        self,
        state: State,
        entry: Entry,
        mode: Mode,
        at: tuple[Spot, str] | None,
        link: int | None,
    ) -> State | None:
        if any(state.left[s] for s, _ in mode.leaves if s != entry.task.stage):
            return None
        self.tried += 1
        placed = self.resources.place(state.levels, mode, state.t, state.open_at, at)
        if placed is None or not self._may_open(state, mode, entry.bit):
            return None
        return self._started(state, mode, *placed, link, entry.bit)

    # ------------------------------------------------------------------ the search

    def best(self, width: int, hold: int) -> Solution:
        """Search with a beam of `width` states; up to `hold` times a state may let a task wait.

        Raises Unplaceable if there is no schedule.
        """
        noise = random.Random(SEED + self.now.timestep)
        levels: dict[int, list[State]] = {}
        best: State | None = None
        for state in self._opening(width):
            if not state.todo & self.needed:
                best = state if best is None or quality(state) < quality(best) else best
            else:
                self._advance(state, 0)
                levels.setdefault(state.t, []).append(state)
        while levels:
            t = min(levels)
            for state in self._kept(levels.pop(t), width):
                for new in self._expanded(state, min(BRANCH, width), hold, noise):
                    if not new.todo & self.needed:
                        if best is None or quality(new) < quality(best):
                            best = new
                    elif best is None or new.t < best.last:
                        new.key = self._score(new) + noise.random() * 0.3
                        if new.key < HOPELESS:
                            levels.setdefault(new.t, []).append(new)
        if best is None:
            raise Unplaceable("")
        return self._found(best)

    def _kept(self, states: list[State], width: int) -> list[State]:
        states.sort(key=lambda state: state.key)
        seen: set[tuple[int, ...]] = set()
        kept: list[State] = []
        top = self.resources.workers - 1
        for state in states:
            t = state.t
            sign = (state.todo, state.levels[top] >> t, state.levels[0] >> t, state.begun)
            if sign not in seen:
                seen.add(sign)
                kept.append(state)
                if len(kept) == width:
                    break
        return kept

    def _expanded(self, state: State, ways: int, hold: int, noise: random.Random) -> list[State]:
        """The states at later timesteps that may follow a state."""
        rank = self._rank(state, noise)
        stack, grown, held = [state], list[State](), list[State]()
        while stack and len(grown) < 2 * ways:
            current = stack.pop()
            moves = list[State]()
            if self.resources.free(current.levels, current.t):
                moves = list(self._moves(current, rank))
            if not moves and not current.todo & self.needed:
                grown.append(current)
                continue
            stack.extend(reversed(moves))
            if not moves or len(held) < hold:
                later = current.copy()
                if self._advance(later, 1):
                    (held if moves else grown).append(later)
        return grown + held

    def _rank(self, state: State, noise: random.Random) -> list[Entry]:
        """The tasks in the order in which they are tried, about the most urgent first."""
        rank: list[tuple[float, Entry]] = []
        for entry in self.entries:
            about = noise.random() * 6
            if entry.bit & state.todo:
                rank.append((-entry.tail - self._bonus(state, entry) - about, entry))
        rank.sort(key=itemgetter(0))
        return [entry for _, entry in rank]

    def _bonus(self, state: State, entry: Entry) -> int:
        task = entry.task
        if task.kind == "work" and state.left.get(task.stage) == 0:
            return LINK_BONUS
        return 0

    def _advance(self, state: State, by: int) -> bool:
        """Go on to the next timestep at which somebody is free; False if nothing will ever move."""
        horizon = state.last + 64
        state.t += by
        while not self.resources.free(state.levels, state.t):
            state.t += 1
        t = state.t
        state.ends = tuple(end for end in state.ends if end[0] >= t)
        return t < horizon

    def _score(self, state: State) -> float:
        """About when everything may be served: by the longest task left, and by the work left."""
        workers, t = self.resources.workers, state.t
        ahead, work = self._ahead(state.todo & self.needed)
        longest = t + ahead
        for stage, left in state.left.items():
            if left:
                longest = max(longest, t + 2 * left + self._after[stage])
        busy = sum((state.levels[level] >> t).bit_count() for level in range(workers))
        energy = t + (work + busy) / workers
        return max(longest, energy, state.last) + energy

    def _ahead(self, todo: int) -> tuple[float, int]:
        """Of the tasks that are left, how long the longest takes, and all their work."""
        if todo not in self._left_to_do:
            longest, work = 0.0, 0
            for entry in self.entries:
                if entry.bit & todo:
                    work += entry.work
                    longest = max(longest, work / self.resources.workers + entry.after, entry.tail)
            self._left_to_do[todo] = longest, work
        return self._left_to_do[todo]

    def _found(self, state: State) -> Solution:
        missing = frozenset(self.resources.missing)
        return Solution(state.placements(), state.last, dict(self.pinned), missing)


def _holds_singly(station: Station, contents: Sequence[Content]) -> bool:
    """Whether several things have to be taken out of a station one after the other."""
    idle = any(content.since is None for content in contents)
    return station.kind.role == "tool" or (station.kind.vessel and idle)
