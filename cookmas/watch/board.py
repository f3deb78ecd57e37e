"""The board: a run as it goes on, drawn on the terminal in place."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cookmas.apart import Apart
from cookmas.api import Listener, Run, aresume
from cookmas.terminal import console, on_terminal, words
from cookmas.watch import scene
from cookmas.watch.lines import Lines
from cookmas.watch.story import Note, Story
from episodes.trace import AnyRecord, Header
from orchestrator.runs import read_run
from worlds.viewing import OPEN

LATEST = 5
"""What happened last, in so many lines at most."""

DETAILS = (5, 4, 3, 2, 1, 0)
"""From everything to what a small terminal has room for."""


async def watching(
    folder: Path, apart: Apart | None = None, opening: str = "", *, stays: bool = True
) -> Run:
    """Go on with the run in a folder like `aresume`, and show it meanwhile.

    On a terminal that is a board, which `stays` with its last state or is gone at the end; else it
    is lines. `opening` is said once it is being played.
    """
    with _listener(read_run(folder).world, opening, stays=stays) as listen:
        return await aresume(folder, listen, apart)


@contextmanager
def _listener(world: str, opening: str, *, stays: bool) -> Iterator[Listener]:
    if not on_terminal():
        yield Lines(console(), world, opening).tell
        return
    board = Board(world, opening)
    with Live(
        board,
        console=console(),
        refresh_per_second=8,
        transient=not stays,
        redirect_stdout=False,
        redirect_stderr=False,
    ):
        yield board.hear


class Board:
    """Draws what it has heard of a run, in the height that there is."""

    def __init__(self, world: str | None = None, opening: str = "") -> None:
        self._world = world
        self._opening = opening
        self._story: Story | None = None
        self._latest: deque[Note] = deque(maxlen=LATEST)
        self._heard = time.monotonic()

    def hear(self, record: AnyRecord) -> None:
        """The next record of the trace, the header first."""
        if isinstance(record, Header):
            self._story = Story(record, self._world)
        if self._story:
            self._latest.extend(self._story.take(record))
        self._heard = time.monotonic()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        story = self._story
        if story is None:
            yield Text("It begins.", style="dim")
            return
        for detail in DETAILS:
            drawn = console.render_lines(self._drawn(story, detail), options, pad=False)
            if len(drawn) < console.height:
                break
        for line in drawn[: console.height - 1]:
            yield from line
            yield Segment.line()

    def _drawn(self, story: Story, detail: int) -> RenderableType:
        following, seen = story.following, story.following.seen
        viewing, world = following.viewing, following.world
        asked = scene.asked(
            story.asked,
            story.before,
            story.understood if detail > 1 else {},
            closed=scene.CLOSED_SHOWN if detail else 0,
            short=detail < 4,
        )
        gap = [""] if detail > 4 else []
        parts: list[RenderableType] = [
            *([words(self._opening, style="dim")] if self._opening else []),
            *_head(story, time.monotonic() - self._heard),
            *gap,
            scene.workers(world.workers, viewing.workers(world, seen), story.acts),
            *gap,
            scene.heading("asked for"),
            asked,
            *gap,
            scene.heading("in use"),
            scene.in_use(viewing.in_use(world, seen)),
            *gap,
        ]
        if story.trigger:
            called = f"planner called at {story.trigger.timestep}: {story.trigger.text}"
            parts.append(words(called, style="yellow"))
        if detail > 2:
            parts.append(scene.happened(self._latest))
        return Group(*parts)


def _head(story: Story, silent: float) -> Iterator[RenderableType]:
    header, tally = story.following.header, story.following.world.tally(story.following.state)
    waiting = f", {silent:.0f} s" if silent >= 1 else ""
    doing = f"the planner plans{waiting}" if story.planning else "cooking"
    if story.end:
        doing = story.end.termination
    last = "" if header.horizon is None else f" of {header.horizon}"
    title = words(f"{header.scenario_name}, {header.planner}", style="bold")
    yield Text.assemble(title, words(f"  timestep {story.timestep}{last}: {doing}"))
    left = sum(each.status == OPEN for each in story.asked)
    score = "" if tally.score is None else f", score {tally.score:g}"
    lost = f", {tally.lost} lost" if tally.lost else ""
    spent = f", tokens: {story.tokens}" if story.tokens else ""
    told = f"{tally.done} served{lost}, {left} open{score}; plans: {story.calls}{spent}"
    bar = Table.grid(padding=(0, 2, 0, 0))
    bar.add_row(
        ProgressBar(
            total=max(story.until, 1), completed=min(story.timestep, story.until), width=20
        ),
        words(f"scheduled to {story.until}; {told}"),
    )
    yield bar
