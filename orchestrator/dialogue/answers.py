"""The forms in which a model's answers are read, and the schedule that an answer stands for.

A schedule has one of two layouts: rows, one for each timestep, and columns, one for each worker.

    [{"t": 4, "worker_1": "chop", "worker_2": "place"}, {"t": 5, "worker_1": "chop"}]
    {"worker_1": [[4, "chop", "chop"]], "worker_2": [[4, "place"]]}

In both layouts a worker without an action is idle. A column consists of parts. Each part is a
timestep and the actions from that timestep on, one for each timestep.

A scratch pad is an object of texts or of such objects. Its form is an example of it, and a world's
voice has its own. An answer has the whole pad, which takes the place of the one before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from cookmas.episodes.base import World
from cookmas.episodes.world import Commands
from cookmas.orchestrator.planner import Entry

SCRATCH_PAD = "SCRATCH_PAD"
"""Name of the block with the scratch pad."""

PAD = "scratch_pad"
"""Name of the scratch pad in an answer and in a planner's memory."""

LONGEST_SCHEDULE = 10_000
"""Greatest length of a schedule in an answer, in timesteps from the present one on."""

LONGEST_REASONING = 1500
"""Greatest length of the reasoning in an answer, in characters.

The schema states this limit, so that a model cannot repeat itself forever.
"""

LONGEST_THOUGHT = 300
"""Greatest length of a thought between the rows of a schedule, in characters."""

LONGEST_SAID = 1500
"""Greatest length of an agent's message to its team, in characters."""

LONGEST_LESSON = 300
"""Greatest length of a lesson, in an answer and in the memory, in characters."""

LONGEST_BELIEF = 200
"""Greatest length of each text of a scratch pad, in an answer and in the memory, in characters."""

Pad = Mapping[str, Any]
"""A scratch pad or its form: texts or further pads by name."""


def fit_pad(written: Any, form: Pad) -> dict[str, Any]:
    """Return the part of a written pad that has the form, with each text cut to LONGEST_BELIEF.

    A name that the form lacks is left out, and so is an empty part.
    """
    if not isinstance(written, Mapping):
        return {}
    fitted: dict[str, Any] = {}
    for name, each in form.items():
        found = written.get(name)
        if isinstance(each, Mapping):
            fitted[name] = fit_pad(found, each)
        elif found is not None:
            fitted[name] = str(found)[:LONGEST_BELIEF]
    return {name: each for name, each in fitted.items() if each}


TIMESTEP, THINK = "t", "think"
"""Keys of a row other than workers: `t` for the timestep, and `think` for a thought.

A thought stands in a row of its own.
"""

PlainRow = Mapping[str, Any]
"""A timestep `t` and the actions by worker."""

Column = Sequence[Sequence[int | str]]


def columns_of(rows: Iterable[PlainRow], workers: Iterable[str]) -> dict[str, Column]:
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

    rows: list[PlainRow]
    kinds: set[str]
    problems: list[str]
    """The parts that could not be read; the rows have the others."""


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


def note(info: ValidationInfo, *kinds: str) -> None:
    """Note kinds of leniency in the set that is the context of a validation."""
    if isinstance(info.context, set):
        info.context.update(kinds)


def _text_of(value: Any, info: ValidationInfo) -> Any:
    """Return a text; null counts as empty, and a list or an object as its text."""
    if isinstance(value, list | Mapping):
        note(info, "text_as_data")
        texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return "\n".join(value) if texts else json.dumps(value, ensure_ascii=False)
    return "" if value is None else value


def _number_of(value: Any, info: ValidationInfo) -> Any:
    """Return a number; one in a text or with a fraction of zero counts, anything else does not."""
    if value is None or type(value) is int:
        return value
    number = read_number(value)
    note(info, "ignored_field" if number is None else "number_as_text")
    return number


def _read_kept(value: Any, info: ValidationInfo) -> Any:
    """Return a number for all workers, or an object with a number for each."""
    if isinstance(value, Mapping):
        return {worker: _number_of(each, info) for worker, each in value.items()}
    return _number_of(value, info)


def _read_list(value: Any) -> Any:
    """Return a list; null counts as empty, and a single object as a list of it."""
    if isinstance(value, Mapping):
        return [value]
    return [] if value is None else value


def _read_pad(value: Any, info: ValidationInfo) -> Any:
    """Return an object; anything else counts as an empty one."""
    if isinstance(value, Mapping):
        return dict(value)
    if value is not None:
        note(info, "ignored_field")
    return {}


WholeNumber = Annotated[int, BeforeValidator(_number_of)]
"""A whole number in an answer, also as a text."""

Text = Annotated[str, BeforeValidator(_text_of)]
"""A text in an answer; null counts as empty."""


class Form(BaseModel):
    """The base of the answers that a model may give; an instance is an answer that was read."""

    model_config = ConfigDict(extra="ignore")

    reasoning: Text = ""


class Row(BaseModel):
    """A row of a schedule: the actions of a timestep, or a thought."""

    model_config = ConfigDict(extra="forbid")

    t: int | None = None
    """The timestep; if it is None, the row follows the previous row directly."""
    think: Text = ""
    """The thought; empty in a row of actions."""
    actions: dict[str, str]
    """The actions by worker; a worker without an action has no entry."""

    @model_validator(mode="before")
    @classmethod
    def _part(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        beside = {name: data[name] for name in (TIMESTEP, THINK) if name in data}
        actions = {w: a for w, a in data.items() if w not in beside and a not in (None, "")}
        return {**beside, "actions": actions}

    @property
    def timed(self) -> bool:
        """True if the row stands for a timestep and is not only a thought."""
        return bool(self.actions) or self.t is not None or not self.think


def _is_row(data: Any) -> bool:
    try:
        Row.model_validate(data)
    except ValidationError:
        return False
    return True


KeepUntil = int | dict[str, int | None] | None
"""A timestep for all workers, or one for each worker; None if nothing is kept."""


class Shift(BaseModel):
    """A stretch of what the active schedule has for a worker, which comes later or earlier."""

    model_config = ConfigDict(extra="ignore")

    worker: str
    first: WholeNumber = Field(alias="from")
    """The first timestep of the stretch."""
    until: WholeNumber | None = None
    """The timestep after the last one of the stretch; None if it goes to the end."""
    by: WholeNumber
    """Number of timesteps by which it is moved; below 0 it comes earlier."""


class ScheduleAnswer(Form):
    """An answer with a schedule from the present timestep on, in rows or in columns."""

    say: Text = ""
    """In a team, what the agent tells the others."""
    keep_until: Annotated[KeepUntil, BeforeValidator(_read_kept)] = None
    """For each worker the first timestep for which the answer replaces the active schedule.

    Before it the active schedule stays, except where `schedule` names another action. A number
    counts for all workers. A worker that is left out or null keeps everything.
    """
    shift: Annotated[list[Shift], BeforeValidator(_read_list)] = Field(default_factory=list)
    schedule: list[Row]
    """The rows; an answer in columns is converted to rows.

    In a team they have the actions of one agent only.
    """
    lesson: Text = ""
    """A lesson for later calls, in the model's words."""
    scratch_pad: Annotated[dict[str, Any], BeforeValidator(_read_pad)] = Field(default_factory=dict)
    """The scratch pad, in whatever form the model wrote it."""

    @field_validator("schedule", mode="before")
    @classmethod
    def _read_columns(cls, data: Any, info: ValidationInfo) -> Any:
        if isinstance(data, str):
            with suppress(ValueError, RecursionError):
                data = json.loads(data)
                note(info, "encoded_twice")
        if not isinstance(data, Mapping):
            return data
        read = rows_of_columns(data)
        if read.problems:
            wrong = [row[TIMESTEP] for row in read.rows if not _is_row(row)]
            told = [f"an action at timestep {now} should be text" for now in wrong]
            raise ValueError("\n".join([*read.problems, *told]))
        for kind in read.kinds:
            note(info, kind)
        return read.rows

    @classmethod
    def read_part(cls, data: Mapping[str, Any]) -> Self | None:
        """Return an answer with the actions that can be read; None if there are none."""
        schedule = data.get("schedule")
        rows = rows_of_columns(schedule).rows if isinstance(schedule, Mapping) else schedule
        readable = [row for row in rows if _is_row(row)] if isinstance(rows, list) else []
        if not readable:
            return None
        return cls.model_validate({"keep_until": data.get("keep_until"), "schedule": readable})

    @property
    def rows(self) -> list[Row]:
        return [row for row in self.schedule if row.timed]

    def keeps_after(self, timestep: int, workers: Iterable[str]) -> bool:
        """Return whether a worker keeps a part of a schedule that begins at a timestep."""
        if not isinstance(self.keep_until, Mapping):
            return (self.keep_until or 0) > timestep
        ends = [self.keep_until.get(worker) for worker in workers]
        return any(end is None or end > timestep for end in ends)

    def thoughts(self) -> str:
        """Return all the reasoning in the answer, in order."""
        return "\n".join(filter(None, (self.reasoning, *(row.think for row in self.schedule))))


Schedule = list[dict[str, str]]
"""A schedule: for each timestep the actions by worker."""


def write_out(
    answer: ScheduleAnswer, underway: Sequence[Entry], timestep: int, idle: str = ""
) -> tuple[Schedule, list[str]]:
    """Return the complete schedule that an answer stands for, and its problems.

    The schedule begins at `timestep`, and so does `underway`, the rest of the active schedule. Of
    that each worker keeps the actions before its `keep_until`. Then the stretches in `shift` are
    moved, and the answer's own rows are added. A row before a worker's `keep_until` changes only
    the actions that it names. From there on, the worker idles at a timestep without an action. A
    row without a timestep follows the previous row. `idle` is the idle action of the world.
    """
    draft = _Draft(answer, [dict(entry) for entry in underway], timestep, idle)
    draft.add(draft.move())
    return draft.schedule, draft.problems


class _Draft:
    def __init__(
        self, answer: ScheduleAnswer, underway: Schedule, timestep: int, idle: str
    ) -> None:
        self._answer = answer
        self._now = timestep
        self._idle = idle
        self._end = timestep + len(underway)
        self._ends = self._find_ends(underway)
        """For each worker the first timestep that it does not keep, in the active schedule."""
        self._last = max(self._ends.values(), default=self._clip(answer.keep_until))
        """The first timestep of which nobody keeps anything."""
        self.schedule: Schedule = [
            {worker: each for worker, each in entry.items() if now < self._ends[worker]}
            for now, entry in enumerate(underway[: self._last - timestep], start=timestep)
        ]
        self.problems: list[str] = []

    def _find_ends(self, underway: Schedule) -> dict[str, int]:
        asked = self._answer.keep_until
        each: Mapping[str, int | None] = asked if isinstance(asked, Mapping) else {}
        workers = {worker for entry in underway for worker in entry} | each.keys()
        usual = self._end if isinstance(asked, Mapping) else self._clip(asked)
        numbers = {worker: each.get(worker) for worker in sorted(workers)}
        return {w: usual if number is None else self._clip(number) for w, number in numbers.items()}

    def _clip(self, number: object) -> int:
        asked = number if isinstance(number, int) else 0
        return min(max(self._now, asked), self._end)

    def _at(self, timestep: int) -> dict[str, str]:
        """Return the entry of a timestep; the schedule grows up to it if it is shorter."""
        missing = timestep + 1 - self._now - len(self.schedule)
        self.schedule += [{} for _ in range(missing)]
        return self.schedule[timestep - self._now]

    def _find_misplaced(self, timestep: int) -> str | None:
        if timestep < self._now:
            return f"t {timestep}: it is timestep {self._now} already."
        if timestep >= self._now + LONGEST_SCHEDULE:
            return f"t {timestep}: a schedule has {LONGEST_SCHEDULE} timesteps at most."
        return None

    def move(self) -> dict[tuple[str, int], str]:
        """Move the stretches; return the moved actions by worker and new timestep."""
        taken_out: list[tuple[str, int, str]] = []
        for shift in self._answer.shift:
            worker = shift.worker
            stretch = [
                now
                for now, entry in enumerate(self.schedule, start=self._now)
                if shift.first <= now < (shift.until or self._last)
                and entry.get(worker, self._idle) != self._idle
            ]
            if not stretch:
                span = f"from {shift.first}" + (f" to {shift.until}" if shift.until else " on")
                self.problems.append(f"shift: {worker} keeps no action {span} that can be moved.")
            for now in stretch:
                taken_out.append((worker, now + shift.by, self._at(now).pop(worker)))
        moved: dict[tuple[str, int], str] = {}
        for worker, now, action in taken_out:
            problem = self._find_misplaced(now)
            there = self._idle if problem else self._at(now).get(worker, self._idle)
            if there != self._idle:
                problem = f"shift: {worker} still has {there} at timestep {now}; move that too."
            if problem:
                self.problems.append(problem)
            else:
                self._at(now)[worker] = moved[worker, now] = action
        return moved

    def add(self, moved: Mapping[tuple[str, int], str]) -> None:
        named: set[int] = set()
        same = len(set(self._ends.values())) < 2
        following = self._last if same else None
        for row in self._answer.rows:
            now = following if row.t is None else row.t
            if now is None:
                self.problems.append("A row needs its timestep t if keep_until differs.")
                continue
            problem = self._find_misplaced(now)
            if problem is None and now >= self._last and now in named:
                problem = f"t {now}: there are two rows of this timestep."
            if problem is not None:
                self.problems.append(problem)
                continue
            self.problems += self._find_overwritten(row, now, moved)
            self._at(now).update(row.actions)
            if now >= self._last:
                named.add(now)
                following = now + 1

    def _find_overwritten(
        self, row: Row, now: int, moved: Mapping[tuple[str, int], str]
    ) -> list[str]:
        return [
            f"t {now}: {worker} has {moved[worker, now]} there, which shift has moved; write after "
            "it."
            for worker in row.actions
            if (worker, now) in moved and now >= self._ends.get(worker, self._last)
        ]
