"""A sender's client of an open kitchen.

    with Client("runs/open") as kitchen:
        answer = kitchen.order("2 Classic Burger: no onion; 1 French Fries")
        kitchen.cancel(answer.about)

`AsyncClient` is the same in a running event loop.
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
"""The environment variable that has the sender's token."""


class NoAnswerError(InfrastructureError):
    """The kitchen has not answered in time. The message is kept: ask for its answer later."""

    def __init__(self, id: str, place: int | None = None) -> None:  # noqa: A002
        waits = "" if place is None else f" ({place} were before it)"
        super().__init__(
            f"no answer to message {id} yet{waits}; it is kept, send it again with its id"
        )
        self.id = id


def letterbox(kitchen: str | Path | Letterbox) -> Letterbox:
    """The letterbox of a kitchen, by the folder of its run or its address in Redis."""
    if is_address(kitchen):
        from cookmas.redis import redis_letterbox

        return redis_letterbox(str(kitchen))
    return SqliteLetterbox(Path(kitchen)) if isinstance(kitchen, str | Path) else kitchen


class AsyncClient:
    """Sends messages to an open kitchen, under a `sender`'s name, and waits for the answers.

    `kitchen` is the folder of its run, its address in Redis (`redis://localhost:6379/0#corner`), or
    a letterbox. A message has an `id`, made here where none
    is given: sent again with the same id it counts once. `meaning` says what its words mean, typed,
    for the judge: for each line by its number in the message, a list of wishes. `patience` are the
    seconds after which NoAnswerError is raised; 0: do not wait, and None is returned.

    The first message under a name binds it to the sender's `token`, by default that of the
    environment variable COOKMAS_TOKEN: from then on nobody without it speaks under that name.
    Whoever can read the token of the house speaks as "house"; with None as `sender`, they do so by
    themselves, and everybody else under the user's name.
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
        self._otherwise = user_of(kitchen) or _user()
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
        """Send any event. An invalid message is refused before it is sent.

        While it must wait `on_waiting` is called once, with an answer that has its place.
        """
        number = id or uuid.uuid4().hex
        sender, token = await self._speaker()
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

    async def _speaker(self) -> tuple[str, str | None]:
        """Who sends, and the token of that name."""
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
        """Order: `2 Classic Burger: no onion, well done; 1 French Fries`."""
        return await self.send({"kind": "new_order", "words": words}, **more)

    async def add(self, order: str, words: str, **more: Any) -> Answer | None:
        """One line more for an order."""
        return await self.send({"kind": "add_line", "order": order, "words": words}, **more)

    async def change(self, line: str, note: str, **more: Any) -> Answer | None:
        """New words for a line, in place of those before."""
        return await self.send({"kind": "change_line", "line": line, "note": note}, **more)

    async def cancel(self, name: str, **more: Any) -> Answer | None:
        """Cancel an order, or a line of it."""
        return await self.send({"kind": "cancel", "name": name}, **more)

    async def instruct(self, words: str, **more: Any) -> Answer | None:
        """Tell the orchestrator, as the supervisor, how you would have it work."""
        return await self.send({"kind": INSTRUCT, "words": words}, **more)

    async def status(self) -> dict[str, Any] | None:
        """Return what the orchestrator published last as plain data; None before that.

        `cookmas.status.status_of` says too whether it is still alive, and what waits.
        """
        return await self._box.status()

    async def quarantine(self) -> Sequence[Quarantined]:
        """Return what came to the kitchen and cannot be read, the newest first."""
        return await self._box.quarantine()

    async def quarantined(self) -> int:
        """Return how much that was since the quarantine was emptied last."""
        return await self._box.quarantined()

    async def empty_quarantine(self) -> None:
        """Forget what is in the quarantine."""
        await self._box.empty_quarantine()

    async def close(self) -> None:
        """Let the kitchen take no more messages; it ends once the open lines are served."""
        await self._box.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._box.leave()


class Client:
    """The same for programs without an event loop."""

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
        """Send any event."""
        return self._run(self._client.send(event, **more))

    def order(self, words: str, **more: Any) -> Answer | None:
        """Order: `2 Classic Burger: no onion, well done; 1 French Fries`."""
        return self._run(self._client.order(words, **more))

    def add(self, order: str, words: str, **more: Any) -> Answer | None:
        """One line more for an order."""
        return self._run(self._client.add(order, words, **more))

    def change(self, line: str, note: str, **more: Any) -> Answer | None:
        """New words for a line, in place of those before."""
        return self._run(self._client.change(line, note, **more))

    def cancel(self, name: str, **more: Any) -> Answer | None:
        """Cancel an order, or a line of it."""
        return self._run(self._client.cancel(name, **more))

    def instruct(self, words: str, **more: Any) -> Answer | None:
        """Tell the orchestrator, as the supervisor, how you would have it work."""
        return self._run(self._client.instruct(words, **more))

    def status(self) -> dict[str, Any] | None:
        """Return what the orchestrator published last; None before that."""
        return self._run(self._client.status())

    def quarantine(self) -> Sequence[Quarantined]:
        """Return what came to the kitchen and cannot be read, the newest first."""
        return self._run(self._client.quarantine())

    def quarantined(self) -> int:
        """Return how much that was since the quarantine was emptied last."""
        return self._run(self._client.quarantined())

    def empty_quarantine(self) -> None:
        """Forget what is in the quarantine."""
        self._run(self._client.empty_quarantine())

    def close(self) -> None:
        """Let the kitchen take no more messages."""
        self._run(self._client.close())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)


def _user() -> str:
    """The name of the user of this process."""
    try:
        return getpass.getuser()[:64]
    except (OSError, KeyError):
        return "guest"
