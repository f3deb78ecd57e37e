"""A run as lines, for output that is not a terminal: one line for each event, and for each timestep
at which a worker begins to do something.
"""

from __future__ import annotations

from rich.console import Console

from cookmas.display.terminal import words
from cookmas.display.watch.following import DisplayedAct
from cookmas.display.watch.story import Story
from cookmas.episodes.trace import AnyRecord, Header, PartRecord, StepRecord
from cookmas.worlds.base.viewing import speak_name


class Lines:
    """Prints the records of a trace, the header first, to a console.

    `worker` is a worker's name, ORCHESTRATOR or None: if given, the lines tell only what that
    worker or the orchestrator may know. An earlier session has told the first `told` records, so
    they get one line together.
    """

    def __init__(
        self,
        console: Console,
        world: str | None = None,
        opening: str = "",
        worker: str | None = None,
        told: int = 0,
    ) -> None:
        self._console = console
        self._world = world
        self._worker = worker
        self._opening = opening
        self._story: Story | None = None
        self._told = told
        self._number = 0

    def tell(self, record: AnyRecord) -> None:
        """Print the lines of a record, if it has any."""
        if isinstance(record, Header):
            self._story = Story(record, self._world, self._worker)
            if self._opening:
                self._say(self._opening, "dim")
        if self._story is None:
            return
        notes = self._story.take(record)
        before = record.records if isinstance(record, PartRecord) else self._number
        self._number = before + 1
        if self._number <= self._told:
            if self._number == self._told:
                self._say(f"      * it goes on at timestep {self._story.timestep}", "dim")
            return
        if isinstance(record, StepRecord) and self._story.acts:
            self._say(f"{record.timestep:4}  {'; '.join(map(_describe_act, self._story.acts))}")
        for note in notes:
            self._say(f"      * {note.text}", note.style)

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(words(text, style=style), soft_wrap=True)


def _describe_act(act: DisplayedAct) -> str:
    return f"{speak_name(act.worker)} {act.phrase}"
