"""A draft of a mode of a task: all actions of the mode, with their times.

Times are timesteps relative to the first of the mode. A mode occupies workers in *blocks*: spans of
timesteps in which one worker is busy without a break.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Verb = Literal["nav", "pick", "place", "work", "start", "serve", "discard", "aside"]


class Spot(NamedTuple):
    """A place in a task: any station of a kind, the station of a stage, or a named station.

    Only one of the fields is set.
    """

    kind: str = ""
    stage: int = -1
    station: str = ""


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
