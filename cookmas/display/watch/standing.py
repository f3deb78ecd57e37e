"""The status of an open episode, drawn as text in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType

from cookmas.display.terminal import words
from cookmas.display.watch.scene import scene
from cookmas.mailboxes.redis.address import is_address
from cookmas.orchestrator.runs.consent import check_world
from cookmas.orchestrator.runs.folder import read_run
from cookmas.status import STATES, Status
from cookmas.world_names import domain_of
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.viewing import Terms


def render_status(where: Path | str, status: Status) -> RenderableType:
    """Return the status of an episode as text. `where` is the folder or the Redis address."""
    if status.world is None:
        return Group(*_render_messages(status, Terms()))
    domain, world = _load_played(where)
    viewing = domain.viewing
    seen = world.spectate(world.load(status.world))
    return Group(*_render_messages(status, viewing.terms), scene(viewing, world, seen))


def _render_messages(status: Status, terms: Terms) -> Iterator[RenderableType]:
    style = "" if status.alive else "yellow"
    return (words(line, style=style) for line in _lines(status, terms))


def _lines(status: Status, terms: Terms) -> Iterator[str]:
    at = "" if status.timestep is None else f"Timestep {status.timestep}: "
    beat = status.heartbeat_seconds
    heartbeat = "" if beat is None else f"; last heartbeat {beat:.1f} s ago"
    late = f", {status.late_seconds:.1f} s late" if status.late_seconds else ""
    yield f"{at}{_describe_status(status, terms)}{late}{heartbeat}"
    oldest = status.oldest_seconds
    since = "" if oldest is None else f", the oldest for {oldest:.0f} s"
    waiting = "" if status.waiting is None else f"{status.waiting:,} waiting{since}; "
    held = status.quarantined
    quarantined = "" if held is None else f", {held:,} in quarantine"
    messages = f"{waiting}{status.taken:,} taken{quarantined}"
    yield f"Messages: {messages}; {terms.reached}: {status.reached:,}"
    if status.outage:
        yield f"The planner's endpoint is away, and is asked again: {status.outage}"
    yield from (f"{worker} is out of reach: {why}" for worker, why in status.away.items())
    for worker, job in status.running.items():
        age = f"{job.timesteps:,} timesteps, {job.seconds:,.0f} s"
        yield f"{worker} is at {job.action} since timestep {job.since} ({age})"


def _describe_status(status: Status, terms: Terms) -> str:
    if status.state == "planning" and status.call_seconds is not None:
        return f"planning for {status.call_seconds:.1f} s"
    if status.state == "acting":
        return terms.doing
    if status.alive:
        return status.state
    hint = "; 'cookmas resume' with its folder continues it" if status.state == "down" else ""
    return status.ended or f"{status.state}: {STATES[status.state]}{hint}"


def _load_played(where: Path | str) -> tuple[Domain, Any]:
    if is_address(where):
        setup = asyncio.run(_setup(str(where)))
        domain = domain_of(setup["world"])
        return domain, domain.world(setup["setup"])
    file = read_run(Path(where))
    check_world(Path(where), file)
    domain = domain_of(file.world)
    return domain, domain.scenario(file.scenario, file.settings).world()


async def _setup(address: str) -> dict[str, Any]:
    from cookmas.orchestrator.runs.addresses import redis_letterbox

    box = redis_letterbox(address)
    try:
        return await box.setup()
    finally:
        await box.leave()
