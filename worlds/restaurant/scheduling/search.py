"""Beam search for a short schedule, synchronised in time.

A state is a partial schedule up to a timestep, with everything that was begun planned to its end.
At each timestep at which somebody is free, tasks that can start now are started; the states are
ranked by how soon they may be finished, by the longest remaining work and by the total of it.

| constraint | method |
|---|---|
| what cannot wait (food that cooks, full hands) | has its place first: `_opening`, `_force` |
| what is gathered is taken on when it is all there | `State.left`, `full_at` in `_moves` |
| workers, room to stand and slots are limited | `Resources.place` in `_first_that_fits` |
| plating places must not wait for each other | `_may_open` |
| a stage is done before another has its station | `_too_late` |
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter

from kitchen.layout import Kitchen
from kitchen.stages import Here
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.ahead import PUT_APART, Ahead
from worlds.restaurant.scheduling.clearing import holds_singly, put_down
from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.modes import Modes
from worlds.restaurant.scheduling.ranking import Entry, Ranking
from worlds.restaurant.scheduling.resources import Kept, Resources
from worlds.restaurant.scheduling.reuse import Remaining
from worlds.restaurant.scheduling.states import (
    HOPELESS,
    NoModeError,
    Solution,
    State,
    WorkInProgressError,
    quality,
)
from worlds.restaurant.scheduling.tasks import Task, Tasks, duration

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

RANK_NOISE = 6
"""By how many timesteps at most the order of the tasks is blurred."""

TIE_NOISE = 0.3
"""By how many timesteps at most the order of the states is blurred, so that equal ones differ."""

STUCK_AFTER = 64
"""A state is stuck where nobody is free until so many timesteps after all that is planned."""

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
        self.tasks = Tasks(work, state.timestep, places, kinds, empty, crowded)
        self.modes = Modes(self.tasks)
        self.resources = Resources(kitchen, state, self.tasks, fills_gaps)
        self.junk = work.junk
        self.pinned = {-i - 1: i for i in self.in_service}
        self.tried = self.expanded = 0
        self._plating = sum(1 << n for n, s in enumerate(work.stages) if s.kind == "plating")
        ranking = Ranking(self.modes, self.resources.kind, self._owner)
        self._after, self._inner, self.entries = ranking.after, ranking.inner, ranking.entries
        self.needed = sum(entry.bit for entry in self.entries if entry.task.kind != "clear")
        self.ahead = Ahead(self.entries, self.needed, self._after, self.resources.workers)

    @property
    def cost(self) -> float:
        """What was done so far, in modes that are tried."""
        return self.tried + EXPANSION * self.expanded + BEGINNING * len(self.entries)

    def _owner(self, task: Task) -> str | None:
        return self.tasks.owner(task, self.kitchen.workers)

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
            holder = self._owner(task)
            if holder is None:
                raise NoModeError(self.tasks.line(task))
            states = self._force(states, self.modes.of(task), width, holder)
        for worker, counter in self.junk.items():
            name = self.kitchen.workers[worker]
            drafts = put_down(worker, self.tasks.places[worker], counter)
            states = self._force(states, [Mode(draft, None) for draft in drafts], width, name)
        return states

    def _deadline(self, task: Task) -> int:
        return max((mode.end for mode in self.modes.of(task)), default=0)

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
            raise WorkInProgressError(owner)
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
                modes = self.modes.of(entry.task, linked=True)
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

        Return None if there is no schedule. Raises PlacementError.
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
                        new.key = self._score(new) + noise.random() * TIE_NOISE
                        if new.key < HOPELESS:
                            levels.setdefault(new.t, []).append(new)
        return self._found(best, width) if best else None

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
                rank.append((-entry.tail - bonus - about * RANK_NOISE, entry))
        rank.sort(key=itemgetter(0))
        return [entry for _, entry in rank]

    def _advance(self, state: State, by: int) -> bool:
        """Go on to the next timestep at which somebody is free; False if nothing will ever move."""
        horizon = state.last + STUCK_AFTER
        t = state.t = self.resources.free_from(state.levels, state.t + by)
        state.ends = tuple([end for end in state.ends if end[0] >= t])
        return t < horizon and not (self.fills_gaps and self._too_late(state))

    def _too_late(self, state: State) -> bool:
        """Whether a stage cannot be done before another is to have its station."""
        for stage, kept in state.open_at.items():
            if kept.until is None:
                continue
            full = max(state.t + PUT_APART * state.left[stage], state.full_at.get(stage, 0))
            if full + duration(self.tasks.stages[stage]) > kept.until:
                return True
        return False

    def _score(self, state: State) -> float:
        """About when everything may be served: by the longest task left, and by the work left."""
        t = state.t
        ahead, work = self.ahead.of(state)
        energy = t + (work + self.resources.busy_after(state.levels, t)) / self.resources.workers
        return max(t + ahead, energy, state.last) + energy

    def _found(self, state: State, width: int) -> Solution:
        return Solution(
            placed=state.placements(),
            length=state.last,
            pinned=dict(self.pinned),
            missing=frozenset(self.resources.missing),
            configuration=f"{self.method}, beam width {width}",
        )

    @property
    def method(self) -> str:
        """What the search is called in a result."""
        return "all lines at once"
