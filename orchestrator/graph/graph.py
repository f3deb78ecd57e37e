"""The graph in which an episode runs: the world, who plans, and the workers fanned out.

    START -> kitchen -> planner (where something triggers it) -> worker x n -> kitchen -> ...

One timestep is two supersteps: the workers together, then the kitchen; a call of the planner is one
more. "kitchen" stands for whatever world is played: nothing here knows which it is. Who plans is an
arrangement of agents: one central planner, as drawn here, or a team (`orchestrator.graph.team`). An
open episode in which nothing is to be done waits at the `door` until somebody sends something.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from heapq import merge
from typing import Any, NamedTuple

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from episodes.capabilities import Forecasting, simulable
from episodes.desk import Desk
from episodes.errors import InputError
from episodes.instruction import MOST_INSTRUCTIONS, happened, is_instruction
from episodes.mailbox import Letter, May, Settled, always
from episodes.trace import EventRecord, Termination, TriggerRecord
from episodes.world import Command, Ruling, Trigger, digest
from orchestrator.graph.acting import worker
from orchestrator.graph.arrangement import Arrangement
from orchestrator.graph.attendance import anything_new, attended, backs, deserted
from orchestrator.graph.authority import UnauthorizedError, admitted
from orchestrator.graph.central import CENTRAL
from orchestrator.graph.keeping import publish
from orchestrator.graph.progress import progress
from orchestrator.graph.recording import end, superstep
from orchestrator.graph.standing import commands_at, has_run_out
from orchestrator.graph.state import NO_SCHEDULE, Assignment, Context, State, changed, opening
from orchestrator.graph.timestep import Moment, carried_out, idle_until, rested
from orchestrator.planner import EXHAUSTED
from workers.person import Person

FAILURE = "failure"

MOST_TAKEN = 64
"""Messages that are taken at a timestep, so that it ends however fast more are sent."""

LONGEST_REFUSAL = 300
"""Characters of what the sender of a message is told who has sent no event of this world."""

Node = Callable[[State, Context], Awaitable[State]]

Graph = CompiledStateGraph[Any, Any, Any, Any]


async def kitchen(state: State, context: Context) -> State:
    """Carry the workers' actions out, then open the next timestep: events, triggers, the end."""
    before = state
    state = State(**{**opening(context), **state})
    now = _step(state, context)
    if now.timestep > state["timestep"]:
        await context.pace.next()
    else:
        context.pace.begin()
    told = state.get("instructions", [])
    world, triggers, cursor, told = await _open(now, state["cursor"], told, context)
    if not triggers and (until := await idle_until(now, world, cursor, context)) > now.timestep:
        now = rested(now, world, until, context)
        world, triggers, cursor, told = await _open(now, cursor, told, context)
    finished = context.world.finished(world)
    news = context.desk is not None and cursor > state["cursor"]
    stalled, seen = (0, []) if finished or news else _stalled(state, world, triggers, context)
    stuck = bool(triggers) and stalled > context.max_stalled
    tally = context.world.tally(world)
    asleep, ended = False, None
    if finished and (cursor or context.desk) and await context.mailbox.empty(cursor):
        how: Termination = "closed" if context.desk else "finished"
        ended = end(context, now.timestep, how, "Nothing is left to be done.", tally)
    elif _over(now.timestep, context):
        ended = end(context, now.timestep, "horizon", "The last timestep is over.", tally)
    elif context.desk and deserted(context, now.away):
        asleep = True
    elif stuck or (finished and now.idle and not triggers):
        asleep = context.desk is not None and await context.mailbox.idle(cursor)
    if stuck and not asleep and not ended:
        why = (
            f"The planner was called {stalled} times in a row without progress; "
            f"{context.max_stalled} are allowed (--max-stalled)."
        )
        ended = end(context, now.timestep, "no_progress", why, tally)
    if not asleep and not ended:
        for trigger in triggers:
            record = TriggerRecord(timestep=now.timestep, trigger=trigger.kind, cause=trigger.cause)
            context.recorder.append(record)
    after = State(
        schedule=state["schedule"],
        memory=state["memory"],
        instructions=told,
        timestep=now.timestep,
        world=context.world.dump(world),
        triggers=[{"kind": t.kind, "cause": t.cause} for t in triggers],
        fails=now.fails,
        away=now.away,
        fresh=_fresh(state, now.world, world, context),
        cursor=cursor,
        records=context.recorder.count,
        stalled=stalled,
        seen=seen,
        asleep=asleep,
        forked=False,
        ended=ended,
    )
    return changed(before, after)


def _step(state: State, context: Context) -> Moment:
    """One timestep of the world, if the workers have acted in it."""
    world, timestep, acts = context.world, state["timestep"], state["acts"]
    before = world.load(state["world"])
    stepped = bool(acts) and acts["timestep"] == timestep
    if stepped:
        superstep(context, timestep, ["worker"] * len(acts["by"]))
    if not state["forked"]:
        superstep(context, timestep, ["kitchen"])
    if not stepped:
        fails = state["fails"] if state["forked"] else {}
        unserved = timestep > 0 and not world.finished(before)
        idle = has_run_out(state["schedule"], timestep, context.recorder)
        before_it = [Trigger(kind=t["kind"], cause=t["cause"]) for t in state["triggers"]]
        away = state.get("away", {})
        return Moment(timestep, before, idle, fails, away, before_it, unserved)
    commands, away = attended(acts, state.get("away", {}), world.idle)
    after, fails, happened = carried_out(before, commands, away, timestep, context)
    unserved = not world.finished(after)
    return Moment(
        timestep=timestep + 1,
        world=after,
        idle=has_run_out(state["schedule"], timestep + 1, context.recorder),
        fails=fails,
        away=away,
        happened=[*happened, *(backs(state.get("away", {}), away) if unserved else ())],
        unserved=unserved,
    )


def _stalled(
    state: State, world: Any, triggers: Sequence[Trigger], context: Context
) -> tuple[int, list[str]]:
    stalled, seen = state["stalled"], state.get("seen", [])
    return (
        progress(stalled, seen, digest(context.world.made(world))) if triggers else (stalled, seen)
    )


class _Opened(NamedTuple):
    """The world once the letters are taken, the triggers, the new cursor, the instructions."""

    world: Any
    triggers: list[Trigger]
    cursor: int
    told: list[list[Any]]


async def _open(now: Moment, cursor: int, told: list[list[Any]], context: Context) -> _Opened:
    """Take the letters that are due."""
    world = now.world
    if _over(now.timestep, context):
        return _Opened(world, [], cursor, told)
    triggers = [
        Trigger(kind=FAILURE, cause=f"{worker}, {fail['action'] or 'no action'}: {fail['why']}")
        for worker, fail in now.fails.items()
    ]
    triggers += now.happened
    most = cursor + MOST_TAKEN
    while cursor < most:
        letters = await context.mailbox.open(now.timestep, cursor, _may(world, context))
        if not letters:
            break
        for letter in letters:
            world, trigger = await _take(letter, world, now.timestep, context)
            triggers += [trigger] if trigger else []
            if trigger and is_instruction(letter.event):
                told = [*told, [now.timestep, letter.event["words"]]][-MOST_INSTRUCTIONS:]
            cursor = letter.number
    await context.mailbox.tell_places()
    if now.unserved and now.idle and not context.world.finished(world):
        cause = "the schedule has run out before the end"
        triggers.append(Trigger(kind=EXHAUSTED, cause=cause))
    if _futile(world, now.timestep, context):
        triggers = []
    return _Opened(world, triggers, cursor, told)


def _futile(state: Any, timestep: int, context: Context) -> bool:
    """Return whether a decision would come too late to change anything."""
    if context.horizon is None or not isinstance(context.world, Forecasting):
        return False
    return context.world.futile(state, context.horizon - timestep)


def _may(world: Any, context: Context) -> May:
    return always if context.desk is None else context.desk.room(world)


async def _take(
    letter: Letter, world: Any, timestep: int, context: Context
) -> tuple[Any, Trigger | None]:
    """Apply an event; one from outside that is none of this world's is refused.

    Its sender is told, and a fork behind which it comes refuses it too.
    """
    event, after, ruling = letter.event, world, Ruling()
    try:
        if letter.sender is not None and context.desk:
            event = await admitted(letter, context.desk, context)
        after, ruling = happened(context.world, world, event)
        if ruling.refused and context.desk:
            await context.recorder.write()
            recall = context.desk.recall
            why = await asyncio.to_thread(recall, event, world, context.recorder.since)
            ruling = Ruling(refused=why or ruling.refused)
    except UnauthorizedError as error:
        event, ruling = error.event, Ruling(refused=error.problem)
    except InputError as error:
        if not letter.injected:
            raise
        ruling = Ruling(refused=str(error)[:LONGEST_REFUSAL])
    record = EventRecord(
        timestep=timestep,
        number=letter.number,
        event=event,
        injected=letter.injected,
        refused=ruling.refused,
        made=None if letter.sender is None else ruling.made,
        sender=letter.sender,
    )
    context.recorder.append(record)
    if letter.sender is not None:
        context.settled.append(settled(record, context.desk))
    return after, ruling.trigger


def settled(record: EventRecord, desk: Desk | None) -> Settled:
    """What the sender of an event is told, once it is durable."""
    about = record.made
    if desk and not about and not record.refused:
        about = desk.about(record.event)
    return Settled(number=record.number, about=about, refused=record.refused)


def _fresh(state: State, before: Any, after: Any, context: Context) -> list[str]:
    """What an open episode needs to look up since something came in, though it may have before."""
    if context.desk is None:
        return []
    known = set(context.world.lookups(before)) - set(state.get("fresh", ()))
    return [key for key in context.world.lookups(after) if key not in known]


def _over(timestep: int, context: Context) -> bool:
    return context.horizon is not None and timestep >= context.horizon


async def door(state: State, context: Context) -> State:
    """Wait until somebody sends something or is back; trace and checkpoints do not grow."""
    away = state.get("away", {})
    back = await anything_new(context, state["cursor"], away)
    away = {worker: why for worker, why in away.items() if worker not in back}
    triggers = [{"kind": t.kind, "cause": t.cause} for t in backs(state.get("away", {}), away)]
    superstep(context, state["timestep"], ["door"])
    count = context.recorder.count
    return State(asleep=False, away=away, triggers=triggers, records=count)


def _referred(state: State) -> list[int]:
    """The records that a state refers to: the schedule that stands, and what is remembered."""
    plans = state.get("schedule", NO_SCHEDULE)["plans"]
    return [*plans, *state.get("memory", {}).values()]


async def _itself(context: Any) -> Context:
    assert isinstance(context, Context)
    return context


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    context_schema: type = Context,
    context_of: Callable[[Any], Awaitable[Context]] = _itself,
    arrangement: Arrangement = CENTRAL,
) -> Graph:
    """The compiled graph. `context_of` makes the episode's context from what the graph is given."""
    decide = arrangement.name

    async def noted(node: Node, state: State, runtime: Runtime[Any]) -> State:
        """Run a node; what it refers to is at hand, and what it records is written down."""
        context = await context_of(runtime.context)
        await context.recorder.hold(_referred(state))
        update = await node(state, context)
        await context.recorder.write()
        return update

    async def assigning(node: Node, state: State, context: Context) -> State:
        update = await node(state, context)
        await context.recorder.hold(_referred(State(**{**state, **update})))
        return _assigned(state, update, context)

    async def kitchen_node(state: State, runtime: Runtime[Any]) -> State:
        return await noted(partial(assigning, kitchen), state, runtime)

    async def deciding_node(state: State, runtime: Runtime[Any]) -> State:
        await publish(await context_of(runtime.context), state)
        return await noted(partial(assigning, arrangement.decide), state, runtime)

    async def door_node(state: State, runtime: Runtime[Any]) -> State:
        return await noted(door, state, runtime)

    async def worker_node(state: Assignment, runtime: Runtime[Any]) -> State:
        return await worker(state, await context_of(runtime.context))

    async def after(state: State) -> str | list[Send]:
        if state["ended"]:
            return END
        if state["asleep"]:
            return "door"
        return decide if state["triggers"] else [Send("worker", a) for a in _assignments(state)]

    graph: StateGraph[State, Any, State, State] = StateGraph(State, context_schema=context_schema)
    graph.add_node("kitchen", kitchen_node)
    graph.add_node(decide, deciding_node)
    graph.add_node("door", door_node)
    graph.add_node("worker", worker_node, input_schema=Assignment)
    graph.add_edge(START, "kitchen")
    graph.add_conditional_edges("kitchen", after, [decide, "worker", "door", END])
    again = [decide] if arrangement.repeats else []
    graph.add_conditional_edges(decide, after, [*again, "worker", END])
    graph.add_edge("worker", "kitchen")
    graph.add_edge("door", "kitchen")
    return graph.compile(checkpointer=checkpointer)


def _assigned(before: State, update: State, context: Context) -> State:
    """The update of a node, with what the workers are to do, if they are next.

    What follows a node then depends on the state alone, also one that somebody has edited.
    """
    state = State(**{**before, **update})
    if state["ended"] or state["asleep"] or state["triggers"]:
        return update
    commands = [list(c) for c in _commands(state, context)]
    return State(**{**update, "commands": commands, **_legal(state, context)})


def _commands(state: State, context: Context) -> list[Command]:
    """The commands of the schedule at this timestep, in order, and idling of whom it leaves out."""
    world, timestep = context.world, state["timestep"]
    commands = commands_at(state["schedule"], timestep, context.recorder)
    named = {command.worker for command in commands}
    idle = [Command(name, world.idle) for name in world.workers if name not in named]
    rank = {name: number for number, name in enumerate(world.workers)}
    return list(merge(commands, idle, key=lambda command: rank.get(command.worker, len(rank))))


def _legal(state: State, context: Context) -> State:
    """What those workers could do whom people play, as far as they know and it may be simulated."""
    people = [name for name, each in context.workers.items() if isinstance(each, Person)]
    if not people:
        return State()
    world = context.world
    now = world.load(state["world"])
    known = {name: simulable(world, world.observe(now, name), name) for name in people}
    return State(
        legal={n: [] if each is None else list(world.legal(each, n)) for n, each in known.items()}
    )


def _assignments(state: State) -> list[Assignment]:
    timestep, legal = state["timestep"], state.get("legal", {})
    assignments = [
        Assignment(timestep=timestep, place=str(place), worker=worker, action=action)
        for place, (worker, action) in enumerate(state["commands"])
    ]
    for each in assignments:
        if each["worker"] in legal:
            each["legal"] = legal[each["worker"]]
    return assignments
