"""The context: what an episode runs with and what is not checkpointed.

Here is also what every node does with it: a node is run, and its trace is written down.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from episodes.failure import naming
from episodes.trace import End, Superstep, Termination
from episodes.world import Json, Tally, World
from mailboxes.desk import Desk
from mailboxes.protocol import Mailbox, Settled
from orchestrator.graph.recorder import Recorder
from orchestrator.graph.state import FIRST_STATE, THE_PLANNER, State, references
from orchestrator.library import Library
from orchestrator.member import Team
from orchestrator.models.message import Measured
from orchestrator.pace import AS_FAST_AS_POSSIBLE, Pace
from orchestrator.planner import Planner
from workers.person import Person
from workers.protocol import Worker
from workers.scripted import ScriptedWorker

MAX_STALLED = 25
"""Calls of the planner in a row without progress after which an episode ends: more than anything on
any shipped scenario needs, since a planner that is called at every timestep waits in this way."""


class StateCache:
    """Caches one state of the world with its dump, which is known by its identity.

    What comes from a checkpoint or from somebody's edit is another object, and is loaded.
    """

    def __init__(self) -> None:
        self._state: Any = None
        self._dumped: dict[str, Any] | None = None

    def keep(self, state: Any, dumped: dict[str, Any]) -> None:
        """Keep a state and its dump in place of those before."""
        self._state, self._dumped = state, dumped

    def state_of(self, dumped: dict[str, Any]) -> Any:
        """Return the state of which this object is the dump; None if it is not cached."""
        return self._state if dumped is self._dumped else None

    def dump_of(self, state: Any) -> dict[str, Any] | None:
        """Return the dump of this state object; None if it is not cached."""
        return self._dumped if state is self._state else None


@dataclass(frozen=True, kw_only=True)
class Context:
    """What an episode runs with and what is not checkpointed.

    `horizon` is the number of timesteps after which the episode ends, None where it is open; `last`
    is the last timestep where planners may know it. In an open one `desk` receives those who send
    messages, and `pace` keeps the time. `max_stalled` is how many calls of the planner in a row may
    pass without progress; `patience` the seconds that a worker may take for an action. `measured`
    takes what each call of a model took, `settled` the answers to messages that were taken;
    `publish` publishes the status. `live` is whether the state of the graph holds the world's state
    as it is: nothing of it is kept in checkpoints then. Otherwise `cache` has the state that was
    dumped last.
    """

    world: World[Any]
    planner: Planner | Team
    workers: Mapping[str, Worker | Person]
    library: Library
    mailbox: Mailbox
    recorder: Recorder
    horizon: int | None
    last: int | None = None
    desk: Desk | None = None
    pace: Pace = AS_FAST_AS_POSSIBLE
    max_stalled: int = MAX_STALLED
    patience: float = 60.0
    measured: list[Measured] = field(default_factory=list)
    settled: list[Settled] = field(default_factory=list)
    publish: Callable[[Json], Awaitable[None]] | None = None
    live: bool = False
    cache: StateCache = field(default_factory=StateCache)

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """Return the agents of a team, in the order of the workers, or the central planner."""
        if not isinstance(self.planner, Team):
            return (THE_PLANNER,)
        return tuple(name for name in self.world.workers if name in self.planner.members)

    @cached_property
    def apart(self) -> list[str]:
        """Return the workers that are not scripted."""
        return [name for name, each in self.workers.items() if type(each) is not ScriptedWorker]

    @cached_property
    def people(self) -> list[str]:
        """Return the workers whom people play."""
        return [name for name, each in self.workers.items() if isinstance(each, Person)]

    def loaded(self, state: State) -> Any:
        """Return the world's state in a state of the graph."""
        if self.live:
            return state["world"]
        cached = self.cache.state_of(state["world"])
        return self.world.load(state["world"]) if cached is None else cached

    def copied(self, state: State) -> Any:
        """Return the world's state for somebody who may scribble on it."""
        return self.world.load(self.world.dump(state["world"]) if self.live else state["world"])

    def dumped(self, world: Any) -> Any:
        """Return a state of the world as it stands in the graph's."""
        if self.live:
            return world
        dumped = self.cache.dump_of(world)
        if dumped is None:
            dumped = self.world.dump(world)
            self.cache.keep(world, dumped)
        return dumped


Node = Callable[[State, Context], Awaitable[State]]
"""What is run in a superstep: it takes the state and returns what it changes."""


async def run_node(node: Node, state: State, context: Context) -> State:
    """Run a node; what the state refers to is in memory, and what the node records is written.

    Raises WorldFailedError where the world fails.
    """
    await hold_references(state, context)
    with naming(context.world):
        update = await node(state, context)
    await context.recorder.write()
    return update


async def hold_references(state: State, context: Context) -> None:
    """Hold the records in memory to which a state refers."""
    if context.recorder.lets_go:
        await context.recorder.hold(references(state))


def complete_state(state: State, context: Context) -> State:
    """Return a whole state: what is not said is as where an episode begins."""
    whole = FIRST_STATE | {"records": context.recorder.count} | state
    if "world" not in whole:
        whole["world"] = context.dumped(context.world.start())
    return whole


def changes(before: State, after: State, context: Context) -> State:
    """Return what a node has changed: the rest need not be written down again.

    A live state of the world is not compared, since worlds need not say what equals what.
    """
    if context.live:
        return after
    missing = object()
    unlike = {key: x for key, x in after.items() if before.get(key, missing) != x}
    return cast("State", unlike)


def record_superstep(context: Context, timestep: int, nodes: list[str]) -> None:
    """Record that the graph runs these nodes together."""
    context.recorder.append(Superstep(timestep=timestep, nodes=nodes))


def record_end(
    context: Context, timestep: int, how: Termination, why: str, tally: Tally
) -> Termination:
    """Record that the episode is over, and return how it ended."""
    context.recorder.append(End(timestep=timestep, termination=how, why=why, tally=tally))
    return how
