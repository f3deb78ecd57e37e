"""The supervisor at a terminal, who watches the run and instructs the orchestrator."""

from __future__ import annotations

import asyncio

from rich.console import Console

from cookmas.display.terminal import console, words
from cookmas.display.watch.following import Following
from cookmas.display.watch.lines import Lines
from cookmas.display.watch.scene import scene
from cookmas.episodes.instruction import LONGEST_INSTRUCTION
from cookmas.episodes.trace import AnyRecord, Header, PartRecord, PlanRecord, StepRecord
from cookmas.episodes.trace_file import count_records
from cookmas.orchestrator.options import ORCHESTRATOR
from cookmas.orchestrator.runs.folder import TRACE, RunFolder
from cookmas.people.keyboard import Keyboard, read_typed
from cookmas.people.working.terminal import SharedTerminal

HELP = """
Write an instruction to the orchestrator; Enter continues until the next plan, a number for that
many timesteps; 'state' shows the world, 'quit' leaves.
""".strip()


def supervisor_of(run: RunFolder, table: SharedTerminal, turn: asyncio.Lock) -> Supervisor:
    """Return the supervisor of a run, at a terminal that several people share in turns."""
    heard = count_records(run.path / TRACE)
    return Supervisor(console(), table.keyboard, run.file.world, heard, run.file.limit, turn)


class Supervisor:
    """Receives the records of a run, and asks a person for an instruction after each plan of the
    orchestrator, and at a timestep that the person has chosen.

    It asks nothing after the first `known` records: an earlier session has received these records
    and has asked its questions then. If the person does not answer within `limit` seconds, there is
    no instruction.
    """

    def __init__(
        self,
        console: Console,
        keyboard: Keyboard,
        world: str,
        known: int,
        limit: float | None,
        turn: asyncio.Lock | None = None,
    ) -> None:
        self._console = console
        self._turn = turn or asyncio.Lock()
        self._world = world
        self._known = known
        self._number = 0
        self._limit = limit
        self._keyboard = keyboard
        self._told = Lines(console, world, worker=ORCHESTRATOR)
        self._seen: Following | None = None
        self._until: int | None = None
        self._helped = False

    async def hear(self, record: AnyRecord) -> str | None:
        """Return the supervisor's instruction after a record, or None.

        Raises EOFError if the supervisor leaves, or the input ends.
        """
        self._told.tell(record)
        if isinstance(record, Header):
            self._seen = Following(record, self._world, ORCHESTRATOR)
        elif self._seen:
            self._seen.take(record)
        before = record.records if isinstance(record, PartRecord) else self._number
        self._number = before + 1
        if isinstance(record, StepRecord) and record.timestep + 1 == self._until:
            now = record.timestep + 1
        elif isinstance(record, PlanRecord):
            now = record.timestep
        else:
            return None
        if self._number <= self._known:
            return None
        try:
            async with self._turn, asyncio.timeout(self._limit):
                return await self._ask(now)
        except TimeoutError:
            self._say("nothing is said")
            return None

    async def _ask(self, timestep: int) -> str | None:
        if not self._helped:
            self._say(HELP)
            self._helped = True
        while True:
            said = await read_typed(
                self._console, self._keyboard, f"supervisor at timestep {timestep}"
            )
            if said == "quit":
                raise EOFError
            if said == "state" and self._seen:
                seen = self._seen
                self._console.print(scene(seen.viewing, seen.world, seen.seen))
            elif len(said) > LONGEST_INSTRUCTION:
                self._say(f"expected at most {LONGEST_INSTRUCTION} characters")
            elif said.isdecimal() and 0 < len(said) < 9:
                self._until = timestep + max(1, int(said))
                return None
            else:
                self._until = None
                return said or None

    def _say(self, text: str) -> None:
        self._console.print(words(text, style="dim"), soft_wrap=True)
