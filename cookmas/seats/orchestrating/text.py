"""A schedule as lines that a person types.

    worker_1: navigate(pantry); pick(egg)
    7 worker_2: chop*3; -

A line lists the actions of one worker from a timestep on, by default from the present one. The
worker's number may replace the name. With `*3` the worker does an action three times. With `-` or
an empty part the worker idles for a timestep.

In the functions, `rows` has the actions of each timestep by worker. A `Sheet` knows the workers and
the first timestep, and checks the rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cookmas.files.errors import InputError
from cookmas.orchestrator.planners.sheet import LONGEST_ACTION, MOST_ROWS, Row, Sheet

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
