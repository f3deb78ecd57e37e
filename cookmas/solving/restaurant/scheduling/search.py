"""Beam search for a short schedule, synchronised in time.

A state is a partial schedule up to a timestep; every mode that was begun is planned to its end. At
each timestep at which a worker is free, tasks that can start now are started. A strategy ranks the
tasks and scores the states (see `Strategy`). A gathering stage is one at which tasks end
(`Tasks.gathers`); another task begins when all its foods are in.

| constraint | method |
|---|---|
| cooking food and full hands cannot wait | placed first: `open_states`, `_force` |
| gathered food is taken out when it is complete | `PartialSchedule`, `full_at` in `_moves` |
| workers, room to stand and slots are limited | `Resources.place` in `_first_that_fits` |
| plating places must not wait for each other | `Strategy.may_open` |
| a stage is done before another has its station | `_too_late` |
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter, itemgetter
from random import Random
from typing import Protocol

from cookmas.solving.restaurant.scheduling.mode import Mode, put_down
from cookmas.solving.restaurant.scheduling.problem import PUT_APART, Problem
from cookmas.solving.restaurant.scheduling.resources import PAUSE
from cookmas.solving.restaurant.scheduling.states import (
    HOPELESS,
    NoModeError,
    PartialSchedule,
    RankedTask,
    Solution,
    WorkInProgressError,
    quality,
)
from cookmas.solving.restaurant.scheduling.tasks import Task, duration

LINK_BONUS = 4
"""Timesteps by which a task is more urgent if it begins with a full gathering stage. A higher bonus
makes room sooner, a lower one leaves workers for long tasks.
"""

RANK_NOISE = 6
"""Greatest noise, in timesteps, on the order of tasks. More noise tries more different orders, less
noise better ones.
"""


class Strategy(Protocol):
    """The decisions that a search asks for while it plans."""

    @property
    def name(self) -> str:
        """Name of the strategy in a result."""
        ...

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the tasks that may be begun, in the order in which they are tried."""
        ...

    def score(self, state: PartialSchedule) -> float:
        """Return the score of a state, the lowest for the best; HOPELESS if the state is pruned."""
        ...

    def may_open(self, state: PartialSchedule, mode: Mode, bit: int) -> bool:
        """Return whether a mode can begin its gathering stages without a deadlock; `bit` marks the
        mode's task.
        """
        ...


class AllAtOnce:
    """A strategy that plans all lines at once, the longest tasks first."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def score(self, state: PartialSchedule) -> float:
        """Return a score: the estimated end by all limits, plus the estimated end by the work
        alone.
        """
        end, energy = self.problem.soonest_end(state)
        return end + energy

    def may_open(self, state: PartialSchedule, mode: Mode, bit: int) -> bool:
        """Return whether a mode can begin stages on plating places (see `Problem.may_open`)."""
        return self.problem.may_open(state, mode)

    @property
    def name(self) -> str:
        """Name of the strategy in a result."""
        return "all lines at once"

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the remaining tasks, roughly the most urgent first."""
        todo, left, random = state.todo, state.left, noise.random
        rank: list[tuple[float, RankedTask]] = []
        for entry in self.problem.entries:
            about = random()
            if entry.bit & todo:
                bonus = LINK_BONUS if entry.takes >= 0 and left[entry.takes] == 0 else 0
                rank.append((-entry.tail - bonus - about * RANK_NOISE, entry))
        rank.sort(key=itemgetter(0))
        return [entry for _, entry in rank]


SEED = 20260101
"""Seed of all noise, to which the kitchen's timestep is added; any other one would do as well."""

BRANCH = 3
"""Greatest number of tasks that are tried as the next one from a state. With more, states of the
same beam are more alike.
"""

OPENINGS = 6
"""Greatest number of modes in which one work in progress is placed in a state: more ways to go on,
each of which takes the place of another in the beam.
"""

TIE_NOISE = 0.3
"""Greatest noise, in timesteps, on the order of the states, so that ties are broken. More noise
keeps worse states, less noise keeps states that are alike.
"""

Move = Callable[[], PartialSchedule]
"""A function that makes the next state; it is called only for a few next states."""


class Search:
    """A search for schedules of a workload in a kitchen.

    `expanded` counts the states that were expanded.
    """

    def __init__(self, problem: Problem, strategy: Strategy | None = None) -> None:
        self.problem = problem
        self.strategy = strategy or AllAtOnce(problem)
        self._may_open = self.strategy.may_open
        self.seed = SEED + problem.now.timestep
        self.expanded = 0
        self.resources, self.modes = problem.resources, problem.modes
        self.entries, self.needed = problem.entries, problem.needed

    def open_states(self, width: int) -> list[PartialSchedule]:
        """Return the states in which all work that cannot wait is placed. Raises PlacementError."""
        problem, tasks = self.problem, self.problem.tasks
        states = [problem.root()]
        forced = [task for task in tasks.listed if tasks.is_forced(task)]
        forced.sort(key=lambda h: (tasks.holder(h) is not None, self._deadline(h)))
        for task in forced:
            holder = problem.owner(task)
            if holder is None:
                raise NoModeError(tasks.line(task))
            states = self._force(states, problem.modes.of(task), width, holder)
        for worker, counter in problem.junk.items():
            name = problem.kitchen.workers[worker]
            drafts = put_down(worker, tasks.places[worker], counter)
            states = self._force(states, [Mode(draft, None) for draft in drafts], width, name)
        return states

    def _deadline(self, task: Task) -> int:
        return max((mode.end for mode in self.modes.of(task)), default=0)

    def _force(
        self, states: list[PartialSchedule], modes: list[Mode], width: int, owner: str
    ) -> list[PartialSchedule]:
        grown: list[PartialSchedule] = []
        for state in states:
            fitting = 0
            for mode in modes:
                if state.lacks(mode):
                    continue
                on = mode.on_spot
                chosen = () if on is None else (self.problem.now.workers[on].station,)
                placed = self.resources.place(state.levels, mode, 0, state.open_at, chosen)
                if placed and self._may_open(state, mode, 0):
                    grown.append(state.start(mode, 0, *placed, None, 0))
                    fitting += 1
                    if fitting == OPENINGS:
                        break
        if not grown:
            if roomier := self._with_room(states[:width]):
                return self._force(roomier, modes, width, owner)
            raise WorkInProgressError(owner)
        grown.sort(key=quality)
        return grown[:width]

    def _with_room(self, states: list[PartialSchedule]) -> list[PartialSchedule]:
        """Return the states that follow if a full stage is emptied or a useless thing removed,
        which makes room.

        From then on, a stage may begin at a station that another stage takes later.
        """
        self.resources.fills_gaps = True
        works = [e for e in self.entries if e.takes >= 0 or e.task.kind == "clear"]
        return [move() for state in states for move in self._moves(state, works)]

    def _moves(
        self, state: PartialSchedule, rank: list[RankedTask], most: int = BRANCH
    ) -> list[Move]:
        """Return up to `most` moves that each start one more task of `rank`, the most urgent
        first.
        """
        moves: list[Move] = []
        t, todo, left, full_at = state.t, state.todo, state.left, state.full_at
        resources = self.resources
        here = [(place, block) for end, place, block in state.ends if end == t]
        stood = [name for place, _ in here for name in (place, resources.kind[place])]
        for entry in rank:
            if not entry.bit & todo or entry.earlier & todo:
                continue
            takes, opens = entry.takes, entry.opens
            if takes >= 0 and (left[takes] or full_at.get(takes, 0) - 1 > t):
                continue
            if entry.task.kind == "clear" and not self.problem.is_in_the_way(state, entry.task):
                continue
            begins = opens >= 0 and not state.begun >> opens & 1
            if begins and not (resources.fills_gaps or resources.may_keep(state.levels, opens)):
                continue
            move = None
            where = state.open_at[takes].station if takes >= 0 else entry.where
            if where in stood and full_at.get(takes, 0) <= t:
                move = self._link(state, entry, here)
            move = move or self._first_that_fits(state, entry, entry.modes)
            if move:
                moves.append(move)
                if len(moves) == most:
                    break
        return moves

    def _link(
        self, state: PartialSchedule, entry: RankedTask, here: list[tuple[str, int]]
    ) -> Move | None:
        """Return a move in which a worker continues with a task where its last block ended; None if
        no mode fits.

        `here` has the station and the number of each block that ends now.
        """
        station, stage, kind = entry.spot.station, entry.spot.stage, entry.spot.kind
        if stage >= 0:
            kept = state.open_at.get(stage)
            station = kept.station if kept else ""
        for place, block in here:
            if place == station or self.resources.kind[place] == kind:
                modes = self.modes.of(entry.task, linked=True)
                move = self._first_that_fits(state, entry, modes, place, block)
                if move:
                    return move
        return None

    def _first_that_fits(
        self,
        state: PartialSchedule,
        entry: RankedTask,
        modes: Sequence[Mode],
        first: str | None = None,
        link: int | None = None,
    ) -> Move | None:
        """Return a move that plans a task now in the first mode that fits; None if no mode fits.

        `first` prescribes the first station of the mode, `link` is the block that it continues.
        """
        place, levels, open_at, at = self.resources.place, state.levels, state.open_at, state.t
        chosen = () if first is None else (first,)
        for mode in modes:
            if mode.leaves and state.lacks(mode):
                continue
            placed = place(levels, mode, at, open_at, chosen)
            if placed and self._may_open(state, mode, entry.bit):
                return partial(state.start, mode, at, *placed, link, entry.bit)
        return None

    def best(
        self,
        width: int,
        opening: Sequence[PartialSchedule] | None = None,
    ) -> Solution | None:
        """Return the best schedule of a beam of `width` states; None if there is none.

        The search begins from the states of the `opening`, by default from `open_states`. Raises
        PlacementError.
        """
        noise = random.Random(self.seed)
        branch, needed, score = min(BRANCH, width), self.needed, self.strategy.score
        levels: dict[int, list[PartialSchedule]] = {}
        best: PartialSchedule | None = None
        for state in self.open_states(width) if opening is None else opening:
            if not state.todo & needed:
                best = state if best is None or quality(state) < quality(best) else best
            else:
                self._advance(state, 0)
                levels.setdefault(state.t, []).append(state)
        while levels:
            t = min(levels)
            for state in self._keep_best(levels.pop(t), width):
                for new in self._expand(state, branch, noise):
                    if not new.todo & needed:
                        if best is None or quality(new) < quality(best):
                            best = new
                    elif best is None or new.t < best.last:
                        new.key = score(new) + noise.random() * TIE_NOISE
                        if new.key < HOPELESS:
                            levels.setdefault(new.t, []).append(new)
        name = f"{self.strategy.name}, beam width {width}"
        return self.problem.solution(best.placements(), best.last, name) if best else None

    def dispatch(self, state: PartialSchedule) -> Solution | None:
        """Return the schedule in which each next task is the first of the strategy's rank that can
        begin; None if this leads to a dead end.
        """
        noise = random.Random(self.seed)
        going = self._advance(state, 0)
        while going and state.todo & self.needed:
            self.expanded += 1
            moves = self._moves(state, self.strategy.rank(state, noise), 1)
            if moves:
                state = moves[0]()
            else:
                going = self._advance(state, 1)
        name = self.strategy.name
        return self.problem.solution(state.placements(), state.last, name) if going else None

    def _keep_best(self, states: list[PartialSchedule], width: int) -> list[PartialSchedule]:
        if len(states) == 1:
            return states
        states.sort(key=attrgetter("key"))
        seen: set[tuple[int, ...]] = set()
        kept: list[PartialSchedule] = []
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

    def _expand(
        self, state: PartialSchedule, branch: int, noise: random.Random
    ) -> list[PartialSchedule]:
        """Return states that follow a state: at later timesteps, or with all needed tasks begun.

        With a single worker each move leads to one of these states, so few moves suffice.
        """
        self.expanded += 1
        rank = self.strategy.rank(state, noise)
        stack: list[Move] = [lambda: state]
        grown: list[PartialSchedule] = []
        top = self.resources.workers - 1
        most = BRANCH if top else min(BRANCH, 2 * branch)
        while stack and len(grown) < 2 * branch:
            current = stack.pop()()
            busy = current.levels[top] >> current.t & 1
            moves = [] if busy else self._moves(current, rank, most)
            if not moves and not current.todo & self.needed:
                grown.append(current)
            elif not moves:
                if self._advance(current, 1):
                    grown.append(current)
            else:
                stack.extend(reversed(moves))
        return grown

    def _advance(self, state: PartialSchedule, by: int) -> bool:
        """Advance a state to the next timestep at which a worker is free; return False if it is a
        dead end.

        Once all planned work has ended and all stations are back, there is nothing to wait for.
        """
        horizon = max(state.last, PAUSE) + 1
        t = state.t = self.resources.free_from(state.levels, state.t + by)
        state.ends = tuple([end for end in state.ends if end[0] >= t])
        return t < horizon and not (self.resources.fills_gaps and self._too_late(state))

    def _too_late(self, state: PartialSchedule) -> bool:
        """Return whether a stage cannot be finished before another stage needs its station."""
        for stage, kept in state.open_at.items():
            if kept.until is None:
                continue
            full = max(state.t + PUT_APART * state.left[stage], state.full_at.get(stage, 0))
            if full + duration(self.problem.tasks.stages[stage]) > kept.until:
                return True
        return False
