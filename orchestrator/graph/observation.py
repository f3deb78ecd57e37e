"""Observations: the agents that are called at a timestep, and the information that each gets.

A central planner is called whenever there is a trigger, and gets all triggers. In a team an agent
is called if it may move and a trigger concerns it. A `stepwise` agent is called at each of its
moves, even without a trigger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cookmas.episodes.base import movers, overrides
from cookmas.episodes.engine import Fails, exhaustion_trigger
from cookmas.episodes.reports import OutlastingAction, duration, find_latest
from cookmas.episodes.trace import Lookup, MessageRecord
from cookmas.episodes.world import Command, Trigger
from cookmas.files.errors import MissingError
from cookmas.orchestrator.graph.bookkeeping import NOTHING, rest_of, select_visible_fails
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.plans import find_memory, price_of
from cookmas.orchestrator.graph.state import THE_PLANNER, State, fails_of, trigger_of
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import (
    Instruction,
    Observation,
    RunningWork,
    TeamMessage,
    WorkerReport,
)
from cookmas.orchestrator.thinking import ThinkingPrice


def exhaustion_triggers(ran_out: Sequence[str], state: State, context: Context) -> list[Trigger]:
    """Return the trigger that tells the agents `ran_out` that their schedules have run out, if any.

    It is no reason to plan for an agent that can begin nothing, because all its workers are busy or
    away, or that has answered that it waits for what is under way. In a team it goes only to agents
    that may move, and not to those that are called at each of their moves.
    """
    team, world = context.planner, state["world"]
    ran_out = [name for name in ran_out if not _waits_for_work(name, state, context)]
    if not isinstance(team, Team):
        return [exhaustion_trigger()] if ran_out else []
    moving = movers(context.world, world)
    to = [name for name in ran_out if name in moving and name not in team.stepwise]
    return [exhaustion_trigger(to)] if to else []


def find_idle(state: State, context: Context) -> list[str]:
    """Return the workers that have nothing to do beside a goal that waits.

    A goal waits if more are open than workers have something to do. By a wall clock alone this is a
    reason to plan: there an answer may come too late for what it says. A team plans for itself.
    """
    world, now = context.world, state["world"]
    by_itself = isinstance(context.planner, Team) or overrides(world, "movers")
    if by_itself or not isinstance(context.pace, WallClock) or world.is_finished(now):
        return []
    if _waits_for_work(THE_PLANNER, state, context):
        return []
    rest = [each for entry in rest_of_own(state, context) for each in entry]
    busy = {each.worker for each in rest if each.action != world.idle} | state["running"].keys()
    count = world.count_open(now) if overrides(world, "count_open") else 1
    if count <= len(busy):
        return []
    other = {*busy, *state["away"], *context.people}
    return [name for name in world.workers if name not in other]


def _waits_for_work(agent: str, state: State, context: Context) -> bool:
    """Return whether an agent, or the central planner, has nothing to plan until work ends."""
    running = state["running"]
    planned = [agent] if agent else list(context.world.workers)
    if not any(worker in running for worker in planned):
        return False
    return agent in state["waits"] or all(w in running or w in state["away"] for w in planned)


def agents_to_ask(triggers: Sequence[Trigger], state: State, context: Context) -> tuple[str, ...]:
    """Return the agents to call now.

    In a team they are agents that may move now. A trigger concerns them, or has done so since their
    last call; or they are called at each of their moves.
    """
    team = context.planner
    if not isinstance(team, Team):
        return (THE_PLANNER,) if triggers else ()
    world, untold = state["world"], state["untold"]
    stepwise = () if context.world.is_finished(world) else team.stepwise
    stepwise = frozenset(stepwise) - state["running"].keys()
    moving = movers(context.world, world)
    return tuple(
        name
        for name in context.agents
        if name in moving
        and (name in stepwise or name in untold or any(each.concerns(name) for each in triggers))
    )


def news_for(agent: str | None, state: State) -> tuple[tuple[Trigger, ...], Fails]:
    """Return the triggers and FAILs for the central planner, or for an agent of a team.

    An agent gets those since its last call.
    """
    if agent is None:
        return tuple(map(trigger_of, state["triggers"])), fails_of(state["fails"])
    before = state["untold"].get(agent, NOTHING)
    triggers = map(trigger_of, [*before["triggers"], *state["triggers"]])
    fails = {**before["fails"], **select_visible_fails(state["fails"], agent)}
    return tuple(each for each in triggers if each.concerns(agent)), fails_of(fails)


async def observe(
    state: State,
    context: Context,
    *,
    known: bool,
    agent: str | None = None,
    talk: Sequence[TeamMessage] = (),
    rounds: int = 0,
    decided: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Observation[Any]:
    """Return the observation of the central planner, or of an `agent` that plans for itself.

    If `known`, all texts that the world requires are looked up first. `talk` has the messages of
    this timestep. `decided` has the actions that others have decided on and that the agent may see.
    """
    world = context.world
    triggers, fails = news_for(agent, state)
    away = {
        **{
            n: OutlastingAction(n, r["action"], r["since"]).told
            for n, r in state["running"].items()
        },
        **state["away"],
    }
    seen = world.observe(context.copy(state["world"]), agent)
    if away:
        seen = world.remove_workers(seen, tuple(away))
    due = world.lookups(seen)

    library, recorder, timestep = context.library, context.recorder, state["timestep"]

    async def look_up(*keys: str) -> None:
        for key, text in (await library.look_up(keys)).items():
            recorder.append(Lookup(timestep=timestep, key=key, text=text))

    async def look_up_one(key: str) -> str:
        if agent is not None and key not in due:
            raise MissingError(f"{agent} has nothing to look up about {key!r}")
        await look_up(key)
        return library.texts[key]

    if agent is None:
        context.library.forget(state["fresh"])
    if known:
        await look_up(*due)
    await recorder.write()
    texts = context.library.texts
    did, price = _last_commands(state), price_of(state, context, agent)
    return Observation(
        timestep=state["timestep"],
        triggers=triggers,
        world=world,
        state=seen,
        texts=texts if agent is None else {key: texts[key] for key in due if key in texts},
        away=away,
        fails=fails,
        underway=rest_of_own(state, context, agent),
        spent=context.recorder.spent,
        spent_by=context.recorder.spent_by,
        memory=find_memory(state, context, agent),
        reports=select_reports(agent, state),
        running=describe_running(state, context),
        look_up=look_up_one,
        agent=agent,
        talk=tuple(talk),
        instructions=tuple(Instruction(*each) for each in state["instructions"]),
        last=context.last,
        movers=tuple(movers(world, state["world"])),
        did=tuple(did if agent is None else world.filter_commands(did, agent)),
        heard=messages_of(state["said"], context) if agent is not None else (),
        rounds=rounds,
        decided=dict(decided),
        alike=isinstance(context.planner, Team) and context.planner.alike,
        price=price,
        effect=_expect_effect(price, state, context),
    )


def describe_running(state: State, context: Context) -> dict[str, RunningWork]:
    """Return what the busy workers are at, and until when."""
    found: dict[str, RunningWork] = {}
    for name, each in state["running"].items():
        action, since = each["action"], each["since"]
        lasts = duration(context.world, action)
        found[name] = RunningWork(
            action,
            since,
            expected=since + lasts if lasts > 1 else None,
            latest=find_latest(
                context.world, OutlastingAction(name, action, since), context.longest
            ),
        )
    return found


def select_reports(agent: str | None, state: State) -> tuple[WorkerReport, ...]:
    """Return the reports of which the central planner is told, or an agent: those of its worker."""
    fields = WorkerReport._fields
    return tuple(
        WorkerReport(**{name: each[name] for name in fields if name in each})
        for each in state["reports"]
        if agent in (None, each["worker"])
    )


_WRITERS = frozenset({"pure", "assisted", "per-step", "mixed"})
"""The classes of planners of which a model writes the schedules."""


def _expect_effect(price: ThinkingPrice | None, state: State, context: Context) -> int | None:
    """Return the timestep at which an answer is expected to take effect; None without a price."""
    if price is None:
        return None
    writes = context.planner.planner_class in _WRITERS
    took = state.get("slowest")
    if isinstance(context.pace, WallClock):
        took = max(state.get("recent", []), default=None)
    return state["timestep"] + price.expect(took, writes=writes)


def rest_of_own(
    state: State, context: Context, agent: str | None = None
) -> tuple[tuple[Command, ...], ...]:
    """Return the rest of the central planner's active schedule, or of an agent's."""
    part = state["schedule"].get(agent or THE_PLANNER)
    if not part:
        return ()
    rest = rest_of(part, state["timestep"], context.conditions)
    return tuple(map(tuple, rest))


def _last_commands(state: State) -> list[Command]:
    """Return the commands that the workers carried out at the previous timestep, in order."""
    acts = state["acts"]
    if not acts or acts["timestep"] != state["timestep"] - 1:
        return []
    by = (acts["by"][place] for place in sorted(acts["by"], key=int))
    return [Command(name, act) for name, act, away in by if act is not None and away is None]


def messages_of(numbers: Iterable[int], context: Context) -> tuple[TeamMessage, ...]:
    """Return the messages of a team in the records with these numbers."""
    records = map(context.recorder.find_referred, numbers)
    return tuple(
        TeamMessage(record.agent, record.text, record.timestep)
        for record in records
        if isinstance(record, MessageRecord)
    )
