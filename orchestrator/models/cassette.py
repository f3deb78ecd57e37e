"""Recorded answers of a model, and cassettes: files of them, to replay for identical requests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import zip_longest
from pathlib import Path

from pydantic import ValidationError

from cookmas.episodes.conversation import Message
from cookmas.episodes.parts import AnsweredRequest
from cookmas.episodes.trace import ModelCall, to_line
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import CookMASError, InputError, MissingError, TraceError
from cookmas.files.writing import guard_block
from cookmas.orchestrator.models.message import (
    Answered,
    CallMeasurements,
    Model,
    ModelAnswer,
    Request,
)

_SHOWN = 60
_BEFORE = 20
_BEGINNING = b'{"request":'
_TRACE = b'{"kind":'


_RECORDED = tuple(each.name for each in fields(ModelAnswer) if each.name != "model")
"""The fields of an answer that its record has under the same names."""


def record_answer(request: Request, answer: ModelAnswer, model: str) -> AnsweredRequest:
    """Return the record of a request to `model` and its answer."""
    return AnsweredRequest(
        request=request.digest(),
        model=model,
        answered_by=answer.model if answer.model != model else None,
        messages=request.messages,
        schema_name=request.schema.name if request.schema else None,
        **{name: getattr(answer, name) for name in _RECORDED},
    )


def _answer_in(record: AnsweredRequest) -> ModelAnswer:
    return ModelAnswer(model=record.answerer, **{name: getattr(record, name) for name in _RECORDED})


class CassetteError(CookMASError):
    """A request that is not on the cassette: the prompt has changed since the recording."""


class Cassette:
    """A model that answers from a file with one answer per line; the file may also be a trace.

    If the same request comes again, it gets the next answer that was recorded for it.

    With `model`, the cassette records: it passes a request without a recorded answer to `model`,
    and appends the answer to the file. Only one process may record to a file at a time.

    Only answers to requests with the same additions (`added`) are replayed.

    Without `model`, the cassette only replays, and such a request raises CassetteError. `name`
    selects the model whose answers are replayed; by default it is the model of the first answer.

    The constructor raises MissingError or TraceError if there is nothing to replay, InputError if
    the file cannot be written.
    """

    def __init__(
        self,
        path: Path,
        model: Model | None = None,
        name: str | None = None,
        added: tuple[str, ...] = (),
    ) -> None:
        self._path = path
        self._added = added
        self._model = model
        self._recording = False
        if model:
            _check_recordable(path)
        entries = list(_read(path))
        first = entries[0].model if entries else None
        self.name = model.name if model else name or first or "a model"
        self._by_request = self._group_by_request(entries)
        if model is None and not self._by_request:
            said = f" to requests with {', '.join(added)}" if added else ""
            raise TraceError(f"{path}: has no answers of {self.name}{said}")
        self._played: Counter[str] = Counter()

    def _group_by_request(
        self, entries: Iterable[AnsweredRequest]
    ) -> dict[str, list[AnsweredRequest]]:
        by_request: dict[str, list[AnsweredRequest]] = defaultdict(list)
        for entry in entries:
            if entry.model == self.name and entry.added == self._added:
                by_request[entry.request].append(entry)
        return by_request

    async def answer(self, request: Request) -> Answered:
        if self._model and not self._recording:
            self._begin_recording()
        digest = request.digest()
        entries = self._by_request.get(digest, ())
        number = self._played[digest]
        self._played[digest] += 1
        if number < len(entries):
            return _answer_in(entries[number]), CallMeasurements(seconds=0.0, cost=0.0)
        if self._model is None:
            raise CassetteError(f"{self._path}: {self._explain_miss(request, len(entries))}")
        answer, measured = await self._model.answer(request)
        line = to_line(record_answer(request, answer, self._model.name)) + "\n"
        with guard_block(self._path), self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)
        return answer, measured

    def _begin_recording(self) -> None:
        """Remove an incomplete last line, and read answers that another process has recorded."""
        with guard_block(self._path), self._path.open("r+b") as file:
            file.truncate(file.read().rfind(b"\n") + 1)
        self._by_request = self._group_by_request(_read(self._path))
        self._recording = True

    def _explain_miss(self, request: Request, recorded: int) -> str:
        if recorded:
            return f"this request was recorded {recorded} times and is asked once more"
        asked = _lines(request.messages)
        known = [entries[0].messages for entries in self._by_request.values()]
        nearest = max(known, key=lambda messages: (asked & _lines(messages)).total())
        return f"this request was never recorded: {_difference(nearest, request.messages)}"


def _read(path: Path) -> Iterator[AnsweredRequest]:
    """Yield the answers in a cassette or a trace; ignore an incomplete last line."""
    if path.exists() and not path.is_file():
        raise TraceError(f"{path}: is not a regular file")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise MissingError(f"{path}: there is no such cassette or trace") from None
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror})") from None
    if data.startswith(_TRACE):
        yield from read_trace(path).of(ModelCall)
        return
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            yield AnsweredRequest.model_validate_json(line)
        except ValidationError:
            raise TraceError(f"{path}, line {number}: is not a recorded answer") from None


def _check_recordable(path: Path) -> None:
    """Raise TraceError or InputError if answers cannot be recorded to a file.

    Create the file if it is missing.
    """
    if path.exists() and not path.is_file():
        raise InputError(str(path), "cannot be recorded to (it is not a regular file)")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            file.seek(0)
            data = file.read()
            if data.startswith(_TRACE):
                raise TraceError(f"{path}: is a trace; record to another file")
            if not data.startswith(_BEGINNING[: len(data)]):
                raise TraceError(f"{path}: is not a cassette; record to another file")
    except OSError as error:
        raise InputError(str(path), f"cannot be recorded to ({error.strerror})") from None


def _lines(messages: Sequence[Message]) -> Counter[str]:
    return Counter(line for message in messages for line in message.content.splitlines())


def _difference(recorded: Sequence[Message], asked: Sequence[Message]) -> str:
    """Return a description of the first line in which two conversations differ."""
    for number, (old, new) in enumerate(zip_longest(recorded, asked), start=1):
        if old == new:
            continue
        if old is None or new is None:
            return f"the nearest has {len(recorded)} messages, this one {len(asked)}"
        where = f"message {number} ({new.role})"
        if old.role != new.role:
            return f"{where} was a message of role {old.role}"
        lines = zip_longest(old.content.splitlines(), new.content.splitlines())
        for line, (before, now) in enumerate(lines, start=1):
            if before != now:
                return (
                    f"{where}, line {line}, was {_excerpt(before, now)}, is {_excerpt(now, before)}"
                )
        return f"{where} calls other tools"
    return "its messages are recorded, but with another schema, tools or sampling"


def _excerpt(line: str | None, other: str | None) -> str:
    """Return the part of a line in which it begins to differ from another line."""
    if line is None:
        return "not there"
    pairs = enumerate(zip_longest(line, other or ""))
    differs = next((place for place, (mine, its) in pairs if mine != its), 0)
    begin = max(0, differs - _BEFORE)
    part = line[begin : begin + _SHOWN]
    return repr(("..." if begin else "") + part + ("..." if begin + _SHOWN < len(line) else ""))
