"""A timestep: the node `world` carries out the workers' actions and opens the next timestep.

It translates between the state of the graph and the engine, which has the rules of a timestep
(`cookmas.episodes.engine`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cookmas.episodes.answered import tally_of
from cookmas.episodes.base import ending, movers
from cookmas.episodes.engine import (
    Facts,
    Fails,
    Next,
    Rung,
    carry_out,
    commands_for,
    conclusion,
    failures,
    how_it_goes_on,
    is_futile,
    is_over,
    is_past,
    progress,
)
from cookmas.episodes.instruction import MOST_INSTRUCTIONS
from cookmas.episodes.trace import TriggerRecord
from cookmas.episodes.world import Command, Trigger, digest
from cookmas.mailboxes.protocol import Letter, allow_all
from cookmas.orchestrator.graph.context import (
    Context,
    changes,
    complete_state,
    record_end,
    record_superstep,
)
from cookmas.orchestrator.graph.messages import take
from cookmas.orchestrator.graph.observation import (
    Untold,
    agents_to_ask,
    exhaustion_triggers,
    postpone,
)
from cookmas.orchestrator.graph.plans import run_out
from cookmas.orchestrator.graph.state import (
    THE_PLANNER,
    State,
    fails_data,
    fails_of,
    trigger_data,
    trigger_of,
)
from cookmas.orchestrator.graph.workers import availability, is_nobody_available, recoveries
from cookmas.orchestrator.member import Team
from cookmas.workers.protocol import ScriptedWorker

WORLD = "world"
"""The name of the node, which is also in traces."""

MOST_TAKEN = 64
"""Maximum number of messages taken at a timestep.

Without this limit a fast sender could keep the episode at one timestep.
"""


class _Moment(NamedTuple):
    """The timestep that is being opened, and what is known of it so far.

    `world` is the world's state. `fails` are the FAILs of the previous timestep, `away` the
    unavailable workers with the reasons. `news` are the triggers from messages and from what the
    world did on its own, `triggers` all triggers of planning. `unfinished` is true if a goal was
    open before the messages of this timestep were taken. `told` are the supervisor's instructions.
    `cursor` is the number of the last message taken. `ran_out` are the planning agents whose
    schedules have run out, `asked` those that are called now. `untold` has the triggers and FAILs
    that other agents must still get.
    """

    timestep: int
    world: Any
    ran_out: Sequence[str]
    fails: Fails
    away: dict[str, str]
    unfinished: bool
    cursor: int
    told: list[list[Any]]
    untold: Untold
    news: Sequence[Trigger] = ()
    triggers: Sequence[Trigger] = ()
    asked: Sequence[str] = ()


async def advance(state: State, context: Context) -> State:
    """Carry out the workers' actions, then open the next timestep: events, triggers, the end."""
    before = state
    if not context.live:
        state = complete_state(state, context)
    now = _step(state, context)
    unopened = now.world
    if now.timestep > state["timestep"]:
        await context.pace.next()
    else:
        context.pace.begin()
    now = await _open(now, context)
    passed = 0
    been: list[str] = []
    while True:
        finished = context.world.is_finished(now.world)
        ahead = await _idle_until(now, context) if finished else now.timestep
        stalled, seen = (0, []) if finished else _count_stalled_calls(state, now, context)
        facts = await _facts(now, stalled, passed, context, finished, ahead > now.timestep)
        rung = how_it_goes_on(facts)
        match rung.follows:
            case Next.REST:
                now = _idle_until_needed(now, ahead, context)
                unopened = now.world
            case Next.MOVE_ALONE:
                been = been or [_digest_progress(now, context)]
                now = _move_alone(now, state, context)
                unopened = now.world
                passed, been = progress(passed + 1, been, _digest_progress(now, context))
                await context.pace.next()
            case _:
                break
        now = await _open(now, context)
    ended = _record_ending(now, rung, facts, context) if rung.follows is Next.END else None
    asleep = rung.follows is Next.SLEEP
    untold = now.untold
    if now.triggers and not asleep and not ended:
        _record_triggers(now, context)
        if isinstance(context.planner, Team):
            untold = postpone(context.agents, now.asked, now.triggers, now.fails, untold)
    after: State = {
        "schedule": state["schedule"],
        "memory": state["memory"],
        "instructions": now.told,
        "timestep": now.timestep,
        "world": context.dump(now.world),
        "triggers": [trigger_data(each) for each in now.triggers if asleep or now.asked],
        "asked": [name for name in now.asked if name != THE_PLANNER and not asleep and not ended],
        "untold": dict(untold),
        "fails": fails_data(now.fails),
        "away": now.away,
        "fresh": _find_invalidated(state, unopened, now.world, context),
        "cursor": now.cursor,
        "records": context.recorder.count,
        "stalled": stalled,
        "seen": seen,
        "asleep": asleep,
        "forked": False,
        "ended": ended,
    }
    return changes(before, after, context)


def _step(state: State, context: Context) -> _Moment:
    """Return the timestep to open: the next one if the workers have acted, else the present one.

    If they have acted, first carry out their actions in the world.
    """
    world, timestep, acts = context.world, state["timestep"], state["acts"]
    before = context.load(state)
    stepped = bool(acts) and acts["timestep"] == timestep
    if stepped:
        record_superstep(context, timestep, ["worker"] * len(acts["by"]))
    if not state["forked"]:
        record_superstep(context, timestep, [WORLD])
    if not stepped:
        return _Moment(
            timestep=timestep,
            world=before,
            ran_out=run_out(state["schedule"], timestep, context.recorder, context.agents),
            untold=state["untold"],
            fails=fails_of(state["fails"]) if state["forked"] else {},
            away=state.get("away", {}),
            unfinished=timestep > 0 and not world.is_finished(before),
            news=[trigger_of(each) for each in state["triggers"]],
            cursor=state["cursor"],
            told=state.get("instructions", []),
        )
    commands, away = availability(acts, state.get("away", {}), world.idle)
    done = carry_out(world, before, commands, timestep, context.recorder.append, away)
    context.cache.keep(done.state, done.dumped)
    unfinished = not world.is_finished(done.state)
    back = recoveries(state.get("away", {}), away) if unfinished else ()
    return _Moment(
        timestep=timestep + 1,
        world=done.state,
        ran_out=run_out(state["schedule"], timestep + 1, context.recorder, context.agents),
        untold=state["untold"],
        fails=done.fails,
        away=away,
        unfinished=unfinished,
        news=[*done.happened, *back],
        cursor=state["cursor"],
        told=state.get("instructions", []),
    )


async def _open(now: _Moment, context: Context) -> _Moment:
    """Take the messages that are due, and collect the triggers of planning."""
    world, desk = context.world, context.desk
    if is_over(world, now.world, now.timestep, context.horizon):
        return now._replace(news=(), triggers=(), asked=())
    most = now.cursor + MOST_TAKEN
    while now.cursor < most:
        may = desk.room(now.world) if desk else allow_all
        letters = await context.mailbox.open(now.timestep, now.cursor, may)
        if not letters:
            break
        for letter in letters:
            now = await _take(letter, now, context)
    await context.mailbox.tell_places()
    if ending(world, now.world) is not None:
        return now._replace(triggers=(), asked=())
    triggers = [*failures(now.fails), *now.news]
    unplanned = now.unfinished or (now.timestep == 0 and not triggers)
    if unplanned and now.ran_out and not world.is_finished(now.world):
        triggers += exhaustion_triggers(now.ran_out, now.world, context)
    if is_futile(world, now.world, now.timestep, context.horizon):
        return now._replace(triggers=(), asked=())
    asked = agents_to_ask(triggers, now.untold, now.world, context)
    if not (triggers or asked or now.triggers or now.asked):
        return now
    return now._replace(triggers=triggers, asked=asked)


async def _facts(
    now: _Moment, stalled: int, passed: int, context: Context, finished: bool, ahead: bool
) -> Facts:
    """Return the facts that decide how the timestep continues.

    `stalled` is the number of planner calls in a row without progress. `passed` is the number of
    timesteps in a row in which no worker could move and nothing changed. `finished` is true if no
    goal is open, `ahead` if the workers can idle until a later timestep. The mailbox is asked only
    if its answer matters.
    """
    world, desk, mailbox = context.world, context.desk, context.mailbox
    ended = ending(world, now.world)
    facts = Facts(
        ending=ended,
        finished=finished,
        empty=finished and await mailbox.empty(now.cursor),
        is_open=desk is not None,
        over=is_past(context.horizon, now.timestep),
        alone=not ended and not movers(world, now.world),
        ahead=ahead,
        deserted=desk is not None and is_nobody_available(context, now.away),
        ran_out=len(now.ran_out) == len(context.agents),
        triggered=bool(now.asked),
        stalled=stalled,
        most_stalled=context.max_stalled,
        passed=passed,
    )
    waits = facts.is_open and facts.waits
    return facts._replace(quiet=True) if waits and await mailbox.idle(now.cursor) else facts


async def _idle_until(now: _Moment, context: Context) -> int:
    """Return the timestep until which all workers can idle; the present one if they cannot.

    The caller has checked that no goal is open. Workers cannot idle if the planner is to be called,
    a schedule is active, an agent has news to get, or some workers are not scripted; nor if the
    episode has a pace, or a message may come at any time. Otherwise they can idle until the next
    event in the mailbox, or until the horizon if that is earlier.
    """
    busy = now.triggers or now.asked or now.untold or len(now.ran_out) < len(context.agents)
    if busy or context.pace.seconds:
        return now.timestep
    if not all(isinstance(each, ScriptedWorker) for each in context.workers.values()):
        return now.timestep
    due = await context.mailbox.due(now.cursor)
    if due is None:
        return now.timestep
    return due if context.horizon is None else min(due, context.horizon)


def _idle_until_needed(now: _Moment, until: int, context: Context) -> _Moment:
    """Let all workers idle until timestep `until`, or until something happens.

    Return the timestep that is then opened. The timesteps before are in the trace like all others
    but take no superstep of the graph. So an event in the far future costs almost nothing.
    """
    while now.timestep < until and not now.fails and not now.news:
        if ending(context.world, now.world):
            break
        idle = commands_for(context.world, now.world, ())
        now = _play(now, idle, context)
    return now


def _move_alone(now: _Moment, state: State, context: Context) -> _Moment:
    """Play a timestep in which no worker may move; keep its news for the workers that move next."""
    then = _play(now, [], context)
    return then._replace(
        fails={**now.fails, **then.fails},
        news=[*now.news, *then.news],
        ran_out=run_out(state["schedule"], then.timestep, context.recorder, context.agents),
    )


def _play(now: _Moment, commands: Sequence[Command], context: Context) -> _Moment:
    """Carry out commands within this node's superstep, and return the next timestep."""
    append = context.recorder.append
    done = carry_out(context.world, now.world, commands, now.timestep, append)
    return now._replace(
        timestep=now.timestep + 1,
        world=done.state,
        fails=done.fails,
        news=done.happened,
        unfinished=not context.world.is_finished(done.state),
    )


def _count_stalled_calls(state: State, now: _Moment, context: Context) -> tuple[int, list[str]]:
    """Return the number of planner calls in a row without progress.

    Also return the digests of the world's progress at these calls.
    """
    if context.desk is not None and now.cursor > state["cursor"]:
        return 0, []
    stalled, seen = state["stalled"], state.get("seen", [])
    if not now.triggers:
        return stalled, seen
    return progress(stalled, seen, _digest_progress(now, context))


def _digest_progress(now: _Moment, context: Context) -> str:
    """Return the digest of the progress so far."""
    return digest(context.world.progress_key(now.world))


def _record_ending(now: _Moment, rung: Rung, facts: Facts, context: Context) -> str:
    how, why = conclusion(rung, facts)
    return record_end(context, now.timestep, how, why, tally_of(context.world, now.world))


def _record_triggers(now: _Moment, context: Context) -> None:
    """Record the triggers of planning, in a team with the agents that they concern."""
    team = isinstance(context.planner, Team)
    for trigger in now.triggers:
        to = list(trigger.to) if team and trigger.to is not None else None
        context.recorder.append(
            TriggerRecord(timestep=now.timestep, trigger=trigger.kind, cause=trigger.cause, to=to)
        )


async def _take(letter: Letter, now: _Moment, context: Context) -> _Moment:
    """Take a message; add the trigger and the instruction of the message to the timestep."""
    taken = await take(letter, now.timestep, now.world, context)
    told = now.told
    if taken.instruction is not None:
        told = [*told, [now.timestep, taken.instruction]][-MOST_INSTRUCTIONS:]
    news = [*now.news, taken.trigger] if taken.trigger else now.news
    return now._replace(world=taken.world, cursor=letter.number, told=told, news=news)


def _find_invalidated(state: State, before: Any, after: Any, context: Context) -> list[str]:
    """Return the keys of the texts that an open episode must look up, or look up again.

    `before` and `after` are the world's states before and after the messages of the timestep.
    """
    if context.desk is None:
        return []
    known = set(context.world.lookups(before)) - set(state.get("fresh", ()))
    return [key for key in context.world.lookups(after) if key not in known]
