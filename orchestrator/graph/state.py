"""What an episode runs with, and what of it is checkpointed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, NotRequired, cast, final

from typing_extensions import TypedDict

from episodes.engine import Fails
from episodes.world import Json, Outcome, Trigger, World
from mailboxes.desk import Desk
from mailboxes.protocol import Mailbox, Settled
from orchestrator.graph.at_hand import AtHand
from orchestrator.graph.recorder import Recorder
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


@dataclass(frozen=True, kw_only=True)
class Context:
    """What an episode runs with and what is not checkpointed.

    `horizon` is the number of timesteps after which the episode ends, None where it is open; `last`
    is the last timestep where planners may know it. In an open one `desk` receives those who send
    messages, and `pace` keeps the time. `max_stalled` is how many calls of the planner in a row may
    pass without progress; `patience` the seconds that a worker may take for an action. `measured`
    takes what each call of a model took, `settled` what came of the letters that were opened;
    `publish` lets everybody know the status. `live` is whether the state of the graph holds the
    world's state as it is: nothing of it is kept in checkpoints then. Otherwise the state that was
    dumped last is `at_hand`.
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
    at_hand: AtHand = field(default_factory=AtHand)

    @cached_property
    def apart(self) -> list[str]:
        """The workers that are not scripted."""
        return [name for name, each in self.workers.items() if type(each) is not ScriptedWorker]

    @cached_property
    def people(self) -> list[str]:
        """The workers whom people play."""
        return [name for name, each in self.workers.items() if isinstance(each, Person)]

    def loaded(self, state: State) -> Any:
        """Return the world's state in a state of the graph."""
        if self.live:
            return state["world"]
        at_hand = self.at_hand.state_of(state["world"])
        return self.world.load(state["world"]) if at_hand is None else at_hand

    def copied(self, state: State) -> Any:
        """Return the world's state for somebody who may scribble on it."""
        return self.world.load(self.world.dump(state["world"]) if self.live else state["world"])

    def dumped(self, world: Any) -> Any:
        """Return a state of the world as it stands in the graph's."""
        if self.live:
            return world
        dumped = self.at_hand.dump_of(world)
        if dumped is None:
            dumped = self.world.dump(world)
            self.at_hand.keep(world, dumped)
        return dumped


class Acts(TypedDict, total=False):
    """What is done at a timestep, by place in the order of commands.

    Of each worker: its name; the action, None where it gave none; and why it is away, if it is. Of
    one that is away the action is what it was assigned.
    """

    timestep: int
    by: dict[str, tuple[str, str | None, str | None]]


def merge_acts(old: Acts, new: Acts) -> Acts:
    """Put the workers' results of one timestep together; those of another are dropped."""
    if not old or not new or old["timestep"] != new["timestep"]:
        return new or old
    return {"timestep": new["timestep"], "by": {**old["by"], **new["by"]}}


class Opened(TypedDict, total=False):
    """The part of the state that says what follows an opened timestep."""

    timestep: int
    commands: list[list[str]]
    apart: list[str]
    legal: dict[str, list[str]]
    triggers: list[dict[str, Any]]
    asked: list[str]
    asleep: bool
    ended: str | None


class State(Opened, total=False):
    """What is checkpointed: plain data of bounded size.

    `world` is the world's dump, `schedule` says which stand, `commands` who is to
    do what now, or has just done it, `apart` the workers that are asked each by itself, since they
    are not scripted, `legal` what those could do whom people play,
    `fails` what FAILed at the timestep before, `away` who does not answer and why, `fresh` what
    an open episode needs since something came in and must look up anew, `cursor` the number of
    the last letter taken from the mailbox, `records` how many records the trace has, `stalled`
    the planner's calls in a row without progress, `seen` digests of what had been made at its
    last calls, `memory` the number in the trace of what each agent asked to be kept,
    `instructions` the last words of the supervisor with their timesteps,
    `talk` what a team has said and decided at this timestep, `said` the numbers in the trace of
    what was said last, `asked` who of a team is asked at this timestep, `untold` what those of a
    team who have not been asked since are still to be told, `asleep` whether nothing is done until
    somebody sends something, `forked` whether a fork begins here, in whose parent's lines the
    superstep is that opens this timestep, `ended` the termination.
    """

    world: dict[str, Any]
    schedule: Standing
    acts: Annotated[Acts, merge_acts]
    untold: dict[str, dict[str, Any]]
    fails: dict[str, dict[str, Any]]
    away: dict[str, str]
    fresh: list[str]
    cursor: int
    records: int
    stalled: int
    seen: list[str]
    memory: dict[str, int]
    instructions: list[list[Any]]
    talk: dict[str, Any]
    said: list[int]
    forked: bool


class Part(TypedDict):
    """The schedule of one who plans, by reference: it is never in a checkpoint itself.

    `plan` is the number of the answer in the trace, which begins at timestep `begin`; it has run
    out at timestep `end`.
    """

    plan: int
    begin: int
    end: int


Standing = dict[str, Part]
"""The schedules that stand, by who plans: in a team by its agents."""

THE_PLANNER = ""
"""Under this name the one planner's schedule and memory stand in the state."""


@final
class Together(TypedDict):
    """What scripted workers are sent: of each its place, its name and its action."""

    timestep: int
    together: list[list[str]]


@final
class Assignment(TypedDict):
    """What any other worker is sent; `place` is that of the command in the order of the timestep.

    `legal` is what the worker could do, if a person plays it.
    """

    timestep: int
    place: str
    worker: str
    action: str
    legal: NotRequired[list[str]]


def planning(state: Mapping[str, Any]) -> bool:
    """Whether who plans is asked next: something has triggered it, or agents need no trigger."""
    return bool(state["triggers"] or state.get("asked"))


def trigger_data(trigger: Trigger) -> dict[str, Any]:
    """Return a trigger as the state holds it."""
    data: dict[str, Any] = {"kind": trigger.kind, "cause": trigger.cause}
    return data if trigger.to is None else {**data, "to": list(trigger.to)}


def trigger_of(data: Mapping[str, Any]) -> Trigger:
    """Return the trigger that the state holds."""
    to = data.get("to")
    return Trigger(kind=data["kind"], cause=data["cause"], to=None if to is None else tuple(to))


def fails_data(fails: Fails) -> dict[str, dict[str, Any]]:
    """Return FAILs as the state holds them."""
    return {
        worker: {
            "action": action,
            "fail": str(outcome.fail),
            "why": outcome.why,
            **({"witnesses": list(outcome.witnesses)} if outcome.witnesses else {}),
        }
        for worker, (action, outcome) in fails.items()
    }


def fails_of(data: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, Outcome]]:
    """Return the FAILs that the state holds."""
    return {
        worker: (
            fail["action"],
            Outcome(fail["fail"], fail["why"], tuple(fail.get("witnesses", ()))),
        )
        for worker, fail in data.items()
    }


def referred(state: State) -> list[int]:
    """Return the records a state refers to: schedules, what is remembered, what was said."""
    plans = [part["plan"] for part in state.get("schedule", {}).values()]
    decided = [number for number, _ in state.get("talk", {}).get("decided", {}).values()]
    return [*plans, *decided, *state.get("memory", {}).values(), *state.get("said", ())]


async def hold(state: State, context: Context) -> None:
    """Keep the records at hand that a state refers to."""
    if context.recorder.lets_go:
        await context.recorder.hold(referred(state))


def changed(before: State, after: State, context: Context) -> State:
    """What a node has changed: the rest need not be written down again.

    A live state of the world is not compared, since worlds need not say what equals what.
    """
    if context.live:
        return after
    missing = object()
    unlike = {key: x for key, x in after.items() if before.get(key, missing) != x}
    return cast("State", unlike)


_BEGUN = State(
    timestep=0,
    schedule={},
    commands=[],
    acts={},
    triggers=[],
    fails={},
    away={},
    fresh=[],
    cursor=0,
    stalled=0,
    seen=[],
    memory={},
    instructions=[],
    talk={},
    said=[],
    asked=[],
    untold={},
    asleep=False,
    forked=False,
    ended=None,
)


def begun(state: State, context: Context) -> State:
    """Return a whole state: what is not said is as where an episode begins."""
    whole = _BEGUN | {"records": context.recorder.count} | state
    if "world" not in whole:
        whole["world"] = context.dumped(context.world.start())
    return whole
