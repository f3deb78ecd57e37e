"""Chains: how food gets from where it is to where foods are gathered, or to the pass.

Within a chain nobody waits: a worker takes the food from station to station and works on it; where
it cooks the worker is free, and somebody comes for it within the minutes the recipe allows. Each
chain is tried in several patterns, which differ in the minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice, product

from kitchen.stages import Fetch, Held, Here, Lying, Made, Source
from worlds.restaurant.scheduling.clearing import MAX_HOLD, cleared
from worlds.restaurant.scheduling.heads import Head, Heads
from worlds.restaurant.scheduling.patterns import Arrival, Op, Pattern, Spot, Stay, Visit

MAX_DELAYS = 4
"""How many of the minutes that a recipe allows are tried, from the fewest on."""

SOON = 3
"""How many timesteps later at most something is started that lies in an appliance already."""

TWO_WORKERS, ONE_WORKER = 2, 4
"""Timesteps between two puts into one vessel: by different workers, or all by one."""

MAX_PATTERNS = 24
"""How many patterns a chain with several cookings is tried in."""


class Chains(Heads):
    """The chains of a workload with their patterns."""

    @cached_property
    def _walked(self) -> dict[tuple[Head, bool], list[Pattern]]:
        return {}

    def patterns(self, head: Head, linked: bool = False) -> list[Pattern]:
        """The patterns of a chain, quickest first; `linked`: its worker stands there already."""
        key = (head, linked)
        if key not in self._walked:
            walked = self._start(head.stage) if self.put_in(head) else self._walk(head, not linked)
            made = list(islice(walked, 4 * MAX_PATTERNS))
            if linked:
                made = [pattern for pattern in made if pattern.blocks[0][0] == 0]
            made.sort(key=lambda pattern: (pattern.end, pattern.work))
            self._walked[key] = made[:MAX_PATTERNS]
        return self._walked[key]

    def _walk(self, head: Head, t: int) -> Iterator[Pattern]:
        """All patterns of a chain whose first action after walking is at `t`."""
        match head.kind:
            case "clear":
                yield cleared(self.work.clears[head.index], t, self.crowded)
            case "work":
                yield from self._work(head.stage, t)
            case "deliver":
                delivery = self.deliveries[head.index]
                yield from self._from_source(delivery.source, t, None, None, delivery.line)
            case "input":
                source = self.stages[head.stage].inputs[head.index].source
                line = self.stages[head.stage].line
                yield from self._from_source(source, t, head.stage, head.index, line)

    def _from_source(
        self, source: Source, t: int, stage: int | None, index: int | None, line: str
    ) -> Iterator[Pattern]:
        if isinstance(source, Held):
            yield from self._from_hand(source.worker, stage, index, line)
            return
        draft = Pattern()
        if isinstance(source, Fetch):
            spot = Spot(kind=source.kind)
            draft.ops.append(Op(t, 0, "pick", spot, source.name))
        else:
            assert isinstance(source, Lying)
            spot = Spot(station=source.station)
            draft.ops.append(Op(t, 0, "pick", spot, slot=source.slot))
            if source.station not in self.crowded:
                draft.lifted.append((source.station, source.slot, t))
        draft.visits.append(Visit(spot, 0, t + 1))
        draft.walks(t, spot)
        yield from self._carry(draft, 0, 0, t + 1, stage, index, line)

    def _from_hand(
        self, worker: int, stage: int | None, index: int | None, line: str
    ) -> Iterator[Pattern]:
        place = Spot(station=self.places[worker])
        for delay in range(-1, MAX_HOLD):
            draft = Pattern(hands=[(0, worker)])
            if delay > 0:
                draft.ops.append(Op(0, 0, "aside", place))
            for pattern in self._carry(draft, 0, 0, delay, stage, index, line):
                if delay < 0:
                    first = next(op for op in pattern.ops if op.verb == "nav")
                    pattern.ops.remove(first)
                    pattern.visits[0] = pattern.visits[0]._replace(arrive=0)
                    pattern.on_spot = worker
                yield pattern

    def _work(self, number: int, t: int) -> Iterator[Pattern]:
        stage = self.stages[number]
        draft = Pattern()
        spot, begin = Spot(stage=number), max(0, t - 1)
        draft.walks(t, spot)
        if not stage.cooks:
            pick = t + len(stage.work)
            draft.ops.extend(
                Op(t + done, 0, "work", spot, process) for done, process in enumerate(stage.work)
            )
            draft.visits.append(Visit(spot, begin, pick + 1))
            yield from self._taken_out(draft, 0, begin, pick, number)
            return
        sinces = [e.source.since for e in stage.inputs if isinstance(e.source, Here)]
        if any(since is not None for since in sinces):
            yield from self._running(number)
            return
        draft.ops.append(Op(t, 0, "start", spot))
        late = self.late(number)
        entries = [e for index, e in enumerate(stage.inputs) if index not in late]
        low, high = max(e.low for e in entries), min(e.high for e in entries)
        for minutes in range(low, min(high, low + MAX_DELAYS - 1) + 1):
            for pattern in self._let_cook(draft.copy(), 0, begin, t, minutes, number, begin):
                yield from self._with_late(pattern, number, t + minutes)

    def _start(self, number: int) -> Iterator[Pattern]:
        """Patterns of food that only has to be started: now, or in the next few timesteps."""
        for worker in sorted(self.empty):
            if self.places[worker] == self.stages[number].station:
                for pattern in self._work(number, 0):
                    pattern.on_spot = worker
                    pattern.hands.append((0, worker))
                    yield pattern
        for t in range(1, SOON + 1):
            yield from self._work(number, t)

    def _running(self, number: int) -> Iterator[Pattern]:
        """Patterns of food that is cooking: their times count from now."""
        stage = self.stages[number]
        low, high = 0, 10**6
        for entry in stage.inputs:
            if isinstance(entry.source, Here) and entry.source.since is not None:
                low = max(low, entry.source.since + entry.low - self.now)
                high = min(high, entry.source.since + entry.high - self.now)
        spot = Spot(stage=number)
        for pick in range(low, min(high, low + 2 * MAX_DELAYS) + 1):
            draft = Pattern()
            begin = max(0, pick - 1)
            if pick > 0:
                draft.ops.append(Op(begin, 0, "nav", spot))
            else:
                there = [w for w in sorted(self.empty) if self.places[w] == stage.station]
                if not there:
                    continue
                draft.on_spot = there[0]
                draft.hands.append((0, there[0]))
            draft.visits.append(Visit(spot, begin, pick + 1))
            for pattern in self._taken_out(draft, 0, begin, pick, number):
                yield from self._with_late(pattern, number, pick)

    def _with_late(self, pattern: Pattern, number: int, pick: int) -> Iterator[Pattern]:
        """Add the chains of what goes into a vessel while it is running."""
        entries = self.stages[number].inputs
        together: dict[tuple[int, int], list[int]] = {}
        if idle := self.unstarted(number):
            low, high = (
                max(entries[index].low for index in idle),
                min(entries[index].high for index in idle),
            )
            together[low, high] = []
        for index in self.late(number):
            together.setdefault((entries[index].low, entries[index].high), []).append(index)
        if not together:
            yield pattern
            return
        choices = [
            [
                added
                for minutes in range(max(1, low), high + 1)[:MAX_DELAYS]
                for added in self._added(number, indices or idle[:1], pick - minutes)
            ]
            for (low, high), indices in together.items()
        ]
        here = Spot(stage=number)
        begun = min((op.time for op in pattern.ops if op[2:4] == ("start", here)), default=-2)
        for combination in islice(product(*choices), MAX_PATTERNS):
            if any(put.put <= begun for chain in combination for put in chain.arrivals):
                continue
            whole = pattern.copy()
            for chain in combination:
                whole.merge(chain)
            begin = min(start for start, _ in whole.blocks)
            if self._under_way(number):
                if begin >= 0:
                    yield whole
            else:
                yield whole.shifted(-begin, 0)

    def _under_way(self, number: int) -> bool:
        """Whether the times of a vessel count from now."""
        head = Head("work", number)
        return self.running(head) or self.put_in(head)

    def _added(self, number: int, indices: Sequence[int], start: int) -> Iterator[Pattern]:
        """The chains of inputs that are started together at `start`, by whoever comes last."""
        ways = [
            [
                chain
                for chain in islice(self._late_chain(number, index), MAX_PATTERNS)
                if self._begins_right(chain, number)
            ]
            for index in indices
        ]
        apart = (TWO_WORKERS, ONE_WORKER) if len(indices) > 1 else (TWO_WORKERS,)
        for chains, gap in islice(product(product(*ways), apart), 2 * MAX_PATTERNS):
            whole = Pattern()
            for before, chain in enumerate(reversed(chains)):
                shift = start - 1 - gap * before - chain.arrivals[-1].put
                if chain.hands and (shift or not self._under_way(number)):
                    break
                moved = chain.shifted(shift, 0)
                if before:
                    moved.leave_unstarted()
                whole.merge(moved)
            else:
                yield whole

    def _begins_right(self, chain: Pattern, number: int) -> bool:
        """Whether a chain that must begin on the spot does: at the vessel itself."""
        if chain.on_spot is None:
            return True
        there = self.places[chain.on_spot] == self.stages[number].station
        return there and chain.visits[0].spot.stage == number

    def _only_start(self, number: int) -> Iterator[Pattern]:
        """Somebody starts what lies in a running vessel already."""
        spot = Spot(stage=number)
        for worker in sorted(self.empty):
            if self.places[worker] == self.stages[number].station:
                yield Pattern(
                    blocks=[(0, 1)],
                    visits=[Visit(spot, 0, 1)],
                    ops=[Op(0, 0, "start", spot)],
                    arrivals=[Arrival(number, -1)],
                    hands=[(0, worker)],
                )
        yield Pattern(
            blocks=[(0, 2)],
            visits=[Visit(spot, 0, 2)],
            ops=[Op(0, 0, "nav", spot), Op(1, 0, "start", spot)],
            arrivals=[Arrival(number, 0)],
        )

    def _late_chain(self, number: int, index: int) -> Iterator[Pattern]:
        source: Source = self.stages[number].inputs[index].source
        if isinstance(source, Here):
            yield from self._only_start(number)
            return
        stage, entry = number, index
        while isinstance(source, Made):
            stage, entry = source.stage, 0
            if self.gathers(stage):
                yield from self._work(stage, 1)
                return
            source = self.stages[stage].inputs[0].source
        line = self.stages[stage].line
        if isinstance(source, Fetch):
            for worker in sorted(self.empty):
                if self.kinds[worker] == source.kind:
                    for chain in self._from_source(source, 0, stage, entry, line):
                        chain.hands.append((0, worker))
                        yield chain
        yield from self._from_source(source, 1, stage, entry, line)

    def _taken_out(
        self, draft: Pattern, block: int, begin: int, pick: int, number: int
    ) -> Iterator[Pattern]:
        """Somebody takes out what a stage made, at `pick`, and carries it on."""
        draft.ops.append(Op(pick, block, "pick", Spot(stage=number)))
        if self.gathers(number):
            draft.leaves.append((number, pick))
        stage, index = self.consumer.get(number, (None, None))
        line = self.stages[number].line
        yield from self._carry(draft, block, begin, pick + 1, stage, index, line)

    def _carry(
        self,
        draft: Pattern,
        block: int,
        begin: int,
        t: int,
        stage: int | None,
        index: int | None,
        line: str,
    ) -> Iterator[Pattern]:
        """Food is in the hand, the worker can walk at `t`; its block of work began at `begin`."""
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
        if self.gathers(stage):
            draft.arrivals.append(Arrival(stage, t + 1))
            leave = t + 2
            if index in self.late(stage):
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
            yield from self._taken_out(draft, block, begin, pick, stage)
            return
        draft.ops.append(Op(t + 2, block, "start", spot))
        entry = entered.inputs[0]
        for minutes in range(entry.low, entry.high + 1)[:MAX_DELAYS]:
            grown = draft.copy()
            grown.stays.append(Stay(stage, t + 1, t + 2 + minutes))
            yield from self._let_cook(grown, block, begin, t + 2, minutes, stage, t)

    def _let_cook(
        self,
        draft: Pattern,
        block: int,
        begin: int,
        start: int,
        minutes: int,
        number: int,
        arrive: int,
    ) -> Iterator[Pattern]:
        """An appliance was started at `start`; somebody is back for it after `minutes`."""
        spot, pick = Spot(stage=number), start + minutes
        if minutes == 1:
            draft.visits.append(Visit(spot, arrive, pick + 1))
            yield from self._taken_out(draft, block, begin, pick, number)
            return
        draft.visits.append(Visit(spot, arrive, start + 1))
        draft.blocks.append((begin, start + 1))
        draft.ops.append(Op(pick - 1, block + 1, "nav", spot))
        draft.visits.append(Visit(spot, pick - 1, pick + 1))
        yield from self._taken_out(draft, block + 1, pick - 1, pick, number)
