"""The node `kitchen`: carries out what the workers did, and opens the next timestep.

It serves every world; its name is the one that stands in traces. Here the state of the graph meets
the engine, by whose rule the timestep is played (`episodes.engine`); letters come from the mailbox.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from episodes.answered import tally_of
from episodes.capabilities import ending, movers
from episodes.engine import (
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
from episodes.instruction import MOST_INSTRUCTIONS, apply_event, is_instruction
from episodes.trace import EventRecord, TriggerRecord
from episodes.world import Command, Ruling, Trigger, digest
from files.errors import InputError
from mailboxes.desk import Desk
from mailboxes.protocol import Letter, May, Settled, always
from orchestrator.graph.attendance import attended, backs, deserted
from orchestrator.graph.authority import UnauthorizedError, admitted
from orchestrator.graph.concerns import Untold, agents, asked_of, exhausted_of, still_untold
from orchestrator.graph.recording import end, superstep
from orchestrator.graph.standing import run_out
from orchestrator.graph.state import (
    THE_PLANNER,
    Context,
    State,
    begun,
    changed,
    fails_data,
    fails_of,
    trigger_data,
    trigger_of,
)
from orchestrator.member import Team
from workers.scripted import ScriptedWorker

MOST_TAKEN = 64
"""Messages that are taken at a timestep, so that it ends however fast more are sent."""

LONGEST_REFUSAL = 300
"""Characters of what the sender of a message is told who has sent no event of this world."""


class _Moment(NamedTuple):
    """The timestep that is being opened, and what is known about it so far.

    `world` is the world's state, `news` what happened by itself and what letters brought,
    `unfinished` whether something was wanted before these; `told` is what the supervisor said,
    `cursor` the number of the last letter taken. Of those who plan `ran_out` have nothing left to
    do, `asked` are asked now, and `untold` is what others are still to be told.
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


async def kitchen(state: State, context: Context) -> State:
    """Carry the workers' actions out, then open the next timestep: events, triggers, the end."""
    before = state
    state = begun(state, context)
    now = _step(state, context)
    unopened = now.world
    if now.timestep > state["timestep"]:
        await context.pace.next()
    else:
        context.pace.begin()
    now = await _open(now, context)
    passed, been = 0, list[str]()
    while True:
        ahead = await _idle_until(now, context)
        stalled, seen = _stalled(state, now, context)
        facts = await _facts(now, stalled, passed, context, ahead=ahead > now.timestep)
        rung = how_it_goes_on(facts)
        match rung.follows:
            case Next.REST:
                now = _rested(now, ahead, context)
                unopened = now.world
            case Next.MOVE_ALONE:
                been = been or [_made(now, context)]
                now = _moved_alone(now, state, context)
                unopened = now.world
                passed, been = progress(passed + 1, been, _made(now, context))
                await context.pace.next()
            case _:
                break
        now = await _open(now, context)
    ended = _ended(now, rung, facts, context)
    asleep = rung.follows is Next.SLEEP
    untold = now.untold
    if not asleep and not ended:
        _record_triggers(now, context)
        untold = still_untold(now.asked, now.triggers, now.fails, untold, context)
    after = State(
        schedule=state["schedule"],
        memory=state["memory"],
        instructions=now.told,
        timestep=now.timestep,
        world=context.dumped(now.world),
        triggers=[trigger_data(each) for each in now.triggers if asleep or now.asked],
        asked=[name for name in now.asked if name != THE_PLANNER and not asleep and not ended],
        untold=dict(untold),
        fails=fails_data(now.fails),
        away=now.away,
        fresh=_fresh(state, unopened, now.world, context),
        cursor=now.cursor,
        records=context.recorder.count,
        stalled=stalled,
        seen=seen,
        asleep=asleep,
        forked=False,
        ended=ended,
    )
    return changed(before, after, context)


def _step(state: State, context: Context) -> _Moment:
    """One timestep of the world, if the workers have acted in it."""
    world, timestep, acts = context.world, state["timestep"], state["acts"]
    before = context.loaded(state)
    stepped = bool(acts) and acts["timestep"] == timestep
    if stepped:
        superstep(context, timestep, ["worker"] * len(acts["by"]))
    if not state["forked"]:
        superstep(context, timestep, ["kitchen"])
    if not stepped:
        return _Moment(
            timestep=timestep,
            world=before,
            ran_out=run_out(state["schedule"], timestep, context.recorder, agents(context)),
            untold=state["untold"],
            fails=fails_of(state["fails"]) if state["forked"] else {},
            away=state.get("away", {}),
            unfinished=timestep > 0 and not world.finished(before),
            news=[trigger_of(each) for each in state["triggers"]],
            cursor=state["cursor"],
            told=state.get("instructions", []),
        )
    commands, away = attended(acts, state.get("away", {}), world.idle)
    done = carry_out(world, before, commands, timestep, context.recorder.append, away)
    context.at_hand.keep(done.state, done.dumped)
    unfinished = not world.finished(done.state)
    back = backs(state.get("away", {}), away) if unfinished else ()
    return _Moment(
        timestep=timestep + 1,
        world=done.state,
        ran_out=run_out(state["schedule"], timestep + 1, context.recorder, agents(context)),
        untold=state["untold"],
        fails=done.fails,
        away=away,
        unfinished=unfinished,
        news=[*done.happened, *back],
        cursor=state["cursor"],
        told=state.get("instructions", []),
    )


async def _open(now: _Moment, context: Context) -> _Moment:
    """Take the letters that are due, and see what triggers planning."""
    if is_over(context.world, now.world, now.timestep, context.horizon):
        return now._replace(news=(), triggers=(), asked=())
    most = now.cursor + MOST_TAKEN
    while now.cursor < most:
        may = _may(now.world, context)
        letters = await context.mailbox.open(now.timestep, now.cursor, may)
        if not letters:
            break
        for letter in letters:
            now = await _take(letter, now, context)
    await context.mailbox.tell_places()
    if ending(context.world, now.world) is not None:
        return now._replace(triggers=(), asked=())
    triggers = [*failures(now.fails), *now.news]
    unplanned = now.unfinished or (now.timestep == 0 and not triggers)
    if unplanned and now.ran_out and not context.world.finished(now.world):
        triggers += exhausted_of(now.ran_out, now.world, context)
    if is_futile(context.world, now.world, now.timestep, context.horizon):
        return now._replace(triggers=(), asked=())
    asked = asked_of(triggers, now.untold, now.world, context)
    if not (triggers or asked or now.triggers or now.asked):
        return now
    return now._replace(triggers=triggers, asked=asked)


async def _facts(
    now: _Moment, stalled: int, passed: int, context: Context, *, ahead: bool
) -> Facts:
    """Return the facts that decide what follows; ask the mailbox only where it matters."""
    world, desk, mailbox = context.world, context.desk, context.mailbox
    ended, finished = ending(world, now.world), world.finished(now.world)
    facts = Facts(
        ending=ended,
        finished=finished,
        empty=finished and await mailbox.empty(now.cursor),
        is_open=desk is not None,
        over=is_past(context.horizon, now.timestep),
        alone=not ended and not movers(world, now.world),
        ahead=ahead,
        deserted=desk is not None and deserted(context, now.away),
        ran_out=len(now.ran_out) == len(agents(context)),
        triggered=bool(now.asked),
        stalled=stalled,
        most_stalled=context.max_stalled,
        passed=passed,
    )
    waits = facts.is_open and facts.waits
    return facts._replace(quiet=True) if waits and await mailbox.idle(now.cursor) else facts


async def _idle_until(now: _Moment, context: Context) -> int:
    """Return the next timestep with something to do, where it is known, or the present one.

    Nothing is where nothing is wanted, scheduled, still to be told, or done by workers that may
    have a will of their own, and the clock does not matter.
    """
    busy = now.triggers or now.asked or now.untold or len(now.ran_out) < len(agents(context))
    if busy or not context.world.finished(now.world) or context.pace.seconds:
        return now.timestep
    if not all(isinstance(each, ScriptedWorker) for each in context.workers.values()):
        return now.timestep
    due = await context.mailbox.due(now.cursor)
    if due is None:
        return now.timestep
    return due if context.horizon is None else min(due, context.horizon)


def _rested(now: _Moment, until: int, context: Context) -> _Moment:
    """The timestep at which something is to be done again; until then everybody idles.

    These timesteps are in the trace as all are, but no superstep of the graph is spent on them, so
    that a far event costs next to nothing.
    """
    while now.timestep < until and not now.fails and not now.news:
        if ending(context.world, now.world):
            break
        idle = commands_for(context.world, now.world, ())
        now = _carried_out(now, idle, context)
    return now


def _moved_alone(now: _Moment, state: State, context: Context) -> _Moment:
    """Play a timestep in which nobody moves, and keep its news for the next mover."""
    then = _carried_out(now, [], context)
    return then._replace(
        fails={**now.fails, **then.fails},
        news=[*now.news, *then.news],
        ran_out=run_out(state["schedule"], then.timestep, context.recorder, agents(context)),
    )


def _carried_out(now: _Moment, commands: Sequence[Command], context: Context) -> _Moment:
    """The next timestep, after these commands in this node's own superstep."""
    append = context.recorder.append
    done = carry_out(context.world, now.world, commands, now.timestep, append)
    return now._replace(
        timestep=now.timestep + 1,
        world=done.state,
        fails=done.fails,
        news=done.happened,
        unfinished=not context.world.finished(done.state),
    )


def _stalled(state: State, now: _Moment, context: Context) -> tuple[int, list[str]]:
    """Return the planner's calls in a row without progress, and what had been made at them."""
    news = context.desk is not None and now.cursor > state["cursor"]
    if news or context.world.finished(now.world):
        return 0, []
    stalled, seen = state["stalled"], state.get("seen", [])
    if not now.triggers:
        return stalled, seen
    return progress(stalled, seen, _made(now, context))


def _made(now: _Moment, context: Context) -> str:
    """Return the digest of what has come of the episode so far."""
    return digest(context.world.made(now.world))


def _ended(now: _Moment, rung: Rung, facts: Facts, context: Context) -> str | None:
    if rung.follows is not Next.END:
        return None
    how, why = conclusion(rung, facts)
    return end(context, now.timestep, how, why, tally_of(context.world, now.world))


def _record_triggers(now: _Moment, context: Context) -> None:
    """Write down what triggers planning, and in a team whom it concerns."""
    team = isinstance(context.planner, Team)
    for trigger in now.triggers:
        to = list(trigger.to) if team and trigger.to is not None else None
        context.recorder.append(
            TriggerRecord(timestep=now.timestep, trigger=trigger.kind, cause=trigger.cause, to=to)
        )


def _may(world: Any, context: Context) -> May:
    return always if context.desk is None else context.desk.room(world)


async def _take(letter: Letter, now: _Moment, context: Context) -> _Moment:
    """Apply an event; one from outside that is none of this world's is refused.

    Its sender is told, and a fork behind which it comes refuses it too.
    """
    event, after, ruling = letter.event, now.world, Ruling()
    try:
        if letter.sender is not None and context.desk:
            event = await admitted(letter, context.desk, context)
        after, ruling = apply_event(context.world, now.world, event)
        if ruling.refused and context.desk:
            await context.recorder.write()
            recall = context.desk.recall
            why = await asyncio.to_thread(recall, event, now.world, context.recorder.since)
            ruling = Ruling(refused=why or ruling.refused)
    except UnauthorizedError as error:
        event, ruling = error.event, Ruling(refused=error.problem)
    except InputError as error:
        if not letter.injected:
            raise
        ruling = Ruling(refused=str(error)[:LONGEST_REFUSAL])
    record = EventRecord(
        timestep=now.timestep,
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
    told = now.told
    if ruling.trigger and is_instruction(letter.event):
        told = [*told, [now.timestep, letter.event["words"]]][-MOST_INSTRUCTIONS:]
    news = [*now.news, ruling.trigger] if ruling.trigger else now.news
    return now._replace(world=after, cursor=letter.number, told=told, news=news)


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
