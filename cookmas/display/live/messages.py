"""What guests send from the page: orders, additions, changes, cancellations, instructions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse

from cookmas.client import AsyncClient, NoAnswerError
from cookmas.display.live.bodies import body_of
from cookmas.display.live.visitors import sender_of
from files.errors import CookMASError, InputError
from mailboxes.envelope import HOUSE, Answer
from mailboxes.protocol import Letterbox

LONGEST = 16_384
"""Bytes of a message."""

Words = Annotated[str, Field(min_length=1, max_length=2000)]
Name = Annotated[str, Field(min_length=1, max_length=100)]


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Order(_Message):
    kind: Literal["order"]
    words: Words


class _Add(_Message):
    kind: Literal["add"]
    order: Name
    words: Words


class _Change(_Message):
    kind: Literal["change"]
    line: Name
    note: Words


class _Cancel(_Message):
    kind: Literal["cancel"]
    name: Name


class _Instruct(_Message):
    kind: Literal["instruct"]
    words: Words


_Any = _Order | _Add | _Change | _Cancel | _Instruct

_MESSAGE: TypeAdapter[_Any] = TypeAdapter(Annotated[_Any, Field(discriminator="kind")])


class Counter:
    """Where guests come to: passes on what each of them sends, and brings the answers."""

    def __init__(self, box: Letterbox, *, house: bool) -> None:
        self._box = box
        self._house = house

    async def take(self, request: Request) -> JSONResponse:
        """A message as JSON; the answer says what became of it."""
        try:
            message = _MESSAGE.validate_json(await body_of(request, LONGEST))
        except InputError as error:
            return _refused(error.problem, 413)
        except ValidationError as error:
            first = error.errors()[0]
            return _refused(f"{'.'.join(map(str, first['loc']))}: {first['msg']}", 400)
        try:
            answer = await _send(self._client(request), message)
        except NoAnswerError as error:
            return JSONResponse({"status": "kept", "about": str(error)}, 202)
        except CookMASError as error:
            return _refused(str(error), 503)
        assert answer
        return JSONResponse(answer.model_dump(exclude_none=True))

    def _client(self, request: Request) -> AsyncClient:
        if self._house:
            return AsyncClient(self._box, HOUSE)
        sender = sender_of(request)
        return AsyncClient(self._box, sender.name, token=sender.token)


async def _send(episode: AsyncClient, message: _Any) -> Answer | None:
    match message:
        case _Order():
            return await episode.order(message.words)
        case _Add():
            return await episode.add(message.order, message.words)
        case _Change():
            return await episode.change(message.line, message.note)
        case _Instruct():
            return await episode.instruct(message.words)
        case _Cancel():
            return await episode.cancel(message.name)


def _refused(why: str, code: int) -> JSONResponse:
    return JSONResponse({"status": "refused", "why": why}, code)
