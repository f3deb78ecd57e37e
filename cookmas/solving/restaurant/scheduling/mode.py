"""Modes: the ways to do a task, each with all its times.

A `ModeDraft` is a mode under construction: all its actions, in *blocks*, spans of timesteps in
which one worker is busy without a break. A `Mode` has the needs and effects of a finished draft in
the form that the search reads often. Times are timesteps relative to the first of the mode.

| constraint | method |
|---|---|
| a thing in the way goes to the bin | `clear` |
| foods that lie together in a tool leave it joined | `clear` joins them by the `process` first |
| a hand must be empty before it takes up a thing | `put_down`, a draft for each time of waiting |
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal, NamedTuple

from cookmas.solving.restaurant.scheduling.profile import Layers, layers, span
from cookmas.solving.restaurant.scheduling.reuse import Clear
from cookmas.solving.restaurant.scheduling.tasks import Spot, Task

Verb = Literal["nav", "pick", "place", "work", "start", "serve", "discard", "aside"]


class Op(NamedTuple):
    """An action of a mode: its time, the number of its block, its verb, and its place.

    `word` is the thing, the process or the order line that the action names, if any. `slot` is the
    slot that it names, or 0. The verb "aside" is a walk to the aisle.
    """

    time: int
    block: int
    verb: Verb
    spot: Spot
    word: str = ""
    slot: int = 0


class Visit(NamedTuple):
    """The presence of a worker at a spot, from `arrive` until before `leave`."""

    spot: Spot
    arrive: int
    leave: int


class Stay(NamedTuple):
    """The time for which a stage within a task occupies a slot of its kind: from `put` until before
    `pick`.
    """

    stage: int
    put: int
    pick: int


class GatheringArrival(NamedTuple):
    """The end of a task: at `put` a food is put into a gathering stage (see `Tasks.gathers`)."""

    stage: int
    put: int


@dataclass(slots=True)
class ModeDraft:
    """A mode under construction.

    `blocks` has for each block its first timestep and the one after its last. `stays` and `visits`
    are the slots and the room to stand that it takes, `ops` are its actions. `arrivals` are the
    foods that it puts into gathering stages. `leaves` has the gathering stages that it empties,
    each with the time. `lifted` has the other slots that it makes free: station, slot and time.
    `served` is the time of serving, or None. `on_spot` is the worker that must already stand at the
    first station, or None. `hands` has the blocks that only one worker can do, each with that
    worker.
    """

    blocks: list[tuple[int, int]] = field(default_factory=list)
    stays: list[Stay] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    arrivals: list[GatheringArrival] = field(default_factory=list)
    lifted: list[tuple[str, int, int]] = field(default_factory=list)
    leaves: list[tuple[int, int]] = field(default_factory=list)
    served: int | None = None
    on_spot: int | None = None
    hands: list[tuple[int, int]] = field(default_factory=list)

    def copy(self) -> ModeDraft:
        """Return an independent copy."""
        return ModeDraft(
            self.blocks[:],
            self.stays[:],
            self.visits[:],
            self.ops[:],
            self.arrivals[:],
            self.lifted[:],
            self.leaves[:],
            self.served,
            self.on_spot,
            self.hands[:],
        )

    def shift(self, by: int, blocks: int) -> ModeDraft:
        """Return the same draft `by` timesteps later, with its blocks numbered from `blocks`."""
        return ModeDraft(
            [(a + by, b + by) for a, b in self.blocks],
            [Stay(s.stage, s.put + by, s.pick + by) for s in self.stays],
            [Visit(v.spot, v.arrive + by, v.leave + by) for v in self.visits],
            [o._replace(time=o.time + by, block=o.block + blocks) for o in self.ops],
            [GatheringArrival(a.stage, a.put + by) for a in self.arrivals],
            [(name, slot, t + by) for name, slot, t in self.lifted],
            [(stage, t + by) for stage, t in self.leaves],
            None if self.served is None else self.served + by,
            self.on_spot,
            [(block + blocks, worker) for block, worker in self.hands],
        )

    def walks(self, t: int, spot: Spot) -> None:
        """Add the walk to a spot before an action at `t`.

        If `t` is 0, the worker already stands there, so no walk is added.
        """
        if t > 0:
            self.ops.append(Op(t - 1, 0, "nav", spot))

    def leave_unstarted(self) -> None:
        """Remove the last action, which starts the appliance, so that the draft ends when the food
        is placed.
        """
        last = max(self.ops, key=lambda op: op.time)
        self.ops.remove(last)
        begin, end = self.blocks[last.block]
        self.blocks[last.block] = (begin, end - 1)
        self.visits[-1] = self.visits[-1]._replace(leave=end - 1)

    def merge(self, other: ModeDraft) -> None:
        """Add another draft, which runs at the same time in blocks of its own."""
        added = other.shift(0, len(self.blocks))
        self.blocks += added.blocks
        self.stays += added.stays
        self.visits += added.visits
        self.ops += added.ops
        self.arrivals += added.arrivals
        self.lifted += added.lifted
        self.leaves += added.leaves
        self.hands += added.hands


class Room(NamedTuple):
    """The capacity that a mode takes at a spot: room to stand for `visits`, and a slot for `stay`.

    `stay` has a bit for each timestep; it is 0 if the mode takes no slot there. `puts` are the
    timesteps at which food is put into a gathering stage there.
    """

    spot: Spot
    visits: Layers
    stay: int
    puts: tuple[int, ...]


class Filling(NamedTuple):
    """A food that a mode puts into a gathering stage at the time `put`.

    `room` is the index of the mode's room at that stage; it is None if a useless thing is removed
    from the stage instead. `passes` is true if the mode also takes the gathered food out again.
    """

    stage: int
    put: int
    room: int | None
    passes: bool


class BlockEnd(NamedTuple):
    """The end of a block: its time, the index of the room where it is, and the block's number."""

    time: int
    room: int
    block: int


class Mode:
    """One way to do a `task`; with the task None, a worker puts the thing in its hand away.

    `workers` is the capacity of workers that it takes, `rooms` the capacity of stations. `fillings`
    and `leaves` are the gathering stages that it fills and empties. `ends` says where its blocks
    end. `end` is the time after its last block, `work` the sum of its blocks in timesteps. All else
    is as in its draft.
    """

    __slots__ = (
        "blocks",
        "end",
        "ends",
        "fillings",
        "hands",
        "leaves",
        "lifted",
        "on_spot",
        "ops",
        "rooms",
        "served",
        "task",
        "visits",
        "work",
        "workers",
    )

    def __init__(self, draft: ModeDraft, task: Task | None) -> None:
        self.task = task
        self.blocks = draft.blocks
        self.ops = draft.ops
        self.visits = draft.visits
        self.lifted = draft.lifted
        self.leaves = draft.leaves
        self.served = draft.served
        self.on_spot = draft.on_spot
        self.hands = draft.hands
        self.end = max([end for _, end in draft.blocks])
        self.work = sum([end - start for start, end in draft.blocks])
        self.workers = layers(draft.blocks)
        self.rooms = _rooms(draft)
        number = {room.spot: index for index, room in enumerate(self.rooms)}
        left = {stage for stage, _ in draft.leaves}
        self.fillings = [
            Filling(stage, put, number.get(Spot(stage=stage)), stage in left)
            for stage, put in draft.arrivals
        ]
        lasts = {op.block: op for op in sorted(draft.ops, key=attrgetter("time"))}
        self.ends = [
            BlockEnd(draft.blocks[block][1], number[op.spot], block)
            for block, op in lasts.items()
            if op.spot in number
        ]


def _rooms(draft: ModeDraft) -> list[Room]:
    visits: dict[Spot, list[tuple[int, int]]] = {}
    for spot, arrive, leave in draft.visits:
        visits.setdefault(spot, []).append((arrive, leave))
    stays = {stage: span(put, pick) for stage, put, pick in draft.stays}
    puts: dict[int, list[int]] = {}
    for stage, put in draft.arrivals:
        puts.setdefault(stage, []).append(max(0, put))
    return [
        Room(spot, layers(times), stays.get(spot.stage, 0), tuple(puts.get(spot.stage, ())))
        for spot, times in visits.items()
    ]


MAX_MODES = 24
"""Greatest number of modes in which a task is tried, which also limits how long a worker waits with
a thing in its hand. With more modes more tasks fit, and each costs the time to try it.
"""


def clear(clear: Clear, t: int) -> ModeDraft:
    """Return a draft in which a worker carries a thing to the bin.

    The worker's first action other than walking is at `t`.
    """
    draft = ModeDraft()
    spot = Spot(station=clear.station)
    draft.walks(t, spot)
    if clear.process:
        verb: Verb = "start" if clear.process == "start" else "work"
        draft.ops.append(Op(t, 0, verb, spot, clear.process))
        t += 1
        draft.lifted.append((clear.station, clear.slot, t))
    elif clear.stage is not None:
        draft.arrivals.append(GatheringArrival(clear.stage, t))
    else:
        draft.lifted.append((clear.station, clear.slot, t))
    draft.ops.append(Op(t, 0, "pick", spot, slot=clear.slot))
    draft.visits.append(Visit(spot, 0, t + 1))
    _get_rid(draft, "discard", Spot(kind="bin"), t + 1)
    return draft


def put_down(worker: int, place: str, counter: str | None) -> list[ModeDraft]:
    """Return drafts in which a worker at `place` puts the thing in its hand on a counter, or in the
    bin if `counter` is None.

    The drafts differ in how long the worker waits first.
    """
    spot = Spot(station=counter) if counter else Spot(kind="bin")
    modes = []
    for delay in range(-1, MAX_MODES - 1):
        draft = ModeDraft(hands=[(0, worker)])
        if delay > 0:
            draft.ops.append(Op(0, 0, "aside", Spot(station=place)))
        _get_rid(draft, "place" if counter else "discard", spot, delay)
        if delay < 0:
            draft.ops = [op for op in draft.ops if op.verb != "nav"]
            draft.on_spot = worker
        modes.append(draft)
    return modes


def _get_rid(draft: ModeDraft, verb: Literal["place", "discard"], spot: Spot, t: int) -> None:
    """End a draft of one block: the worker walks to a spot at `t`, then puts its thing down."""
    draft.ops += (Op(t, 0, "nav", spot), Op(t + 1, 0, verb, spot))
    draft.visits.append(Visit(spot, max(0, t), t + 2))
    draft.blocks.append((0, t + 2))
