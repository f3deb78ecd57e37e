"""One timestep of the world, and many in which nothing is to be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from episodes.trace import OutcomeRecord, StepRecord
from episodes.world import Command, Commands, Trigger, digest
from orchestrator.graph.state import Context
from workers.scripted import ScriptedWorker


class Moment(NamedTuple):
    """The timestep that is being opened, and what is known about it so far."""

    timestep: int
    world: Any
    idle: bool
    fails: dict[str, dict[str, str]]
    away: dict[str, str]
    happened: Sequence[Trigger]
    unserved: bool


def carried_out(
    before: Any, commands: Commands, away: Mapping[str, str], timestep: int, context: Context
) -> tuple[Any, dict[str, dict[str, str]], Sequence[Trigger]]:
    """The world after these commands, the FAILs among them by worker, and what happened by itself.

    `away` says why a worker is, and so gave no action.
    """
    world = context.world
    after, outcomes, happened = world.step(before, commands)
    actions = dict(commands)
    fails = {
        worker: {
            "action": actions.get(worker, ""),
            "fail": str(outcomes[worker].fail),
            "why": away[worker] if worker in away else outcomes[worker].why,
        }
        for worker in world.workers
        if not outcomes[worker].done
    }
    context.recorder.append(
        StepRecord(
            timestep=timestep,
            commands=list(commands),
            fails={w: OutcomeRecord(fail=f["fail"], why=f["why"]) for w, f in fails.items()},
            digest=digest(world.dump(after)),
        )
    )
    return after, fails, happened


async def idle_until(now: Moment, world: Any, cursor: int, context: Context) -> int:
    """The timestep up to which nothing is to be done, as far as that is known, or the present one.

    Nothing is where nothing is wanted, scheduled, or done by workers that may have a will of their
    own, and the clock does not matter.
    """
    busy = not now.idle or not context.world.finished(world) or context.pace.seconds
    if busy or not all(isinstance(w, ScriptedWorker) for w in context.workers.values()):
        return now.timestep
    due = await context.mailbox.due(cursor)
    if due is None:
        return now.timestep
    return due if context.horizon is None else min(due, context.horizon)


def rested(now: Moment, world: Any, until: int, context: Context) -> Moment:
    """The timestep at which something is to be done again; until then everybody idles.

    These timesteps are in the trace as all are, but no superstep of the graph is spent on them, so
    that a far event costs next to nothing.
    """
    idle = [Command(worker, context.world.idle) for worker in context.world.workers]
    timestep, fails, happened = now.timestep, now.fails, now.happened
    while timestep < until and not fails and not happened:
        world, fails, happened = carried_out(world, idle, {}, timestep, context)
        timestep += 1
    return now._replace(
        timestep=timestep,
        world=world,
        fails=fails,
        happened=happened,
        unserved=not context.world.finished(world),
    )
