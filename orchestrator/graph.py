"""The graph in which an episode runs: the world, who plans, and the workers fanned out.

    START -> kitchen -> planner (where something triggers it) -> worker x n -> kitchen -> ...

One timestep is two supersteps: the workers together, then the kitchen; a call of the planner is one
more. "kitchen" stands for whatever world is played: nothing here knows which it is. Who plans is an
arrangement of agents: one central planner, as drawn here, or a team (`orchestrator.team`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from heapq import merge
from typing import Any, NamedTuple

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from episodes.trace import EventRecord, OutcomeRecord, StepRecord, Termination, TriggerRecord
from episodes.world import Command, Trigger, World, digest
from orchestrator.arrangement import Arrangement
from orchestrator.central import CENTRAL
from orchestrator.recording import end, superstep
from orchestrator.state import Assignment, Context, State, opening

_log = logging.getLogger(__name__)

FAILURE = "failure"
EXHAUSTED = "exhausted"

Graph = CompiledStateGraph[Any, Any, Any, Any]


class _Moment(NamedTuple):
    """The timestep that is being opened, and what is known about it so far."""

    timestep: int
    world: Any
    queue: list[list[list[str]]]
    fails: dict[str, dict[str, str]]
    happened: Sequence[Trigger]
    stalled: int
    unserved: bool


async def kitchen(state: State, context: Context) -> State:
    """Carry the workers' actions out, then open the next timestep: events, triggers, the end."""
    state = State(**{**opening(context), **state})
    now = _step(state, context)
    world, triggers, cursor = await _open(now, state["cursor"], context)
    finished = context.world.finished(world)
    tally = context.world.tally(world)
    ended: Termination | None = None
    if finished and cursor and await context.mailbox.empty(cursor):
        ended = end(context, now.timestep, "finished", "Nothing is left to be done.", tally)
    elif now.timestep >= context.horizon:
        ended = end(context, now.timestep, "horizon", "The last timestep is over.", tally)
    elif triggers and now.stalled > context.max_stalled:
        why = f"The planner was called {now.stalled} times in a row without progress."
        ended = end(context, now.timestep, "no_progress", why, tally)
    else:
        for trigger in triggers:
            record = TriggerRecord(timestep=now.timestep, trigger=trigger.kind, cause=trigger.cause)
            context.recorder.append(record)
    return State(
        timestep=now.timestep,
        world=context.world.dump(world),
        queue=now.queue,
        triggers=[{"kind": t.kind, "cause": t.cause} for t in triggers],
        fails=now.fails,
        cursor=cursor,
        records=context.recorder.count,
        stalled=0 if finished else now.stalled,
        ended=ended,
    )


def _step(state: State, context: Context) -> _Moment:
    """One timestep of the world, if the workers have acted in it."""
    world, timestep, acts = context.world, state["timestep"], state["acts"]
    before = world.load(state["world"])
    stepped = bool(acts) and acts["timestep"] == timestep
    if stepped:
        superstep(context, timestep, ["worker"] * len(acts["by"]))
    superstep(context, timestep, ["kitchen"])
    if not stepped:
        unserved = timestep > 0 and not world.finished(before)
        return _Moment(timestep, before, state["queue"], {}, (), state["stalled"], unserved)
    given = (acts["by"][place] for place in sorted(acts["by"], key=int))
    commands = [Command(act[0], act[1]) for act in given if act[1] is not None]
    after, outcomes, happened = world.step(before, commands)
    actions = dict(commands)
    fails = {
        worker: {
            "action": actions.get(worker, ""),
            "fail": str(outcomes[worker].fail),
            "why": outcomes[worker].why,
        }
        for worker in world.workers
        if not outcomes[worker].done
    }
    context.recorder.append(
        StepRecord(
            timestep=timestep,
            commands=commands,
            fails={w: OutcomeRecord(fail=f["fail"], why=f["why"]) for w, f in fails.items()},
            digest=digest(world.dump(after)),
        )
    )
    progress = any(outcomes[w].done and action != world.idle for w, action in commands)
    return _Moment(
        timestep=timestep + 1,
        world=after,
        queue=state["queue"][1:],
        fails=fails,
        happened=happened,
        stalled=0 if progress else state["stalled"],
        unserved=not world.finished(after),
    )


async def _open(now: _Moment, cursor: int, context: Context) -> tuple[Any, list[Trigger], int]:
    """Take the letters that are due; returns the world, the triggers and the new cursor."""
    world = now.world
    if now.timestep >= context.horizon:
        return world, [], cursor
    triggers = [
        Trigger(kind=FAILURE, cause=f"{worker}, {fail['action'] or 'no action'}: {fail['why']}")
        for worker, fail in now.fails.items()
    ]
    triggers += now.happened
    for letter in await context.mailbox.open(now.timestep, after=cursor):
        world, ruling = context.world.apply(world, letter.event)
        context.recorder.append(
            EventRecord(
                timestep=now.timestep,
                number=letter.number,
                event=letter.event,
                injected=letter.injected,
                refused=ruling.refused,
            )
        )
        if ruling.trigger:
            triggers.append(ruling.trigger)
        cursor = letter.number
    if now.unserved and not now.queue and not context.world.finished(world):
        cause = "the schedule has run out and something is still not served"
        triggers.append(Trigger(kind=EXHAUSTED, cause=cause))
    return world, triggers, cursor


async def worker(assignment: Assignment, context: Context) -> State:
    """Let a worker act; one that fails to gives no action."""
    timestep, name = assignment["timestep"], assignment["worker"]
    action: str | None = None
    try:
        async with asyncio.timeout(context.patience):
            answer = await context.workers[name].act(timestep, name, assignment["action"])
        action = answer if isinstance(answer, str) else None
    except Exception:
        _log.warning("%s gave no action at timestep %d", name, timestep, exc_info=True)
    return State(acts={"timestep": timestep, "by": {assignment["place"]: (name, action)}})


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    context_schema: type = Context,
    context_of: Callable[[Any], Context] = lambda context: context,
    arrangement: Arrangement = CENTRAL,
) -> Graph:
    """The compiled graph. `context_of` makes the episode's context from what the graph is given."""
    decide = arrangement.name

    async def kitchen_node(state: State, runtime: Runtime[Any]) -> State:
        return await kitchen(state, context_of(runtime.context))

    async def deciding_node(state: State, runtime: Runtime[Any]) -> State:
        return await arrangement.decide(state, context_of(runtime.context))

    async def worker_node(state: Assignment, runtime: Runtime[Any]) -> State:
        return await worker(state, context_of(runtime.context))

    def assign(state: State, runtime: Runtime[Any]) -> str | list[Send]:
        if state["ended"]:
            return END
        world = context_of(runtime.context).world
        return [Send("worker", assignment) for assignment in assignments(state, world)]

    def after_kitchen(state: State, runtime: Runtime[Any]) -> str | list[Send]:
        called = state["triggers"] and not state["ended"]
        return decide if called else assign(state, runtime)

    graph: StateGraph[State, Any, State, State] = StateGraph(State, context_schema=context_schema)
    graph.add_node("kitchen", kitchen_node)
    graph.add_node(decide, deciding_node)
    graph.add_node("worker", worker_node, input_schema=Assignment)
    graph.add_edge(START, "kitchen")
    graph.add_conditional_edges("kitchen", after_kitchen, [decide, "worker", END])
    if arrangement.repeats:
        graph.add_conditional_edges(decide, after_kitchen, [decide, "worker", END])
    else:
        graph.add_conditional_edges(decide, assign, ["worker", END])
    graph.add_edge("worker", "kitchen")
    return graph.compile(checkpointer=checkpointer)


def assignments(state: State, world: World[Any]) -> list[Assignment]:
    """What the workers are to do now: the commands of the schedule, in order, and idling."""
    queue, timestep = state["queue"], state["timestep"]
    commands = [Command(*pair) for pair in queue[0]] if queue else []
    named = {command.worker for command in commands}
    idle = [Command(name, world.idle) for name in world.workers if name not in named]
    rank = {name: number for number, name in enumerate(world.workers)}
    joint = merge(commands, idle, key=lambda command: rank.get(command.worker, len(rank)))
    return [
        Assignment(timestep=timestep, place=str(place), worker=worker, action=action)
        for place, (worker, action) in enumerate(joint)
    ]
