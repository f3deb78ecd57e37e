"""Which workers answer: one that does not FAILs with that reason, and is left out until it is back.

A worker that is away and was assigned nothing idles, which is no FAIL: the orchestrator has been
told. When it answers again, that is a trigger.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any, NamedTuple

from episodes.world import Command, Trigger
from orchestrator.graph.state import Acts, Context
from workers.protocol import Returning

BACK = "back"


class Attended(NamedTuple):
    """What the workers did at a timestep, and who is away after it, with the reason."""

    commands: list[Command]
    away: dict[str, str]


def attended(acts: Acts, before: Mapping[str, str], idle: str) -> Attended:
    """The commands of the workers' acts; `before` are those who were away already.

    Who was not asked to act is away if it was before.
    """
    commands: list[Command] = []
    by, away = acts["by"], dict(before)
    if before:
        asked = {worker for worker, _, _ in by.values()}
        away = {worker: why for worker, why in before.items() if worker not in asked}
    for place in sorted(by, key=int):
        worker, action, missing = by[place]
        if missing is not None:
            away[worker] = missing
            if action != idle or worker not in before:
                continue
        if action is not None:
            commands.append(Command(worker, action))
    return Attended(commands, away)


def backs(before: Mapping[str, str], after: Mapping[str, str]) -> list[Trigger]:
    """What those who answer again trigger."""
    return [
        Trigger(kind=BACK, cause=f"{worker} answers again")
        for worker in before
        if worker not in after
    ]


def deserted(context: Context, away: Mapping[str, str]) -> bool:
    """Whether nobody is there to do anything, in an open episode, until one of them is back."""
    missing = [context.workers[name] for name in context.world.workers if name in away]
    everybody = len(missing) == len(context.world.workers)
    return everybody and all(isinstance(worker, Returning) for worker in missing)


async def anything_new(context: Context, cursor: int, away: Mapping[str, str]) -> set[str]:
    """Wait for a message, or where nobody is there for somebody; returns who is back."""
    waits: dict[asyncio.Task[None], str | None] = {}

    def wait(until: Coroutine[Any, Any, None], worker: str | None) -> None:
        waits[asyncio.create_task(until)] = worker

    nobody = deserted(context, away)
    if not nobody or await context.mailbox.idle(cursor):
        wait(context.mailbox.wait(cursor), None)
    for missing in away if nobody else ():
        worker = context.workers[missing]
        assert isinstance(worker, Returning)
        wait(worker.back(), missing)
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        return {name for task in done if (name := waits[task])}
    finally:
        for task in waits:
            task.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
