"""Messages that guests send from the page: messages of the world, and instructions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request

from cookmas.display.live.guard import HarmlessResponse, body_of, is_forwarded
from cookmas.display.live.visitors import sender_of
from cookmas.episodes.instruction import INSTRUCT
from cookmas.episodes.messages import MessageField, MessageForm, message_of
from cookmas.episodes.secrets import hide_known
from cookmas.files.errors import CookMASError, InputError
from cookmas.mailboxes.envelope import OPERATOR
from cookmas.mailboxes.protocol import Letterbox
from cookmas.mailboxes.sending import NoAnswerError, Sender

LONGEST = 16_384
"""Maximum length of a message in bytes."""

LONGEST_FIELD = 2000
"""Maximum length of a field in characters."""

INSTRUCTION = MessageForm(
    kind=INSTRUCT,
    event=INSTRUCT,
    title="Instruct",
    fields=(MessageField(name="words", label="Words", example="the oldest one first, please"),),
)
"""The form of a supervisor's instruction, which is the same in all worlds."""


class Counter:
    """Posts the messages of guests to the episode, and returns its answers.

    `messages` are the world's kinds of messages. With `house`, messages are sent in the name of the
    episode's owner, unless a proxy has passed them on.
    """

    def __init__(self, box: Letterbox, messages: Sequence[MessageForm], *, house: bool) -> None:
        self._box = box
        self._messages = (*messages, INSTRUCTION)
        self._house = house

    async def take(self, request: Request) -> HarmlessResponse:
        """Post a message in JSON and answer with its outcome."""
        try:
            body = await body_of(request, LONGEST)
        except InputError as error:
            return _refuse(error.problem, 413)
        try:
            event = self._event(body)
        except InputError as error:
            return _refuse(str(error), 400)
        try:
            answer = await self._sender(request).send(event)
        except NoAnswerError as error:
            return HarmlessResponse({"status": "kept", "about": hide_known(str(error))}, 202)
        except CookMASError as error:
            return _refuse(str(error), 503)
        assert answer
        return HarmlessResponse(answer.model_dump(exclude_none=True))

    def _event(self, body: bytes) -> dict[str, Any]:
        """Return the event that a message in JSON describes. Raises InputError."""
        try:
            sent = json.loads(body)
        except (ValueError, RecursionError):
            raise InputError("message", "is no JSON") from None
        kind = sent.pop("kind", None) if isinstance(sent, dict) else None
        if not isinstance(kind, str):
            raise InputError("message", "expected a mapping with its kind")
        event = message_of(self._messages, kind).fill(named=sent)
        for name, value in event.items():
            if not 1 <= len(str(value)) <= LONGEST_FIELD:
                raise InputError(name, f"expected 1 to {LONGEST_FIELD} characters")
        return event

    def _sender(self, request: Request) -> Sender:
        if self._house and not is_forwarded(request):
            return Sender(self._box, OPERATOR)
        visitor = sender_of(request)
        return Sender(self._box, visitor.name, token=visitor.token)


def _refuse(why: str, code: int) -> HarmlessResponse:
    return HarmlessResponse({"status": "refused", "why": hide_known(why)}, code)
