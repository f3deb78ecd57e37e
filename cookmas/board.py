"""The board of an open kitchen: its state as a picture, drawn anew as it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live

from cookmas.terminal import words
from cookmas.worlds import domain_of
from episodes.sqlite_mailbox import SqliteLetterbox
from episodes.trace import AnyRecord, StepRecord
from orchestrator.runs import read_run

PAUSE = 0.2
"""Seconds for which what happens is gathered before it is drawn."""

LATEST = 8
"""Lines that say what happened last."""


def picture(folder: Path, status: Mapping[str, Any]) -> RenderableType:
    """A status that the kitchen in a folder has published, for people."""
    file = read_run(folder)
    domain = domain_of(file.world)
    world = domain.scenario(file.scenario, file.settings).world()
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
        self._folder = folder
        self._live = Live(console=console, auto_refresh=False)
        self._box = SqliteLetterbox(folder)
        self._heard = asyncio.Event()
        self._latest: list[str] = []

    async def __aenter__(self) -> Board:
        self._live.start()
        self._drawing = asyncio.create_task(self._draw())
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._drawing.cancel()
        self._live.stop()

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
                self._live.update(Group(picture(self._folder, status), *lines), refresh=True)
