"""A mode of a task: what one decision of the search commits to, with all its times.

It is a draft that grows no more, and says what it takes and changes in the terms in which the
search asks for it again and again. Times are timesteps relative to the first of the mode.
"""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from worlds.restaurant.scheduling.draft import ModeDraft, Spot
from worlds.restaurant.scheduling.profile import Layers, layers, span
from worlds.restaurant.scheduling.tasks import Task


class Room(NamedTuple):
    """What is taken at a spot: room to stand for visits, and a slot for the timesteps of `stay`.

    `puts` are the timesteps at which something is put into a gathering stage there.
    """

    spot: Spot
    visits: Layers
    stay: int
    puts: tuple[int, ...]


class Filling(NamedTuple):
    """Something is put into a gathering stage, at the room of this number, None for none.

    `passes` says that the mode takes what is gathered out again.
    """

    stage: int
    put: int
    room: int | None
    passes: bool


class BlockEnd(NamedTuple):
    """A block of work ends, at the room of this number."""

    time: int
    room: int
    block: int


class Mode:
    """A task with its times, as in its draft; no task (None) gets rid of what a hand holds.

    `workers` is what it takes of them, `rooms` what it takes elsewhere, `fillings` and `leaves` the
    gathering stages that it fills and empties, `ends` where its blocks end.
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
        self.end = max(end for _, end in draft.blocks)
        self.work = sum(end - start for start, end in draft.blocks)
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
    for visit in draft.visits:
        visits.setdefault(visit.spot, []).append((visit.arrive, visit.leave))
    stays = {stay.stage: span(stay.put, stay.pick) for stay in draft.stays}
    return [
        Room(
            spot,
            layers(times),
            stays.get(spot.stage, 0),
            tuple(max(0, a.put) for a in draft.arrivals if a.stage == spot.stage),
        )
        for spot, times in visits.items()
    ]
