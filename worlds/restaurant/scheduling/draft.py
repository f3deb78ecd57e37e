"""A draft of a mode of a task: all that is done in it, with its times.

Times are timesteps relative to the first of the mode. A mode occupies workers in *blocks*:
spans of timesteps in which one worker is busy without a break.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Verb = Literal["nav", "pick", "place", "work", "start", "serve", "discard", "aside"]


class Spot(NamedTuple):
    """A place in a task: a kind of station, or the station of a stage, or a station by name."""

    kind: str = ""
    stage: int = -1
    station: str = ""


class Op(NamedTuple):
    """One action in a mode: when, in which block of work, what, where."""

    time: int
    block: int
    verb: Verb
    spot: Spot
    word: str = ""
    slot: int = 0


class Visit(NamedTuple):
    """A worker stands at a spot from `arrive` until before `leave`."""

    spot: Spot
    arrive: int
    leave: int


class Stay(NamedTuple):
    """A stage within a task occupies a slot of its kind from `put` until before `pick`."""

    stage: int
    put: int
    pick: int


class GatheringArrival(NamedTuple):
    """The end of a task: something is put into a gathering stage."""

    stage: int
    put: int


@dataclass(slots=True)
class ModeDraft:
    """A mode while it grows; `blocks` are the timesteps of one worker each, from, until before.

    `stays`, `visits` and `ops` as above. `leaves` are the gathering stages that are emptied, and
    when; `arrivals` what is put where; `served` the timestep of serving, or None; `lifted` the
    slots freed by taking something that lay in the way or in wait; `on_spot` the worker that must
    stand at its first station already; `hands` the blocks that only one worker can do.
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
        """Return a draft that can grow on its own."""
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
        """Return the same draft `by` timesteps later, its blocks numbered from `blocks`."""
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
        """Begin with being at a spot at `t`; who is to act at once stands there already."""
        if t > 0:
            self.ops.append(Op(t - 1, 0, "nav", spot))

    def leave_unstarted(self) -> None:
        """Let the last thing this draft does be to place its food."""
        last = max(self.ops, key=lambda op: op.time)
        self.ops.remove(last)
        begin, end = self.blocks[last.block]
        self.blocks[last.block] = (begin, end - 1)
        self.visits[-1] = self.visits[-1]._replace(leave=end - 1)

    def merge(self, other: ModeDraft) -> None:
        """Let another draft happen beside this one, in blocks of its own."""
        added = other.shift(0, len(self.blocks))
        self.blocks += added.blocks
        self.stays += added.stays
        self.visits += added.visits
        self.ops += added.ops
        self.arrivals += added.arrivals
        self.lifted += added.lifted
        self.leaves += added.leaves
        self.hands += added.hands
