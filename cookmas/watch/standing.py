"""How an open kitchen stands, as it publishes it: a picture for whoever asks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType

from cookmas.consent import check_world
from cookmas.terminal import words
from cookmas.watch.scene import scene
from cookmas.worlds import domain_of
from episodes.redis_address import is_address
from orchestrator.runs.folder import read_run
from worlds.domain import Domain


def standing(where: Path | str, status: Mapping[str, Any]) -> RenderableType:
    """A status that was published by the run in a folder, or by a kitchen at its Redis address."""
    domain, world = _played(where)
    doing = "asleep" if status["asleep"] else "planning" if status["planning"] else "cooking"
    if status["ended"]:
        doing = status["ended"]
    late = f", {status['late']:.1f} s late" if status["late"] else ""
    heard = f"{status['letters']} messages, {status['done']} lines served"
    heading = words(f"Timestep {status['timestep']}: {doing}{late}; {heard}")
    seen = world.observe(world.load(status["world"]))
    return Group(heading, scene(domain.viewing, world, seen))


def _played(where: Path | str) -> tuple[Domain, Any]:
    if is_address(where):
        setup = asyncio.run(_setup(str(where)))
        domain = domain_of(setup["world"])
        return domain, domain.world(setup["setup"])
    file = read_run(Path(where))
    check_world(Path(where), file)
    domain = domain_of(file.world)
    return domain, domain.scenario(file.scenario, file.settings).world()


async def _setup(address: str) -> dict[str, Any]:
    from cookmas.redis import redis_letterbox

    box = redis_letterbox(address)
    try:
        return await box.setup()
    finally:
        await box.leave()
