"""The drafts of the modes of each task: the ways to bring food to a gathering stage or the pass.

Within a task no worker waits: a worker takes the food from station to station and works on it.
While it cooks the worker is free, and a worker fetches it within the minutes that the recipe
allows. Each task has several drafts, which differ in the minutes.

| constraint | method |
|---|---|
| food cooks for the minutes a recipe allows | a draft for each, up to `MAX_DELAYS` |
| one worker cannot do two things at once | the blocks of a mode; no block while food cooks |
| a visit begins with a walk | an action `nav` a timestep before, unless the worker stands there |
| food that cooks for less goes in later | `_with_late` counts back from when all is taken out |
| food in a hand is held by its worker | `_from_hand`: the block is that worker's |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from cookmas.kitchen.stages import Fetch, FoodInSlot, Held, Lying, Made, Source
from cookmas.solving.restaurant.scheduling.mode import (
    MAX_MODES,
    GatheringArrival,
    ModeDraft,
    Op,
    Stay,
    Visit,
    clear,
)
from cookmas.solving.restaurant.scheduling.tasks import Spot, Task, Tasks

MAX_DELAYS = 4
"""Greatest number of values that are tried of a recipe's range of minutes, and of the timesteps
until food that lies in an appliance is started, from the lowest on. More values find a place for
more tasks, and each costs the time to try it.
"""

PUT_GAPS = (2, 4)
"""Timesteps between two puts into one vessel: by two workers, or both by one. With longer gaps the
first food cooks for longer than the last.
"""


class Drafting:
    """The drafts of the modes of the tasks of a workload.

    In the methods, `number` is the number of a stage. Times are relative to the first timestep of
    the mode, or count from now if the food is cooking or must be started soon. A worker's block
    begins at `begin`; `block` is its number in the draft.
    """

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self.stages = tasks.stages

    def of(self, task: Task, linked: bool) -> Iterator[ModeDraft]:
        """Yield the drafts of a task.

        With `linked`, its worker already stands where the task begins.
        """
        return self._start(task.stage) if self.tasks.put_in(task) else self._walk(task, not linked)

    def _walk(self, task: Task, t: int) -> Iterator[ModeDraft]:
        """Yield drafts of a task whose first action after walking is at `t`."""
        match task.kind:
            case "clear":
                yield clear(self.tasks.work.clears[task.index], t)
            case "work":
                yield from self._work(task.stage, t)
            case "deliver":
                delivery = self.tasks.deliveries[task.index]
                yield from self._from_source(delivery.source, t, None, None, delivery.line)
            case "input":
                source = self.stages[task.stage].inputs[task.index].source
                line = self.stages[task.stage].line
                yield from self._from_source(source, t, task.stage, task.index, line)

    def _from_source(
        self, source: Source, t: int, stage: int | None, index: int | None, line: str
    ) -> Iterator[ModeDraft]:
        if isinstance(source, Held):
            yield from self._from_hand(source.worker, stage, index, line)
            return
        draft = ModeDraft()
        if isinstance(source, Fetch):
            spot = Spot(kind=source.kind)
            draft.ops.append(Op(t, 0, "pick", spot, source.name))
        else:
            assert isinstance(source, Lying)
            spot = Spot(station=source.station)
            draft.ops.append(Op(t, 0, "pick", spot, slot=source.slot))
            draft.lifted.append((source.station, source.slot, t))
        draft.visits.append(Visit(spot, 0, t + 1))
        draft.walks(t, spot)
        yield from self._carry(draft, 0, 0, t + 1, stage, index, line)

    def _from_hand(
        self, worker: int, stage: int | None, index: int | None, line: str
    ) -> Iterator[ModeDraft]:
        place = Spot(station=self.tasks.places[worker])
        for delay in range(-1, MAX_MODES - 1):
            draft = ModeDraft(hands=[(0, worker)])
            if delay > 0:
                draft.ops.append(Op(0, 0, "aside", place))
            for mode in self._carry(draft, 0, 0, delay, stage, index, line):
                if delay < 0:
                    first = next(op for op in mode.ops if op.verb == "nav")
                    mode.ops.remove(first)
                    mode.visits[0] = mode.visits[0]._replace(arrive=0)
                    mode.on_spot = worker
                yield mode

    def _work(self, number: int, t: int) -> Iterator[ModeDraft]:
        stage = self.stages[number]
        draft = ModeDraft()
        spot, begin = Spot(stage=number), max(0, t - 1)
        draft.walks(t, spot)
        if not stage.cooks:
            pick = t + len(stage.work)
            draft.ops.extend(
                Op(t + done, 0, "work", spot, process) for done, process in enumerate(stage.work)
            )
            draft.visits.append(Visit(spot, begin, pick + 1))
            yield from self._modes_after_taking_out(draft, 0, begin, pick, number)
            return
        sinces = [e.source.since for e in stage.inputs if isinstance(e.source, FoodInSlot)]
        if any(since is not None for since in sinces):
            yield from self._modes_of_running(number)
            return
        draft.ops.append(Op(t, 0, "start", spot))
        late = self.tasks.late(number)
        entries = [e for index, e in enumerate(stage.inputs) if index not in late]
        low, high = max(e.low for e in entries), min(e.high for e in entries)
        for minutes in range(low, min(high, low + MAX_DELAYS - 1) + 1):
            for mode in self._let_cook(draft.copy(), 0, begin, t, minutes, number, begin):
                yield from self._with_late(mode, number, t + minutes)

    def _start(self, number: int) -> Iterator[ModeDraft]:
        """Yield drafts for food that lies in an appliance: it is started now or a little later."""
        for worker in sorted(self.tasks.empty):
            if self.tasks.places[worker] == self.stages[number].station:
                for mode in self._work(number, 0):
                    mode.on_spot = worker
                    mode.hands.append((0, worker))
                    yield mode
        for t in range(1, MAX_DELAYS):
            yield from self._work(number, t)

    def _modes_of_running(self, number: int) -> Iterator[ModeDraft]:
        """Yield drafts for food that is cooking; their times count from now."""
        stage = self.stages[number]
        cooking = [
            (entry.source.since - self.tasks.now, entry)
            for entry in stage.inputs
            if isinstance(entry.source, FoodInSlot) and entry.source.since is not None
        ]
        low = max(0, *(since + entry.low for since, entry in cooking))
        high = min(since + entry.high for since, entry in cooking)
        spot = Spot(stage=number)
        for pick in range(low, high + 1):
            draft = ModeDraft()
            begin = max(0, pick - 1)
            if pick > 0:
                draft.ops.append(Op(begin, 0, "nav", spot))
            else:
                there = [
                    w for w in sorted(self.tasks.empty) if self.tasks.places[w] == stage.station
                ]
                if not there:
                    continue
                draft.on_spot = there[0]
                draft.hands.append((0, there[0]))
            draft.visits.append(Visit(spot, begin, pick + 1))
            for mode in self._modes_after_taking_out(draft, 0, begin, pick, number):
                yield from self._with_late(mode, number, pick)

    def _with_late(self, mode: ModeDraft, number: int, pick: int) -> Iterator[ModeDraft]:
        """Yield drafts that add to a draft the food that goes in while the vessel is running.

        `number` is the stage in the vessel. All its food is taken out at `pick`.
        """
        entries = self.stages[number].inputs
        together: dict[tuple[int, int], list[int]] = {}
        if idle := self.tasks.find_unstarted(number):
            low, high = (
                max(entries[index].low for index in idle),
                min(entries[index].high for index in idle),
            )
            together[low, high] = []
        for index in self.tasks.late(number):
            together.setdefault((entries[index].low, entries[index].high), []).append(index)
        if not together:
            yield mode
            return
        choices = [
            [
                added
                for minutes in range(max(1, low), high + 1)[:MAX_DELAYS]
                for added in self._modes_of_added(number, indices or idle[:1], pick - minutes)
            ]
            for (low, high), indices in together.items()
        ]
        here = Spot(stage=number)
        starts = [op.time for op in mode.ops if op.verb == "start" and op.spot == here]
        for combination in islice(product(*choices), MAX_MODES):
            puts = [arrival.put for added in combination for arrival in added.arrivals]
            if starts and min(puts) <= min(starts):
                continue
            whole = mode.copy()
            for added in combination:
                whole.merge(added)
            begin = min(start for start, _ in whole.blocks)
            if self._under_way(number):
                if begin >= 0:
                    yield whole
            else:
                yield whole.shift(-begin, 0)

    def _under_way(self, number: int) -> bool:
        """Return whether a vessel is running or must be started soon, so that the times of its
        modes count from now.
        """
        task = Task("work", number)
        return self.tasks.is_running(task) or self.tasks.put_in(task)

    def _modes_of_added(
        self, number: int, indices: Sequence[int], start: int
    ) -> Iterator[ModeDraft]:
        """Yield drafts in which inputs of a stage, by `indices`, are put into its vessel one after
        the other; the worker that puts the last one in starts them all at `start`.
        """
        choices = [
            [
                mode
                for mode in islice(self._late_modes(number, index), MAX_MODES)
                if self._begins_right(mode, number)
            ]
            for index in indices
        ]
        apart = PUT_GAPS if len(indices) > 1 else PUT_GAPS[:1]
        for modes, gap in islice(product(product(*choices), apart), 2 * MAX_MODES):
            whole = ModeDraft()
            for before, mode in enumerate(reversed(modes)):
                shift = start - 1 - gap * before - mode.arrivals[-1].put
                if mode.hands and (shift or not self._under_way(number)):
                    break
                moved = mode.shift(shift, 0)
                if before:
                    moved.leave_unstarted()
                whole.merge(moved)
            else:
                yield whole

    def _begins_right(self, mode: ModeDraft, number: int) -> bool:
        """Return False if a draft needs a worker that already stands at its first station, unless
        that station is the vessel of the stage.
        """
        if mode.on_spot is None:
            return True
        there = self.tasks.places[mode.on_spot] == self.stages[number].station
        return there and mode.visits[0].spot.stage == number

    def _only_start(self, number: int) -> Iterator[ModeDraft]:
        """Yield drafts in which a worker starts food that already lies in a running vessel."""
        spot = Spot(stage=number)
        for worker in sorted(self.tasks.empty):
            if self.tasks.places[worker] == self.stages[number].station:
                yield ModeDraft(
                    blocks=[(0, 1)],
                    visits=[Visit(spot, 0, 1)],
                    ops=[Op(0, 0, "start", spot)],
                    arrivals=[GatheringArrival(number, -1)],
                    hands=[(0, worker)],
                )
        yield ModeDraft(
            blocks=[(0, 2)],
            visits=[Visit(spot, 0, 2)],
            ops=[Op(0, 0, "nav", spot), Op(1, 0, "start", spot)],
            arrivals=[GatheringArrival(number, 0)],
        )

    def _late_modes(self, number: int, index: int) -> Iterator[ModeDraft]:
        source: Source = self.stages[number].inputs[index].source
        if isinstance(source, FoodInSlot):
            yield from self._only_start(number)
            return
        stage, entry = number, index
        while isinstance(source, Made):
            stage, entry = source.stage, 0
            if self.tasks.gathers(stage):
                yield from self._work(stage, 1)
                return
            source = self.stages[stage].inputs[0].source
        line = self.stages[stage].line
        if isinstance(source, Fetch):
            for worker in sorted(self.tasks.empty):
                if self.tasks.kinds[worker] == source.kind:
                    for mode in self._from_source(source, 0, stage, entry, line):
                        mode.hands.append((0, worker))
                        yield mode
        yield from self._from_source(source, 1, stage, entry, line)

    def _modes_after_taking_out(
        self, draft: ModeDraft, block: int, begin: int, pick: int, number: int
    ) -> Iterator[ModeDraft]:
        """Yield drafts in which a worker takes a stage's food out at `pick` and carries it on."""
        draft.ops.append(Op(pick, block, "pick", Spot(stage=number)))
        if self.tasks.gathers(number):
            draft.leaves.append((number, pick))
        stage, index = self.tasks.consumer.get(number, (None, None))
        line = self.stages[number].line
        yield from self._carry(draft, block, begin, pick + 1, stage, index, line)

    def _carry(
        self,
        draft: ModeDraft,
        block: int,
        begin: int,
        t: int,
        stage: int | None,
        index: int | None,
        line: str,
    ) -> Iterator[ModeDraft]:
        """Yield drafts in which a worker brings the food in its hand to the next stage, or to the
        pass, from `t` on.

        `stage` and `index` are the next stage and the number of its input; None for the pass.
        """
        if stage is None:
            spot = Spot(kind="pass")
            draft.ops += (Op(t, block, "nav", spot), Op(t + 1, block, "serve", spot, line))
            draft.visits.append(Visit(spot, t, t + 2))
            draft.blocks.append((begin, t + 2))
            draft.served = t + 1
            yield draft
            return
        spot = Spot(stage=stage)
        draft.ops += (Op(t, block, "nav", spot), Op(t + 1, block, "place", spot))
        entered = self.stages[stage]
        if self.tasks.gathers(stage):
            draft.arrivals.append(GatheringArrival(stage, t + 1))
            leave = t + 2
            if index in self.tasks.late(stage):
                draft.ops.append(Op(leave, block, "start", spot))
                leave += 1
            draft.visits.append(Visit(spot, t, leave))
            draft.blocks.append((begin, leave))
            yield draft
            return
        if not entered.cooks:
            pick = t + 2 + len(entered.work)
            draft.ops.extend(
                Op(t + 2 + done, block, "work", spot, process)
                for done, process in enumerate(entered.work)
            )
            draft.visits.append(Visit(spot, t, pick + 1))
            draft.stays.append(Stay(stage, t + 1, pick))
            yield from self._modes_after_taking_out(draft, block, begin, pick, stage)
            return
        draft.ops.append(Op(t + 2, block, "start", spot))
        entry = entered.inputs[0]
        for minutes in range(entry.low, entry.high + 1)[:MAX_DELAYS]:
            grown = draft.copy()
            grown.stays.append(Stay(stage, t + 1, t + 2 + minutes))
            yield from self._let_cook(grown, block, begin, t + 2, minutes, stage, t)

    def _let_cook(
        self,
        draft: ModeDraft,
        block: int,
        begin: int,
        start: int,
        minutes: int,
        number: int,
        arrive: int,
    ) -> Iterator[ModeDraft]:
        """Yield drafts in which food that was started at `start` cooks for `minutes`; then a worker
        takes the food out.

        The worker that started it came to the appliance at `arrive`.
        """
        spot, pick = Spot(stage=number), start + minutes
        if minutes == 1:
            draft.visits.append(Visit(spot, arrive, pick + 1))
            yield from self._modes_after_taking_out(draft, block, begin, pick, number)
            return
        draft.visits.append(Visit(spot, arrive, start + 1))
        draft.blocks.append((begin, start + 1))
        draft.ops.append(Op(pick - 1, block + 1, "nav", spot))
        draft.visits.append(Visit(spot, pick - 1, pick + 1))
        yield from self._modes_after_taking_out(draft, block + 1, pick - 1, pick, number)
