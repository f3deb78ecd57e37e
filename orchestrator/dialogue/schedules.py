"""Schedules as data, in two layouts: rows, one for each timestep, and columns, one for each worker.

    [{"t": 4, "worker_1": "chop", "worker_2": "place"}, {"t": 5, "worker_1": "chop"}]
    {"worker_1": [[4, "chop", "chop"]], "worker_2": [[4, "place"]]}

In both layouts a worker without an action is idle. A column consists of parts. Each part is a
timestep and the actions from that timestep on, one for each timestep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cookmas.episodes.base import World
from cookmas.episodes.world import Commands

TIMESTEP, THINK = "t", "think"
"""Keys of a row other than workers: `t` for the timestep, and `think` for a thought.

A thought stands in a row of its own.
"""

Row = Mapping[str, Any]
"""A timestep `t` and the actions by worker."""

Column = Sequence[Sequence[int | str]]
"""The parts of a worker's column."""


def columns_of(rows: Iterable[Row], workers: Iterable[str]) -> dict[str, Column]:
    """Convert a schedule from rows with timesteps to columns; every worker gets a column."""
    columns: dict[str, list[list[int | str]]] = {worker: [] for worker in workers}
    after: dict[str, int] = {}
    for row in rows:
        now = row[TIMESTEP]
        for worker, action in row.items():
            if worker == TIMESTEP or not action:
                continue
            parts = columns.setdefault(worker, [])
            if after.get(worker) != now:
                parts.append([now])
            parts[-1].append(action)
            after[worker] = now + 1
    return dict(columns)


class ReadColumns(NamedTuple):
    """A schedule in columns, as rows."""

    rows: list[Row]
    """The rows, in order of the timesteps."""
    kinds: set[str]
    """The kinds of leniency."""
    problems: list[str]
    """What could not be read; the rows have the rest."""


def rows_of_columns(columns: Mapping[str, Any]) -> ReadColumns:
    """Convert a schedule from columns to rows.

    A timestep may be a text or have a fraction of zero, and a part may map timesteps to actions. It
    is a problem if an action has no timestep, or a worker has two at one timestep; then the first
    of them is taken.
    """
    rows: dict[int, dict[str, Any]] = {}
    kinds: set[str] = set()
    problems: list[str] = []
    for worker, column in columns.items():
        try:
            for now, action in _iter_timed(worker, column, kinds):
                row = rows.setdefault(now, {TIMESTEP: now})
                if worker in row:
                    problems.append(f"{worker} has two actions at timestep {now}")
                row.setdefault(worker, action)
        except ValueError as error:
            problems.append(str(error))
    return ReadColumns([rows[now] for now in sorted(rows)], kinds, problems)


def _iter_timed(worker: str, column: Any, kinds: set[str]) -> Iterator[tuple[int, Any]]:
    """Yield the actions of a column with their timesteps; add the kinds of leniency to `kinds`.

    Raise ValueError if an action has no timestep.
    """
    now: int | None = None
    for item in _flatten(column, kinds):
        number = read_number(item)
        if number is not None:
            now = number
            kinds |= {"number_as_text"} if type(item) is not int else set()
        elif now is None:
            raise ValueError(f"{worker}: expected parts such as [4, action, action]")
        else:
            yield now, item
            now += 1


def read_number(value: Any) -> int | None:
    """Return a whole number, also in a text or with a fraction of zero; None for anything else."""
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    digits = value.strip() if isinstance(value, str) else ""
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else None


def _flatten(column: Any, kinds: set[str]) -> Iterator[Any]:
    """Yield the items in the parts of a column, without null."""
    for part in column if isinstance(column, list) else [column]:
        if isinstance(part, list):
            yield from part
        elif isinstance(part, Mapping):
            kinds.add("columns_of_timesteps")
            for now, actions in part.items():
                yield number if (number := read_number(now)) is not None else now
                yield from actions if isinstance(actions, list) else [actions]
        elif part is not None:
            yield part


def rows_of(
    underway: Sequence[Commands], timestep: int, world: World
) -> list[dict[str, int | str]]:
    """Return the schedule `underway`, which begins at `timestep`, as rows without idle workers."""
    return [
        {TIMESTEP: now, **{worker: action for worker, action in entry if action != world.idle}}
        for now, entry in enumerate(underway, start=timestep)
    ]
