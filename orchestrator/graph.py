"""The graph in which an episode runs: kitchen, planner, and the workers fanned out.

    START -> kitchen -> planner (where something triggers it) -> worker x n -> kitchen -> ...

One timestep is two supersteps: the workers together, then the kitchen; a call of the planner is one
more. "kitchen" stands for whatever world is played: nothing here knows which it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from episodes.errors import InfrastructureError
from episodes.trace import (
    End,
    EventRecord,
    Lookup,
    ModelCall,
    OutcomeRecord,
    PlanRecord,
    StepRecord,
    Superstep,
    Termination,
    TriggerRecord,
)
from episodes.world import Outcome, Trigger, World, digest
from orchestrator.models.budget import Spent
from orchestrator.models.message import Measured
from orchestrator.planner import Observation, Plan, PlanningStoppedError, malformed
from orchestrator.state import Assignment, Context, State, opening

_log = logging.getLogger(__name__)

FAILURE = "failure"
EXHAUSTED = "exhausted"

Graph = CompiledStateGraph[Any, Any, Any, Any]


class _Moment(NamedTuple):
    """The timestep that is being opened, and what is known about it so far."""

    timestep: int
    world: Any
    queue: list[dict[str, str]]
    fails: dict[str, dict[str, str]]
    stalled: int
    unserved: bool


def kitchen(state: State, context: Context) -> State:
    """Carry the workers' actions out, then open the next timestep: events, triggers, the end."""
    state = State(**{**opening(context), **state})
    now = _step(state, context)
    world, triggers, cursor = _open(now, state["cursor"], context)
    finished = context.world.finished(world)
    ended: Termination | None = None
    if finished and cursor and context.mailbox.empty(cursor):
        ended = _end(context, now.timestep, "all_served", "Nothing is left to be done.")
    elif now.timestep >= context.horizon:
        ended = _end(context, now.timestep, "horizon", "The last timestep is over.")
    elif triggers and now.stalled > context.max_stalled:
        why = f"The planner was called {now.stalled} times in a row without progress."
        ended = _end(context, now.timestep, "no_progress", why)
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
        _superstep(context, timestep, ["worker"] * len(world.workers))
    _superstep(context, timestep, ["kitchen"])
    if not stepped:
        unserved = not world.finished(before)
        return _Moment(timestep, before, state["queue"], {}, state["stalled"], unserved)
    given = {worker: acts["by"].get(worker) for worker in world.workers}
    actions = {worker: action for worker, action in given.items() if action is not None}
    after, outcomes = world.step(before, actions)
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
            actions=actions,
            fails={w: OutcomeRecord(fail=f["fail"], why=f["why"]) for w, f in fails.items()},
            digest=digest(world.dump(after)),
        )
    )
    progress = any(outcomes[w].done and action != world.idle for w, action in actions.items())
    return _Moment(
        timestep=timestep + 1,
        world=after,
        queue=state["queue"][1:],
        fails=fails,
        stalled=0 if progress else state["stalled"],
        unserved=not world.finished(after),
    )


def _open(now: _Moment, cursor: int, context: Context) -> tuple[Any, list[Trigger], int]:
    """Take the letters that are due; returns the world, the triggers and the new cursor."""
    world = now.world
    if now.timestep >= context.horizon:
        return world, [], cursor
    triggers = [
        Trigger(kind=FAILURE, cause=f"{worker}, {fail['action'] or 'no action'}: {fail['why']}")
        for worker, fail in now.fails.items()
    ]
    for letter in context.mailbox.open(now.timestep, after=cursor):
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


async def planner(state: State, context: Context) -> State:
    """Look up what is needed, ask the planner, and take its schedule if it is well-formed."""
    timestep = state["timestep"]
    _superstep(context, timestep, ["planner"])
    try:
        answer = await _ask(state, context)
    except InfrastructureError as error:
        ended = _end(context, timestep, "infrastructure_error", str(error))
        return State(triggers=[], records=context.recorder.count, ended=ended)
    except PlanningStoppedError as stopped:
        _called(context, stopped.calls, stopped.measured)
        ended = _end(context, timestep, stopped.termination, str(stopped))
        return State(triggers=[], records=context.recorder.count, ended=ended)
    _called(context, answer.calls, answer.measured)
    refused = malformed(answer, context.world, timestep)
    schedule = [] if refused else [_entry(entry, context.world) for entry in answer.schedule]
    understood = {name: list(texts) for name, texts in (answer.understood or {}).items()}
    context.recorder.append(
        PlanRecord(
            timestep=timestep,
            reasoning=answer.reasoning,
            schedule=_legible(answer.schedule) if refused else schedule,
            understood=None if answer.understood is None else understood,
            refused=refused,
            gave_up=answer.gave_up,
        )
    )
    if answer.gave_up is not None:
        _end(context, timestep, "gave_up", answer.gave_up)
    return State(
        queue=schedule[: context.horizon - timestep],
        triggers=[],
        records=context.recorder.count,
        stalled=state["stalled"] + 1,
        memory=dict(state.get("memory", {}) if answer.memory is None else answer.memory),
        ended=None if answer.gave_up is None else "gave_up",
    )


async def _ask(state: State, context: Context) -> Plan:
    world = context.world.load(state["world"])

    async def look_up(*keys: str) -> None:
        for key, text in (await context.library.look_up(keys)).items():
            context.recorder.append(Lookup(timestep=state["timestep"], key=key, text=text))

    async def look_up_one(key: str) -> str:
        await look_up(key)
        return context.library.texts[key]

    if not getattr(context.planner, "looks_up", False):
        await look_up(*context.world.lookups(world))
    return await context.planner.plan(
        Observation(
            timestep=state["timestep"],
            triggers=tuple(Trigger(kind=t["kind"], cause=t["cause"]) for t in state["triggers"]),
            world=context.world,
            state=context.world.observe(world),
            texts=context.library.texts,
            fails={
                worker: (fail["action"], Outcome(fail["fail"], fail["why"]))
                for worker, fail in state["fails"].items()
            },
            spent=Spent.by(
                record for record in context.recorder.since(0) if isinstance(record, ModelCall)
            ),
            memory=state.get("memory", {}),
            look_up=look_up_one,
        )
    )


def _called(context: Context, calls: Sequence[ModelCall], measured: Sequence[Measured]) -> None:
    for call in calls:
        context.recorder.append(call)
    context.measured.extend(measured)


def _entry(entry: Mapping[str, str], world: World[Any]) -> dict[str, str]:
    """An entry of a schedule with the workers in their order."""
    return {worker: entry[worker] for worker in world.workers if worker in entry}


def _legible(schedule: Any) -> list[dict[str, str]]:
    """A malformed schedule as far as it can be written down."""
    entries = schedule if isinstance(schedule, list | tuple) else ()
    return [
        {str(worker): action for worker, action in entry.items() if isinstance(action, str)}
        if isinstance(entry, Mapping)
        else {}
        for entry in entries
    ]


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
    return State(acts={"timestep": timestep, "by": {name: action}})


def _superstep(context: Context, timestep: int, nodes: list[str]) -> None:
    context.recorder.append(Superstep(timestep=timestep, nodes=nodes))


def _end(context: Context, timestep: int, how: Termination, why: str) -> Termination:
    context.recorder.append(End(timestep=timestep, termination=how, why=why))
    return how


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    context_schema: type = Context,
    context_of: Callable[[Any], Context] = lambda context: context,
) -> Graph:
    """The compiled graph. `context_of` makes the episode's context from what the graph is given."""

    async def kitchen_node(state: State, runtime: Runtime[Any]) -> State:
        return kitchen(state, context_of(runtime.context))

    async def planner_node(state: State, runtime: Runtime[Any]) -> State:
        return await planner(state, context_of(runtime.context))

    async def worker_node(state: Assignment, runtime: Runtime[Any]) -> State:
        return await worker(state, context_of(runtime.context))

    def assign(state: State, runtime: Runtime[Any]) -> str | list[Send]:
        if state["ended"]:
            return END
        world = context_of(runtime.context).world
        entry = state["queue"][0] if state["queue"] else {}
        return [
            Send(
                "worker",
                Assignment(
                    timestep=state["timestep"], worker=name, action=entry.get(name, world.idle)
                ),
            )
            for name in world.workers
        ]

    def after_kitchen(state: State, runtime: Runtime[Any]) -> str | list[Send]:
        called = state["triggers"] and not state["ended"]
        return "planner" if called else assign(state, runtime)

    graph: StateGraph[State, Any, State, State] = StateGraph(State, context_schema=context_schema)
    graph.add_node("kitchen", kitchen_node)
    graph.add_node("planner", planner_node)
    graph.add_node("worker", worker_node, input_schema=Assignment)
    graph.add_edge(START, "kitchen")
    graph.add_conditional_edges("kitchen", after_kitchen, ["planner", "worker", END])
    graph.add_conditional_edges("planner", assign, ["worker", END])
    graph.add_edge("worker", "kitchen")
    return graph.compile(checkpointer=checkpointer)
