"""The context of an episode: its parts that are not checkpointed.

The code that runs a node and writes its records is here too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from cookmas.episodes.base import World
from cookmas.episodes.failure import boundary
from cookmas.episodes.reports import has_long_actions
from cookmas.episodes.world import Json, digest
from cookmas.files.errors import InputError
from cookmas.mailboxes.desk import Desk
from cookmas.mailboxes.protocol import Mailbox, Settled
from cookmas.orchestrator.graph.bookkeeping import Conditions
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.graph.state import ANEW, FIRST_STATE, THE_PLANNER, State, references
from cookmas.orchestrator.graph.underway import Jobs, Thought
from cookmas.orchestrator.library import Fetch, Library
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.options import MAX_STALLED
from cookmas.orchestrator.pace import AS_FAST_AS_POSSIBLE, Pace
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.calling import EndpointOutage
from cookmas.orchestrator.thinking import ThinkingPrice
from cookmas.workers.person import Person
from cookmas.workers.protocol import ScriptedWorker, Worker


class StateCache:
    """A cache of one state of the world and its dump, which is this state as plain data.

    Both are recognised by identity. A dump from a checkpoint or an edit is another object, so it is
    not found here and has to be loaded.
    """

    def __init__(self) -> None:
        self._state: Any = None
        self._dumped: dict[str, Any] | None = None

    def keep(self, state: Any, dumped: dict[str, Any]) -> None:
        """Cache a state and its dump; the earlier pair is dropped."""
        self._state, self._dumped = state, dumped

    def state_of(self, dumped: dict[str, Any]) -> Any:
        """Return the state of which this object is the dump; None if it is not cached."""
        return self._state if dumped is self._dumped else None

    def dump_of(self, state: Any) -> dict[str, Any] | None:
        """Return the dump of this state object; None if it is not cached."""
        return self._dumped if state is self._state else None


@dataclass(kw_only=True, eq=False)
class Context:
    """The facts of an episode that are not checkpointed, and what its nodes keep beside the state.

    An episode that runs by itself is a `Context` with a trace and a place for its checkpoints:
    `cookmas.orchestrator.episode.Episode`.
    """

    world: World
    """The world that is played."""
    planner: Planner | Team
    """The central planner or the team."""
    fallback: Planner | None = None
    """The planner that answers while the endpoint of a central planner is away."""
    workers: Mapping[str, Worker | Person] = field(default_factory=dict)
    """The workers by name; a worker that is not given is scripted: it acts as assigned."""
    asynchronous: Collection[str] = ()
    """The workers for which nobody waits, besides those that declare it themselves."""
    longest: int | None = None
    """The timesteps after which an action that still runs is stopped, beside `World.longest`."""
    patience: float = 60.0
    """Seconds that a worker has for an action that ends in its timestep."""
    max_stalled: int = MAX_STALLED
    """Greatest number of successive calls of the planner without progress."""
    thinking: ThinkingPrice | str | None = None
    """The price of an answer, such as `500 tokens`; None: an answer takes effect at once."""
    horizon: int | None
    """Number of timesteps after which the episode ends; None for an open episode."""
    last: int | None = None
    """The last timestep, if planners may know it."""
    fetch: Fetch
    """The function that looks up a text by its key."""
    mailbox: Mailbox
    """The queue of events."""
    desk: Desk | None = None
    """The ingress adapter, which checks incoming messages.

    An episode with a desk is open: it lasts until its mailbox is closed.
    """
    pace: Pace = AS_FAST_AS_POSSIBLE
    """The pace of an open episode, which sets the time between its timesteps."""
    episode: str = ""
    """Name of the episode, which no other episode has; part of the ids of assignments."""
    recorder: Recorder = field(default_factory=Recorder)
    """The writer of the trace."""
    figures: Callable[[], Json] = dict
    """Function that returns the figures of the episode for the status."""
    note_wait: Callable[[float], None] = lambda _: None
    """Function that counts the seconds which a message waited until it was taken."""
    measured: list[CallMeasurements] = field(default_factory=list)
    """The measurements of the model calls in this process, in order; nodes append to it."""
    streams: bool = False
    """True if the graph streams its records, in LangGraph's mode `custom`."""

    price: ThinkingPrice | None = field(init=False)
    """The price of an answer in timesteps."""
    begun: dict[str, tuple[int, float]] = field(init=False, default_factory=dict)
    """For each busy worker the timestep of its assignment, and when this process first told of it.
    """
    settled: list[Settled] = field(init=False, default_factory=list)
    """The answers to messages that were taken, which are not sent yet; nodes append to it."""
    cache: StateCache = field(init=False, default_factory=StateCache)
    """The last dumped state of the world."""
    outage: EndpointOutage = field(init=False, default_factory=EndpointOutage)
    """The outage of the planner's endpoint, if there is one."""

    def __post_init__(self) -> None:
        scripted = {name: ScriptedWorker() for name in self.world.workers}
        self.workers = {**scripted, **self.workers}
        price = self.thinking
        self.price = ThinkingPrice.parse(price) if isinstance(price, str) else price

    @property
    def resumable(self) -> bool:
        """True if the episode has checkpoints of its own, from which it can be resumed."""
        return False

    @cached_property
    def library(self) -> Library:
        """The texts that planners may look up, with those that the trace has already."""
        return Library(self.fetch, self.recorder.texts)

    @property
    def publish(self) -> Callable[[Json], Awaitable[None]] | None:
        """Function that publishes the status of an open episode, if its mailbox has one."""
        publish: Callable[[Json], Awaitable[None]] | None
        publish = getattr(self.mailbox, "publish", None)
        return publish

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The agents of a team, in the order of the workers, or the central planner."""
        if not isinstance(self.planner, Team):
            return (THE_PLANNER,)
        return tuple(name for name in self.world.workers if name in self.planner.members)

    @cached_property
    def identity(self) -> str:
        """The digest of what is played, by which a thread of an app is known to be of another.

        It is empty for an episode with checkpoints of its own.
        """
        if self.resumable:
            return ""
        what = [self.episode, self.world.setup(), self.planner.name, self.horizon]
        return digest([type(self.world).__qualname__, *what])

    @cached_property
    def unscripted(self) -> list[str]:
        """The workers that are asked one by one: those that are not scripted.

        In a world with long actions these are all workers.
        """
        every = has_long_actions(self.world)
        return [n for n, each in self.workers.items() if every or type(each) is not ScriptedWorker]

    @cached_property
    def jobs(self) -> Jobs:
        """The jobs of the workers."""
        workers = {n: each for n, each in self.workers.items() if not isinstance(each, Person)}
        return Jobs(workers, self.recorder.observers)

    @cached_property
    def people(self) -> list[str]:
        """The workers whom people play."""
        return [name for name, each in self.workers.items() if isinstance(each, Person)]

    @cached_property
    def conditions(self) -> Conditions:
        """The conditions of the episode for the bookkeeping."""
        team = self.agents if isinstance(self.planner, Team) else ()
        return Conditions(self.world, team, self.horizon, self.desk is not None, self.recorder)

    @cached_property
    def thought(self) -> Thought:
        """The call of the planner that goes on while timesteps pass."""
        return Thought()

    def load(self, dumped: dict[str, Any]) -> Any:
        """Return the world's state from its dump."""
        world = self.cache.state_of(dumped)
        if world is None:
            world = self.world.load(dumped)
            self.cache.keep(world, dumped)
        return world

    def copy(self, world: Any) -> Any:
        """Return a copy of a state of the world that the caller may change."""
        return self.world.load(self.dump(world))

    def dump(self, world: Any) -> dict[str, Any]:
        """Return the dump of a state of the world."""
        dumped = self.cache.dump_of(world)
        if dumped is None:
            dumped = self.world.dump(world)
            self.cache.keep(world, dumped)
        return dumped


Node = Callable[[State, Context], Awaitable[State]]
"""A function that runs in a superstep: it takes the state and returns the state after it."""


async def run_node(node: Node, state: State, context: Context) -> State:
    """Run a node, write its records, and return the parts of the state that it has changed.

    The records that the state refers to are in memory meanwhile. Raises WorldFailedError if the
    world fails, and InputError if the state is in the middle of another episode. The state of an
    episode that has ended is no state to go on from: the episode of the context begins.
    """
    with boundary(world=context.world):
        whole = complete_state(_state_of(state, context), context)
        await hold_references(whole, context)
        try:
            after = await node(whole, context)
        except BaseException:
            context.recorder.expect_again()
            raise
        context.recorder.settle()
        after = {**after, "world": context.dump(after["world"]), "records": context.recorder.count}
        if context.identity:
            after["episode"] = context.identity
    await context.recorder.write()
    missing = object()
    changes = {key: part for key, part in after.items() if state.get(key, missing) != part}
    return cast("State", changes)


def _state_of(state: State, context: Context) -> State:
    if state.get("ended") is not None:
        return ANEW
    if context.identity and state.get("episode", context.identity) != context.identity:
        raise InputError(
            "thread",
            "it is in the middle of another episode (scenario, world, planner or horizon); "
            "continue that one, or use another thread",
        )
    return state


async def hold_references(state: State, context: Context) -> None:
    """Keep in memory the records to which a state refers."""
    if context.recorder.lets_go:
        await context.recorder.hold(references(state))


def complete_state(state: State, context: Context) -> State:
    """Return a state as nodes take it: with the world's state itself, and with all its parts.

    Missing parts are filled in as they are at the beginning of an episode.
    """
    whole: State = {**FIRST_STATE, **state}
    if "cursor" in state and "created" not in state:
        # A checkpoint of an older version: things had the numbers of their messages.
        last = whole["cursor"]
        whole["created"] = {form.creates: last for form in context.world.messages if form.creates}
    if "news" not in state:
        whole["news"] = whole["triggers"]  # A checkpoint of an older version has them in one part.
    world = context.load(state["world"]) if "world" in state else context.world.start()
    return {**whole, "world": world}
