"""A mode of a task: one decision of the search, with all its times.

A mode is made from a finished draft. It has the needs and effects of the draft in the form that the
search reads often. Times are timesteps relative to the first of the mode.
"""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from cookmas.worlds.restaurant.scheduling.draft import ModeDraft, Spot
from cookmas.worlds.restaurant.scheduling.profile import Layers, layers, span
from cookmas.worlds.restaurant.scheduling.tasks import Task


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
