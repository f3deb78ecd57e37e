"""The board: the present state of a run, redrawn in place in the terminal."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cookmas.display.terminal import console, on_terminal, words
from cookmas.display.watch import scene
from cookmas.display.watch.lines import Lines
from cookmas.display.watch.story import Note, Story, in_words
from cookmas.episodes.trace import AnyRecord, Header
from cookmas.worlds.base.viewing import OPEN

REFRESHES = 5
"""Number of redraws of the board per second."""

LATEST = 5
"""Maximum number of lines for the last events."""

GAP = Text("")


class Asking(NamedTuple):
    """How much of the requests (the goals of the world) is shown."""

    understood: bool = True
    """True to show how the planner interpreted the requests."""
    short: bool = False
    """True to cut the interpretations off at the end of the line."""
    closed: bool = True
    """True to show closed requests too."""


class Detail(NamedTuple):
    """A level of detail of the board."""

    asking: Asking = Asking()
    happened: bool = True
    gaps: bool = False
    """True to separate the parts by empty lines."""


DETAILS = (
    Detail(gaps=True),
    Detail(),
    Detail(asking=Asking(short=True)),
    Detail(asking=Asking(short=True), happened=False),
    Detail(asking=Asking(understood=False), happened=False),
    Detail(asking=Asking(understood=False, closed=False), happened=False),
)
"""The levels of detail, from everything to the least. The board uses the first that fits the
terminal.
"""


@contextmanager
def show_records(
    world: str, opening: str = "", *, stays: bool = True, told: int = 0
) -> Iterator[Callable[[AnyRecord], None]]:
    """Yield a function that shows the records of a run. Call it with each record, the header first.

    On a terminal it draws a board. If `stays`, the last state of the board remains at the end,
    otherwise the board is erased. Elsewhere the function prints lines, but none for the first
    `told` records, which an earlier session has told. `opening` is a text that is shown from the
    first record on.
    """
    if not on_terminal():
        yield Lines(console(), world, opening, told=told).tell
        return
    board = Board(world, opening)
    with Live(
        board,
        console=console(),
        refresh_per_second=REFRESHES,
        transient=not stays,
        redirect_stdout=False,
        redirect_stderr=False,
    ):
        yield board.hear


class Board:
    """Draws a run from the records received so far, as detailed as the terminal's height allows."""

    def __init__(self, world: str | None = None, opening: str = "") -> None:
        self._world = world
        self._opening = opening
        self._story: Story | None = None
        self._latest: deque[Note] = deque(maxlen=LATEST)
        self._heard = time.monotonic()

    def hear(self, record: AnyRecord) -> None:
        """Take the next record of the trace; the header comes first."""
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
        pieces = _Pieces(story, self._opening, self._latest, time.monotonic() - self._heard)
        drawn: dict[int, list[list[Segment]]] = {}
        lines: list[list[Segment]] = []
        for detail in DETAILS:
            lines = []
            for piece in pieces.of(detail):
                if id(piece) not in drawn:
                    drawn[id(piece)] = console.render_lines(piece, options, pad=False)
                lines += drawn[id(piece)]
            if len(lines) < console.height:
                break
        for line in lines[: console.height - 1]:
            yield from line
            yield Segment.line()


class _Pieces:
    """The pieces of a board. Each is made once and used for all levels of detail.

    `silent` is the number of seconds since the last record.
    """

    def __init__(self, story: Story, opening: str, latest: Iterable[Note], silent: float) -> None:
        following, seen = story.following, story.following.seen
        viewing, world = following.viewing, following.world
        self._story = story
        self._head = Group(
            *([words(opening, style="dim")] if opening else []), *_head(story, silent)
        )
        self._agents = scene.render_step(story)
        self._panels = scene.panels(viewing.panels(world, seen))
        self._called = _render_calls(story)
        self._happened = scene.render_notes(latest)
        self._asked: dict[Asking, RenderableType] = {}

    def of(self, detail: Detail) -> Iterator[RenderableType]:
        gap = [GAP] if detail.gaps else []
        yield self._head
        yield from gap
        yield self._agents
        yield from gap
        yield self._render_question(detail.asking)
        yield from gap
        yield self._panels
        yield from gap
        yield self._called
        if detail.happened:
            yield self._happened

    def _render_question(self, asking: Asking) -> RenderableType:
        story = self._story
        if not story.goals:
            return Group()
        if asking not in self._asked:
            table = scene.goals(
                story.goals,
                story.before,
                story.understood if asking.understood else {},
                closed=scene.CLOSED_SHOWN if asking.closed else 0,
                short=asking.short,
            )
            doubts = story.doubts if asking.understood else ()
            self._asked[asking] = Group(
                scene.render_heading(story.following.viewing.terms.goals),
                table,
                *(words(in_words(doubt), style="yellow") for doubt in doubts),
            )
        return self._asked[asking]


def _render_calls(story: Story) -> RenderableType:
    if story.trigger is None:
        return Group()
    called = f"planner called at {story.trigger.timestep}: {story.trigger.text}"
    return words(called, style="yellow")


def _head(story: Story, silent: float) -> Iterator[RenderableType]:
    header, tally = story.following.header, story.following.world.tally(story.following.state)
    terms = story.following.viewing.terms
    waiting = f", {silent:.0f} s" if silent >= 1 else ""
    doing = f"the planner plans{waiting}" if story.planning else terms.doing
    if header.horizon is None and story.following.world.is_finished(story.following.state):
        doing = "nothing is to be done"
    if story.end:
        doing = story.end.termination
    last = "" if header.horizon is None else f" of {header.horizon}"
    title = words(f"{header.scenario_name}, {story.planner}", style="bold")
    yield Text.assemble(title, words(f"  timestep {story.timestep}{last}: {doing}"))
    left = sum(goal.status == OPEN for goal in story.goals)
    score = "" if tally.score is None else f", score {tally.score:g}"
    lost = f", {tally.lost} lost" if tally.lost else ""
    spent = f", tokens: {story.tokens}" if story.tokens else ""
    counts = f"{tally.done} {terms.reached}{lost}, {left} open{score}; plans: {story.calls}{spent}"
    bar = Table.grid(padding=(0, 2, 0, 0))
    bar.add_row(
        ProgressBar(
            total=max(story.until, 1), completed=min(story.timestep, story.until), width=20
        ),
        words(f"scheduled to {story.until}; {counts}"),
    )
    yield bar
