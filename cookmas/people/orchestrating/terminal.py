"""The orchestrator's place at a terminal: it prints an observation, and reads a schedule.

The person types a schedule as lines:

    worker_1: navigate(pantry); pick(egg)
    7 worker_2: chop*3; -

A line lists the actions of one worker from a timestep on, by default from the present one. The
worker's number may replace the name. With `*3` the worker does an action three times. With `-` or
an empty part the worker idles for a timestep.

In the functions, `rows` has the actions of each timestep by worker. A `Sheet` knows the workers and
the first timestep, and checks the rows.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

from cookmas.display.terminal import words
from cookmas.display.watch.scene import scene
from cookmas.files.errors import InputError, NobodyThereError
from cookmas.files.lines import clean
from cookmas.orchestrator.planner import Entry, Observation
from cookmas.orchestrator.planners.seats import THE_PLACE
from cookmas.orchestrator.planners.sheet import LONGEST_ACTION, MOST_ROWS, Row, Sheet, Trouble
from cookmas.people.keyboard import Keyboard, read_typed
from cookmas.worlds.base.viewing import Viewing

_LINE = re.compile(r"(?:(?P<timestep>\d{1,9})\s+)?(?P<worker>[^:;]{1,100}?)\s*:(?P<actions>.*)")
_TIMES = re.compile(r"(?P<action>.*?)\s*\*\s*(?P<times>[1-9]\d{0,3})")
IDLE = "-"
COMMENT = "#"


def is_edit(line: str) -> bool:
    """Return whether a line assigns actions."""
    return _LINE.fullmatch(line.strip()) is not None


def edit(sheet: Sheet, rows: Sequence[Row], line: str) -> list[Row]:
    """Return the rows after a line has changed them. Raises InputError if the line is invalid."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise InputError(
            f"{line.strip():.60}", "expected 'WORKER: ACTION; ACTION' or 'T WORKER: ...'"
        )
    timestep = int(match["timestep"]) if match["timestep"] else sheet.begin
    actions = [each for part in match["actions"].split(";") for each in _repeat(part.strip())]
    return sheet.with_actions(rows, timestep, _find_worker(sheet, match["worker"]), actions)


def _find_worker(sheet: Sheet, said: str) -> str:
    by_number = {str(number): name for number, name in enumerate(sheet.workers, start=1)}
    return said if said in sheet.workers else by_number.get(said, said)


def _repeat(part: str) -> list[str]:
    match = _TIMES.fullmatch(part)
    action, times = (match["action"], int(match["times"])) if match else (part, 1)
    if len(action) > LONGEST_ACTION or times > MOST_ROWS:
        raise InputError(f"{part:.60}", f"expected up to {LONGEST_ACTION} characters, {MOST_ROWS}x")
    return ["" if action == IDLE else action] * times


def write(sheet: Sheet, rows: Sequence[Row]) -> str:
    """Return the rows as text, one line for each timestep and worker."""
    return "\n".join(
        f"{timestep} {worker}: {row.get(worker, IDLE)}"
        for timestep, row in enumerate(rows, start=sheet.begin)
        for worker in sheet.workers
    )


def read(sheet: Sheet, text: str) -> list[Row]:
    """Return the rows that a text contains; lines that begin with # are comments. Raises
    InputError.
    """
    rows: list[Row] = []
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith(COMMENT):
            rows = edit(sheet, rows, line)
    return rows


HELP = """
WORKER: ACTION; ACTION    what a worker does from now on; a number will do for
                          its name, ACTION*3 is three times, - is nothing
T WORKER: ACTION; ACTION  the same from timestep T on
show     the schedule             check    what of it would FAIL, and why
legal T  what would not FAIL at timestep T, if nobody else moved
state    what there is            texts    what has been looked up
cut T    nothing from T on        edit     the schedule in $EDITOR
do       carry it out             quit     leave; 'cookmas play FOLDER' continues
""".strip()

SHOWN_TROUBLES = 10


class TerminalPlace:
    """A person who writes schedules at this terminal, and sees the state as the world draws it."""

    def __init__(self, console: Console, viewing: Viewing, keyboard: Keyboard) -> None:
        self._console = console
        self._viewing = viewing
        self._keyboard = keyboard

    async def schedule(
        self, observation: Observation[Any], draft: Sequence[Entry], limit: float | None
    ) -> Sequence[Entry]:
        """Return the schedule that the person writes. Raises NobodyThereError at the end of the
        input.
        """
        writing = _Writing(self._console, self._viewing, observation, draft)
        writing.begin(limit)
        while not writing.done:
            try:
                line = await read_typed(
                    self._console, self._keyboard, f"timestep {observation.timestep}"
                )
            except EOFError:
                raise NobodyThereError(THE_PLACE) from None
            try:
                await writing.take(line)
            except NobodyThereError:
                raise
            except InputError as error:
                writing.say(str(error), "red")
        return list(writing.rows)


class _Writing:
    def __init__(
        self,
        console: Console,
        viewing: Viewing,
        observation: Observation[Any],
        draft: Sequence[Entry],
    ) -> None:
        self._console = console
        self._viewing = viewing
        self._seen = observation
        self._sheet = Sheet(observation)
        self._warned = False
        self.rows: list[Row] = self._sheet.rows(draft)
        self.done = False

    def say(self, text: str, style: str = "") -> None:
        self._console.print(words(text, style=style), soft_wrap=not self._console.is_terminal)

    def begin(self, limit: float | None) -> None:
        seen = self._seen
        for worker, why in seen.away.items():
            self.say(f"* {worker} does not answer: {why}", "yellow")
        for instruction in seen.instructions:
            self.say(f"* the supervisor at {instruction.timestep}: {instruction.words}", "cyan")
        self._state()
        if self.rows:
            self._show()
        if seen.texts:
            self.say(f"'texts' shows what is written of: {', '.join(seen.texts)}", "dim")
        time = "" if limit is None else f"You have {limit:g} seconds. "
        self.say(f"{time}'do' carries the schedule out, 'help' says what else there is.", "dim")

    async def take(self, line: str) -> None:
        """Carry out the command of a line. Raises InputError, or NobodyThereError if the person
        leaves.
        """
        sheet = self._sheet
        verb, *more = line.split(maxsplit=1) or [""]
        at = _parse_timestep(more[0]) if more and verb in ("legal", "cut") else sheet.begin
        warned, self._warned = self._warned, False
        match verb:
            case "":
                self._warned = warned
            case "help" | "?":
                self._console.print(HELP, markup=False)
            case "quit":
                raise NobodyThereError(THE_PLACE)
            case "show":
                self._show()
            case "check":
                self._check()
            case "state":
                self._state()
            case "texts":
                for key, text in self._seen.texts.items():
                    self.say(f"{key}: {text}")
            case "legal":
                for worker, actions in sheet.legal(self.rows, at).items():
                    self.say(f"{worker}: {', '.join(actions)}")
            case "cut":
                self.rows = self.rows[: max(0, at - sheet.begin)]
                self._show()
            case "edit":
                self.rows = await _edit(sheet, self.rows)
                self._show()
            case "do":
                self._carry_out(warned=warned)
            case _ if is_edit(line):
                self.rows = edit(sheet, self.rows, line)
                self._tell(sheet.troubles(self.rows)[:1])
            case _:
                raise InputError(f"{line:.60}", "expected a command; 'help' says which there are")

    def _carry_out(self, *, warned: bool) -> None:
        troubles = self._sheet.troubles(self.rows)
        if any(trouble.unreadable for trouble in troubles):
            self._check()
            self.say("Nothing of a schedule that cannot be read is carried out.", "red")
        elif troubles and not warned:
            self._check()
            self.say("'do' again carries it out all the same.", "yellow")
            self._warned = True
        else:
            self.done = True

    def _check(self) -> None:
        troubles = self._sheet.troubles(self.rows)
        self._tell(troubles[:SHOWN_TROUBLES])
        if len(troubles) > SHOWN_TROUBLES:
            self.say(f"and {len(troubles) - SHOWN_TROUBLES} more")
        if not troubles:
            self.say("Nothing of it would FAIL, as far as can be known now.", "green")

    def _tell(self, troubles: Iterable[Trouble]) -> None:
        for trouble in troubles:
            fails = "cannot be read" if trouble.unreadable else "would FAIL"
            self.say(f"{trouble.timestep}, {trouble.worker} {fails}: {trouble.why}", "red")

    def _show(self) -> None:
        troubled = {(each.timestep, each.worker) for each in self._sheet.troubles(self.rows)}
        table = Table("t", *map(clean, self._sheet.workers))
        for timestep, row in enumerate(self.rows, start=self._sheet.begin):
            cells = [
                words(row.get(each, ""), style="red" if (timestep, each) in troubled else "")
                for each in self._sheet.workers
            ]
            table.add_row(str(timestep), *cells)
        self._console.print(table)

    def _state(self) -> None:
        self._console.print(scene(self._viewing, self._seen.world, self._seen.state))


def _parse_timestep(said: str) -> int:
    if not said.isdecimal() or len(said) > 9:
        raise InputError(f"{said:.60}", "expected a timestep")
    return int(said)


async def _edit(sheet: Sheet, rows: Sequence[Row]) -> list[Row]:
    """Return the rows after the person has edited them in an editor. Raises InputError."""
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with TemporaryDirectory(prefix="cookmas-") as folder:
        path = Path(folder) / "schedule.txt"
        about = "# T WORKER: ACTION; ACTION - what is left out idles; lines like this say nothing\n"
        path.write_text(f"{about}{write(sheet, rows)}\n", encoding="utf-8")
        try:
            editor = await asyncio.create_subprocess_exec(*command, str(path))
            await editor.wait()
        except OSError as error:
            raise InputError("$EDITOR", f"{command[0]}: {error.strerror}") from None
        return read(sheet, path.read_text(encoding="utf-8", errors="replace"))
