"""Sending messages to an open episode under a name, and waiting for the answers."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

from cookmas.episodes.world import Json
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.mailboxes.protocol import (
    OPERATOR,
    Answer,
    Envelope,
    Letterbox,
    proof_of,
    read_envelope,
)


class NoAnswerError(InfrastructureError):
    """The error that an episode did not answer in time, although the message is stored.

    To get the answer later, send the message again with the same id.
    """

    def __init__(self, id: str, place: int | None = None) -> None:  # noqa: A002
        waits = "" if place is None else f" ({place} messages were before it)"
        super().__init__(
            f"no answer to message {id} yet{waits}; it is stored: send it again with its id"
        )
        self.id = id


class Sender:
    """A sender that posts events under a `name` and waits `patience` seconds for each answer.

    The `token` proves the name. If `name` is None, the name is "house" if the operator's token can
    be read, else `otherwise`.
    """

    def __init__(
        self,
        box: Letterbox,
        name: str | None,
        otherwise: str = "guest",
        patience: float = 30.0,
        token: str | None = None,
    ) -> None:
        self._box = box
        self._name = name
        self._otherwise = otherwise
        self._patience = patience
        self._token = token
        self._house_token: str | None = None

    async def send(
        self,
        event: Json,
        id: str | None = None,  # noqa: A002
        meaning: Json | None = None,
        on_waiting: Callable[[Answer], object] | None = None,
    ) -> Answer | None:
        """Send an event and return its answer; refuse an invalid message without sending it.

        If the message must wait, call `on_waiting` once, with an answer that has the message's
        place. Raise NoAnswerError if there is no answer in time. With a `patience` of 0, return
        None at once if there is no answer yet.
        """
        number = id or uuid.uuid4().hex
        sender, token = await self._identify_sender()
        try:
            envelope = read_envelope(
                {
                    "id": number,
                    "sender": sender,
                    "event": dict(event),
                    "meaning": None if meaning is None else dict(meaning),
                    "proof": proof_of(token) if token else None,
                }
            )
        except InputError as error:
            return Answer(id=number, status="refused", why=str(error))
        answer = await self._box.post(envelope)
        return answer or await self._wait(envelope, on_waiting)

    async def _identify_sender(self) -> tuple[str, str | None]:
        if self._name in (None, OPERATOR):
            self._house_token = self._house_token or await self._box.house_token()
            if self._house_token or self._name:
                return OPERATOR, self._house_token
        return self._name or self._otherwise, self._token

    async def _wait(
        self, envelope: Envelope, on_waiting: Callable[[Answer], object] | None
    ) -> Answer | None:
        pause = 0.005
        place: int | None = None
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience
        while self._patience:
            answer = await self._box.answer(envelope)
            if answer and answer.status != "waiting":
                return answer
            if answer and place is None:
                place = answer.place
                if on_waiting:
                    on_waiting(answer)
            if loop.time() > until:
                raise NoAnswerError(envelope.id, place)
            await asyncio.sleep(pause)
            pause = min(0.25, pause * 1.5)
        return None
