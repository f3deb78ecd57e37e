"""The board of an open kitchen: its state as a picture, drawn anew as it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live

from cookmas.client import letterbox
from cookmas.terminal import words
from cookmas.worlds import domain_of
from episodes.redis_address import is_address
from episodes.trace import AnyRecord, StepRecord
from orchestrator.runs import read_run
from worlds.domain import Domain

PAUSE = 0.2
"""Seconds for which what happens is gathered before it is drawn."""

LATEST = 8
"""Lines that say what happened last."""


def world_at(where: Path | str) -> tuple[Domain, Any]:
    """The world that is played in a run's folder, or at a kitchen's address in Redis."""
    if is_address(where):
        setup = asyncio.run(_setup(str(where)))
        domain = domain_of(setup["world"])
        return domain, domain.world(setup["setup"])
    file = read_run(Path(where))
    domain = domain_of(file.world)
    return domain, domain.scenario(file.scenario, file.settings).world()


async def _setup(address: str) -> dict[str, Any]:
    from cookmas.redis import redis_letterbox

    box = redis_letterbox(address)
    try:
        return await box.setup()
    finally:
        await box.leave()


def picture(domain: Domain, world: Any, status: Mapping[str, Any]) -> RenderableType:
    """A status that a kitchen has published, for people."""
    doing = "asleep" if status["asleep"] else "planning" if status["planning"] else "cooking"
    if status["ended"]:
        doing = status["ended"]
    late = f", {status['late']:.1f} s late" if status["late"] else ""
    heading = f"{doing}{late}; {status['letters']} messages, {status['done']} lines served"
    return Group(words(heading), domain.picture(world, world.load(status["world"])))


class Board:
    """Draws the status of a run on a terminal, and below it what happened last.

    Nothing is done as long as nothing happens.
    """

    def __init__(self, folder: Path, console: Console) -> None:
        self._played = world_at(folder)
        self._live = Live(console=console, auto_refresh=False)
        file = read_run(folder)
        self._box = letterbox(file.redis.address() if file.redis else folder)
        self._heard = asyncio.Event()
        self._latest: list[str] = []

    async def __aenter__(self) -> Board:
        self._live.start()
        self._drawing = asyncio.create_task(self._draw())
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._drawing.cancel()
        self._live.stop()
        await self._box.leave()

    def hear(self, record: AnyRecord) -> None:
        """Something has happened."""
        if isinstance(record, StepRecord):
            actions = ", ".join(f"{worker} {action}" for worker, action in record.commands)
            self._latest = [*self._latest, f"{record.timestep:4}  {actions}"][-LATEST:]
        self._heard.set()

    async def _draw(self) -> None:
        while True:
            await self._heard.wait()
            self._heard.clear()
            await asyncio.sleep(PAUSE)
            if status := await self._box.status():
                lines = [words(line, style="dim") for line in self._latest]
                self._live.update(Group(picture(*self._played, status), *lines), refresh=True)
