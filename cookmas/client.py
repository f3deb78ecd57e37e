"""Client of an open kitchen, for one sender.

    with Client("runs/open") as kitchen:
        answer = kitchen.order("2 Classic Burger: no onion; 1 French Fries")
        kitchen.cancel(answer.about)

`AsyncClient` is the same for a running event loop.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import uuid
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from episodes.instruction import INSTRUCT
from episodes.world import Json
from files.errors import InfrastructureError, InputError
from mailboxes.envelope import HOUSE, Answer, Envelope, proof_of, read_envelope
from mailboxes.protocol import Letterbox, Quarantined
from mailboxes.redis.address import is_address, user_of
from mailboxes.sqlite.letterbox import SqliteLetterbox

T = TypeVar("T")

TOKEN = "COOKMAS_TOKEN"
"""The environment variable with the sender's token."""


class NoAnswerError(InfrastructureError):
    """The kitchen did not answer in time. The message is stored: ask for its answer later by its
    id.
    """

    def __init__(self, id: str, place: int | None = None) -> None:  # noqa: A002
        waits = "" if place is None else f" ({place} messages were before it)"
        super().__init__(
            f"no answer to message {id} yet{waits}; it is stored: send it again with its id"
        )
        self.id = id


def letterbox(kitchen: str | Path | Letterbox) -> Letterbox:
    """Return the letterbox of a kitchen, by the folder of its run or its address in Redis."""
    if is_address(kitchen):
        from cookmas.redis import redis_letterbox

        return redis_letterbox(str(kitchen))
    return SqliteLetterbox(Path(kitchen)) if isinstance(kitchen, str | Path) else kitchen


class AsyncClient:
    """Client that sends messages to an open kitchen under a `sender`'s name and waits for the
    answers.

    `kitchen` is the folder of its run, its address in Redis (`redis://localhost:6379/0#corner`), or
    a letterbox. Every message has an `id`, a random one by default; a message that is sent again
    with the same id counts once. `meaning` tells the judge what the words mean: a list of typed
    wishes for each line by its number in the message. `patience` is the time in seconds after which
    NoAnswerError is raised; with 0 the client does not wait and returns None.

    The first message under a name binds the name to the sender's `token`, by default the value of
    the environment variable COOKMAS_TOKEN. From then on the name needs this token. A sender who can
    read the house's token speaks as "house". If `sender` is None, such a sender speaks as "house"
    and every other under the user's name.
    """

    def __init__(
        self,
        kitchen: str | Path | Letterbox,
        sender: str | None = "guest",
        patience: float = 30.0,
        token: str | None = None,
    ) -> None:
        self._box = letterbox(kitchen)
        self._sender = sender
        self._otherwise = user_of(kitchen) or _find_user()
        self._patience = patience
        self._token = token or os.environ.get(TOKEN)
        self._house_token: str | None = None

    async def send(
        self,
        event: Json,
        id: str | None = None,  # noqa: A002
        meaning: Json | None = None,
        on_waiting: Callable[[Answer], object] | None = None,
    ) -> Answer | None:
        """Send any event and return its answer. An invalid message is refused before it is sent.

        If the message must wait, `on_waiting` is called once with an answer that has the message's
        place.
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
        """Return the sender's name and the token of that name."""
        if self._sender in (None, HOUSE):
            self._house_token = self._house_token or await self._box.house_token()
            if self._house_token or self._sender:
                return HOUSE, self._house_token
        return self._sender or self._otherwise, self._token

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

    async def order(self, words: str, **more: Any) -> Answer | None:
        """Order dishes: `2 Classic Burger: no onion, well done; 1 French Fries`."""
        return await self.send({"kind": "new_order", "words": words}, **more)

    async def add(self, order: str, words: str, **more: Any) -> Answer | None:
        """Add a line to an order."""
        return await self.send({"kind": "add_line", "order": order, "words": words}, **more)

    async def change(self, line: str, note: str, **more: Any) -> Answer | None:
        """Replace the words of an order line."""
        return await self.send({"kind": "change_line", "line": line, "note": note}, **more)

    async def cancel(self, name: str, **more: Any) -> Answer | None:
        """Cancel an order or one of its lines."""
        return await self.send({"kind": "cancel", "name": name}, **more)

    async def instruct(self, words: str, **more: Any) -> Answer | None:
        """Instruct the orchestrator, as the supervisor."""
        return await self.send({"kind": INSTRUCT, "words": words}, **more)

    async def status(self) -> dict[str, Any] | None:
        """Return the last published status as plain data; None before the first one.

        `cookmas.status.status_of` also tells whether the orchestrator is alive and which messages
        wait.
        """
        return await self._box.status()

    async def quarantine(self) -> Sequence[Quarantined]:
        """Return the messages that the kitchen received and cannot read, newest first."""
        return await self._box.quarantine()

    async def quarantined(self) -> int:
        """Return the number of messages that entered quarantine since it was last emptied."""
        return await self._box.quarantined()

    async def empty_quarantine(self) -> None:
        """Delete the messages in quarantine."""
        await self._box.empty_quarantine()

    async def close(self) -> None:
        """Stop the kitchen from taking messages; it ends after the open lines are served."""
        await self._box.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._box.leave()


class Client:
    """Client for programs without an event loop; its methods are those of AsyncClient."""

    def __init__(
        self,
        kitchen: str | Path | Letterbox,
        sender: str | None = "guest",
        patience: float = 30.0,
        token: str | None = None,
    ) -> None:
        self._client = AsyncClient(kitchen, sender, patience, token)
        self._runner = asyncio.Runner()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *raised: object) -> None:
        self._runner.run(self._client.__aexit__(*raised))
        self._runner.close()

    def send(self, event: Mapping[str, Any], **more: Any) -> Answer | None:
        """Send any event and return its answer."""
        return self._run(self._client.send(event, **more))

    def order(self, words: str, **more: Any) -> Answer | None:
        """Order dishes: `2 Classic Burger: no onion, well done; 1 French Fries`."""
        return self._run(self._client.order(words, **more))

    def add(self, order: str, words: str, **more: Any) -> Answer | None:
        """Add a line to an order."""
        return self._run(self._client.add(order, words, **more))

    def change(self, line: str, note: str, **more: Any) -> Answer | None:
        """Replace the words of an order line."""
        return self._run(self._client.change(line, note, **more))

    def cancel(self, name: str, **more: Any) -> Answer | None:
        """Cancel an order or one of its lines."""
        return self._run(self._client.cancel(name, **more))

    def instruct(self, words: str, **more: Any) -> Answer | None:
        """Instruct the orchestrator, as the supervisor."""
        return self._run(self._client.instruct(words, **more))

    def status(self) -> dict[str, Any] | None:
        """Return the last published status; None before the first one."""
        return self._run(self._client.status())

    def quarantine(self) -> Sequence[Quarantined]:
        """Return the messages that the kitchen received and cannot read, newest first."""
        return self._run(self._client.quarantine())

    def quarantined(self) -> int:
        """Return the number of messages that entered quarantine since it was last emptied."""
        return self._run(self._client.quarantined())

    def empty_quarantine(self) -> None:
        """Delete the messages in quarantine."""
        self._run(self._client.empty_quarantine())

    def close(self) -> None:
        """Stop the kitchen from taking messages."""
        self._run(self._client.close())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)


def _find_user() -> str:
    """Return the name of the user of this process; "guest" if it has none."""
    try:
        return getpass.getuser()[:64]
    except (OSError, KeyError):
        return "guest"
