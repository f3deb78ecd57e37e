"""Ranking: what is known of each chain before the search, and how urgent it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kitchen.stages import Made, Stage
from worlds.restaurant.scheduling.chains import Chains
from worlds.restaurant.scheduling.heads import Head
from worlds.restaurant.scheduling.patterns import Pattern, Spot
from worlds.restaurant.scheduling.states import Unplaceable


class Entry:
    """A chain as the search ranks it.

    `after` is the least time from its end to the serving, `work` what it costs the workers,
    `tail` the least time from its start to the serving.
    """

    __slots__ = ("after", "bit", "earlier", "head", "spot", "tail", "work")

    def __init__(self, head: Head, bit: int, quickest: Pattern, after: int, spot: Spot) -> None:
        self.head = head
        self.bit = bit
        self.after = after
        self.work = quickest.work
        self.tail = quickest.end + after
        self.earlier = 0
        self.spot = spot


class Ranking:
    """The chains in the order of their urgency.

    `after` is the least time from a stage's being full to the serving of its dish, `inner` the
    gathering stages that feed a stage, as a bit mask.
    """

    def __init__(
        self, chains: Chains, kind_of: Mapping[str, str], owner: Callable[[Head], str]
    ) -> None:
        self.chains = chains
        self.kind_of = kind_of
        self.owner = owner
        self.after = self._tails()
        self.inner = self._inner_stages()
        self.entries = self._ranked_entries()

    def _tails(self) -> list[int]:
        """For each stage, the least time from its being full to its dish being served."""
        stages = self.chains.stages
        after = [0] * len(stages)
        for number in reversed(range(len(stages))):
            consumer = self.chains.consumer.get(number)
            rest = 3 if consumer is None else 3 + after[consumer[0]]
            after[number] = _duration(stages[number]) + rest
        return after

    def _inner_stages(self) -> list[int]:
        """For each stage, the gathering stages that feed it, as a bit mask."""
        stages = self.chains.stages
        inner = [0] * len(stages)
        for number, stage in enumerate(stages):
            for entry in stage.inputs:
                if isinstance(entry.source, Made):
                    source = entry.source.stage
                    inner[number] |= inner[source]
                    if self.chains.gathers(source):
                        inner[number] |= 1 << source
        return inner

    def _ranked_entries(self) -> list[Entry]:
        entries: list[Entry] = []
        twins: dict[tuple[object, ...], int] = {}
        for number, head in enumerate(self.chains.heads):
            if self.chains.pressing(head):
                continue
            patterns = self.chains.patterns(head)
            if not patterns:
                raise Unplaceable(self.owner(head))
            quickest = patterns[0]
            after = self._rest(head, quickest)
            spot = self.chains.begins_at(head)
            entry = Entry(head, 1 << number, quickest, after, spot)
            twin = self._signature(head)
            if twin in twins:
                entry.earlier = twins[twin]
            twins[twin] = entry.bit
            entries.append(entry)
        entries.sort(key=lambda entry: -entry.after)
        return entries

    def _rest(self, head: Head, quickest: Pattern) -> int:
        """The least time from the end of a chain to the serving of what depends on it."""
        if quickest.arrivals:
            return self.after[quickest.arrivals[-1].stage]
        if head.kind != "clear":
            return 0
        kind = self.kind_of[self.chains.work.clears[head.index].station]
        stages = enumerate(self.chains.stages)
        return max((self.after[n] for n, s in stages if s.kind == kind), default=0)

    def _signature(self, head: Head) -> tuple[object, ...]:
        """What makes two chains the same but for the line they are for."""
        if head.kind not in ("input", "work"):
            return (head,)
        line = self.chains.stages[head.stage].line
        own = [n for n, stage in enumerate(self.chains.stages) if stage.line == line]
        shape = tuple(
            (
                stage.kind,
                stage.work,
                stage.station,
                tuple(
                    (e.source.stage - own[0] if isinstance(e.source, Made) else e.source, e.low)
                    for e in stage.inputs
                ),
            )
            for stage in (self.chains.stages[n] for n in own)
        )
        return (head.kind, head.stage - own[0], head.index, shape)


def _duration(stage: Stage) -> int:
    return max(entry.low for entry in stage.inputs) if stage.cooks else len(stage.work)
