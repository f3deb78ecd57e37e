"""Beam search for a short schedule, synchronised in time.

A state is a partial schedule up to a timestep, with everything that was begun planned to its end.
At each timestep at which somebody is free, tasks that can start now are started; the states are
ranked by how soon they may be finished, by the longest remaining work and by the total of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter

from kitchen.layout import Kitchen
from kitchen.stages import Held, Here
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.clearing import holds_singly, put_down
from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.modes import Modes
from worlds.restaurant.scheduling.ranking import Entry, Ranking
from worlds.restaurant.scheduling.resources import Kept, Resources
from worlds.restaurant.scheduling.reuse import Remaining
from worlds.restaurant.scheduling.states import (
    HOPELESS,
    Solution,
    State,
    Unplaceable,
    quality,
)
from worlds.restaurant.scheduling.tasks import Task, duration

SEED = 20260101
"""Seed, beside the timestep, of the noise that lets equally good states differ."""

BRANCH = 3
"""How many tasks are tried next from a state."""

OPENINGS = 6
"""How many ways of going on with each thing under way are tried from a state."""

WIDTH_OF_OPENINGS = 40
"""How many ways of going on with everything under way are kept while they are put together."""

BEGINNING, EXPANSION = 40, 30
"""What beginning a search costs for each of its tasks, and what going on from a state costs."""

LINK_BONUS = 4
"""How many timesteps sooner a task counts whose worker stands there already."""


Move = Callable[[], State]
"""Makes the state that follows a state: most are never gone to."""


class Search:
    """Finds schedules for a workload in a kitchen as it is.

    Tasks are planned up to `foresight` timesteps ahead of the timestep that the search has come to.
    With `fills_gaps` a stage may have a station until another one, planned already, comes there.
    """

    def __init__(
        self,
        kitchen: Kitchen,
        state: KitchenState,
        work: Remaining,
        foresight: int = 0,
        fills_gaps: bool = False,
    ) -> None:
        self.kitchen = kitchen
        self.fills_gaps = fills_gaps
        self.foresight = foresight
        self.seed = SEED + state.timestep
        self.now = state
        self.in_service = [i for i, w in enumerate(kitchen.workers) if w not in state.out]
        places = {i: state.workers[i].station for i in self.in_service}
        crowded = frozenset(
            name
            for name, contents in state.contents.items()
            if len(contents) > 1 and holds_singly(kitchen.stations[name], contents)
        )
        kinds = {i: kitchen.stations[name].kind.name for i, name in places.items()}
        empty = frozenset(i for i in self.in_service if state.workers[i].holding is None)
        self.tasks = Modes(work, state.timestep, places, kinds, empty, crowded)
        self.resources = Resources(kitchen, state, self.tasks, fills_gaps)
        self.junk = work.junk
        self.pinned = {-i - 1: i for i in self.in_service}
        self.tried = self.expanded = 0
        self._left_to_do: dict[int, tuple[float, int]] = {}
        self._plating = sum(1 << n for n, s in enumerate(work.stages) if s.kind == "plating")
        ranking = Ranking(self.tasks, self.resources.kind, self._owner)
        self._after, self._inner, self.entries = ranking.after, ranking.inner, ranking.entries
        self.needed = sum(entry.bit for entry in self.entries if entry.task.kind != "clear")

    @property
    def cost(self) -> float:
        """What was done so far, in modes that are tried."""
        return self.tried + EXPANSION * self.expanded + BEGINNING * len(self.entries)

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

    def _root(self) -> State:
        """The state in which nothing is planned yet."""
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
                    root.open_at[number] = Kept(stage.station, 0)
                    root.begun |= 1 << number
        for clear in self.tasks.work.clears:
            if clear.stage is not None:
                left[clear.stage] += 1
        free = sorted(self.tasks.empty)
        root.ends = tuple((0, self.now.workers[i].station, -i - 1) for i in free)
        return root

    def _opening(self, width: int) -> list[State]:
        """The states in which everything that cannot wait has its place."""
        states = [self._root()]
        forced = [task for task in self.tasks.listed if self.tasks.pressing(task)]
        forced.sort(key=lambda h: (self.tasks.holder(h) is not None, self._deadline(h)))
        for task in forced:
            states = self._force(states, self.tasks.modes(task), width, self._owner(task))
        for worker, counter in self.junk.items():
            name = self.kitchen.workers[worker]
            drafts = put_down(worker, self.tasks.places[worker], counter)
            states = self._force(states, [Mode(draft, None) for draft in drafts], width, name)
        return states

    def _deadline(self, task: Task) -> int:
        return max((mode.end for mode in self.tasks.modes(task)), default=0)

    def _force(self, states: list[State], modes: list[Mode], width: int, owner: str) -> list[State]:
        grown: list[State] = []
        for state in states:
            fitting = 0
            for mode in modes:
                if state.lacks(mode):
                    continue
                on = mode.on_spot
                chosen = () if on is None else (self.now.workers[on].station,)
                placed = self.resources.place(state.levels, mode, 0, state.open_at, chosen)
                if placed and self._may_open(state, mode, 0):
                    grown.append(state.started(mode, 0, *placed, None, 0))
                    fitting += 1
                    if fitting == OPENINGS:
                        break
        if not grown:
            if roomier := self._with_room(states[:width]):
                return self._force(roomier, modes, width, owner)
            raise Unplaceable(owner)
        grown.sort(key=quality)
        return grown[: min(WIDTH_OF_OPENINGS, 3 * width)]

    def _with_room(self, states: list[State]) -> list[State]:
        """The states after something full was begun with, which makes room, from each of some.

        What it needs later is then used until it comes.
        """
        self.fills_gaps = self.resources.fills_gaps = True
        works = [entry for entry in self.entries if entry.takes >= 0]
        return [move() for state in states for move in self._moves(state, works)]

    def _may_open(self, state: State, mode: Mode, bit: int) -> bool:
        """Whether a plating place that a mode begins can be begun without a deadlock.

        It waits only for what can still be made beside it: if some of that needs a plating place
        as well, another one must be free.
        """
        for stage, *_ in mode.fillings:
            if state.begun >> stage & 1 or self.tasks.stages[stage].kind != "plating":
                continue
            others = self._inner[stage] & ~state.begun & self._plating
            if others and self.resources.idle_stations(state.levels, "plating") < 2:
                return False
        return True

    def _moves(self, state: State, rank: list[Entry]) -> list[Move]:
        """How one more task can be started at this timestep, the most urgent first."""
        moves: list[Move] = []
        t, todo, left, full_at = state.t, state.todo, state.left, state.full_at
        here = [(place, block) for end, place, block in state.ends if end == t]
        stood = {name for place, _ in here for name in (place, self.resources.kind[place])}
        for entry in rank:
            if not entry.bit & todo or entry.earlier & todo:
                continue
            takes, opens = entry.takes, entry.opens
            soonest = t
            if takes >= 0:
                soonest = max(t, full_at.get(takes, 0) - 1)
                if left[takes] or (soonest > t and not self.foresight):
                    continue
            if entry.task.kind == "clear" and not self._in_the_way(state, entry.task):
                continue
            begins = opens >= 0 and not state.begun >> opens & 1
            if begins and not (self.fills_gaps or self.resources.may_keep(state.levels, opens)):
                continue
            move = None
            where = state.open_at[takes].station if takes >= 0 else entry.where
            if where in stood and full_at.get(takes, 0) <= t:
                move = self._linked(state, entry, here)
            at = soonest
            while not move and at <= soonest + self.foresight:
                move = self._first_that_fits(state, entry, entry.modes, at)
                at += 1
            if move:
                moves.append(move)
                if len(moves) == BRANCH:
                    break
        return moves

    def _in_the_way(self, state: State, task: Task) -> bool:
        """Whether the slot of a useless thing is wanted, because all others are taken."""
        clear = self.tasks.work.clears[task.index]
        kind = self.resources.kind[clear.station]
        return clear.stage is not None or self.resources.stuck(state.levels, kind, state.t)

    def _linked(self, state: State, entry: Entry, here: list[tuple[str, int]]) -> Move | None:
        """How somebody can go on with a task where its last one ended."""
        station, stage, kind = entry.spot.station, entry.spot.stage, entry.spot.kind
        if stage >= 0:
            kept = state.open_at.get(stage)
            station = kept.station if kept else ""
        for place, block in here:
            if place == station or self.resources.kind[place] == kind:
                modes = self.tasks.modes(entry.task, linked=True)
                move = self._first_that_fits(state, entry, modes, state.t, place, block)
                if move:
                    return move
        return None

    def _first_that_fits(
        self,
        state: State,
        entry: Entry,
        modes: Sequence[Mode],
        at: int,
        first: str | None = None,
        link: int | None = None,
    ) -> Move | None:
        """How a task can be planned in the first mode that fits, at `first` if given."""
        busy = state.levels[self.resources.workers - 1] >> at
        chosen = () if first is None else (first,)
        for mode in modes:
            if mode.leaves and state.lacks(mode):
                continue
            self.tried += 1
            if busy & mode.workers[0] or self.resources.blocked(state.levels, mode, at):
                continue
            placed = self.resources.place(state.levels, mode, at, state.open_at, chosen)
            if placed and self._may_open(state, mode, entry.bit):
                return partial(state.started, mode, at, *placed, link, entry.bit)
        return None

    def best(self, width: int, hold: int) -> Solution | None:
        """Search with a beam of `width` states; up to `hold` times a state may let a task wait.

        Return None if there is no schedule. Raises Unplaceable.
        """
        noise = random.Random(self.seed)
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
        return self._found(best) if best else None

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
        self.expanded += 1
        rank = self._rank(state, noise)
        stack: list[Move] = [lambda: state]
        grown, held = list[State](), list[State]()
        while stack and len(grown) < 2 * ways:
            current = stack.pop()()
            free = self.resources.free_from(current.levels, current.t) == current.t
            moves = self._moves(current, rank) if free else []
            if not moves and not current.todo & self.needed:
                grown.append(current)
            elif not moves:
                if self._advance(current, 1):
                    grown.append(current)
            else:
                stack.extend(reversed(moves))
                if len(held) < hold:
                    later = current.copy()
                    if self._advance(later, 1):
                        held.append(later)
        return grown + held

    def _rank(self, state: State, noise: random.Random) -> list[Entry]:
        """The tasks in the order in which they are tried, about the most urgent first."""
        todo, left, random = state.todo, state.left, noise.random
        rank: list[tuple[float, Entry]] = []
        for entry in self.entries:
            about = random()
            if entry.bit & todo:
                bonus = LINK_BONUS if left.get(entry.takes) == 0 else 0
                rank.append((-entry.tail - bonus - about * 6, entry))
        rank.sort(key=itemgetter(0))
        return [entry for _, entry in rank]

    def _advance(self, state: State, by: int) -> bool:
        """Go on to the next timestep at which somebody is free; False if nothing will ever move."""
        horizon = state.last + 64
        t = state.t = self.resources.free_from(state.levels, state.t + by)
        state.ends = tuple([end for end in state.ends if end[0] >= t])
        return t < horizon and not (self.fills_gaps and self._too_late(state))

    def _too_late(self, state: State) -> bool:
        """Whether a stage cannot be done before another is to have its station."""
        return any(
            kept.until is not None
            and max(state.t + 2 * state.left[stage], state.full_at.get(stage, 0))
            + duration(self.tasks.stages[stage])
            > kept.until
            for stage, kept in state.open_at.items()
        )

    def _score(self, state: State) -> float:
        """About when everything may be served: by the longest task left, and by the work left."""
        t = state.t
        ahead, work = self._ahead(state)
        energy = t + (work + self.resources.busy_after(state.levels, t)) / self.resources.workers
        return max(t + ahead, energy, state.last) + energy

    def _ahead(self, state: State) -> tuple[float, int]:
        """How long the longest of the tasks that are left takes, and all their work.

        What is still to come for each stage is the same wherever the same tasks are left.
        """
        known = self._left_to_do.get(state.todo)
        if known is None:
            workers, longest, work, todo = self.resources.workers, 0.0, 0, state.todo & self.needed
            for entry in self.entries:
                if entry.bit & todo:
                    work += entry.work
                    if work / workers + entry.after > longest:
                        longest = work / workers + entry.after
                    if entry.tail > longest:
                        longest = entry.tail
            for stage, left in state.left.items():
                if left:
                    longest = max(longest, 2 * left + self._after[stage])
            known = self._left_to_do[state.todo] = longest, work
        return known

    def _found(self, state: State) -> Solution:
        missing = frozenset(self.resources.missing)
        return Solution(state.placements(), state.last, dict(self.pinned), missing)
