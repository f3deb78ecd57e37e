"""A sender's client of an open kitchen.

    with Client("runs/open") as kitchen:
        answer = kitchen.order("2 Classic Burger: no onion; 1 French Fries")
        kitchen.cancel(answer.about)

`AsyncClient` is the same in a running event loop.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

from episodes.envelope import Answer, read_envelope
from episodes.errors import InfrastructureError, InputError
from episodes.instruction import INSTRUCT
from episodes.mailbox import Letterbox
from episodes.redis_address import is_address
from episodes.sqlite_mailbox import SqliteLetterbox
from episodes.world import Json

T = TypeVar("T")


class NoAnswerError(InfrastructureError):
    """The kitchen has not answered in time. The message is kept: ask for its answer later."""

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(f"no answer to message {id} yet; it is kept, send it again with its id")
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
    """

    def __init__(
        self, kitchen: str | Path | Letterbox, sender: str = "guest", patience: float = 30.0
    ) -> None:
        self._box = letterbox(kitchen)
        self._sender = sender
        self._patience = patience

    async def send(
        self,
        event: Json,
        id: str | None = None,  # noqa: A002
        meaning: Json | None = None,
    ) -> Answer | None:
        """Send any event. A message that is no good is refused before it is sent."""
        number = id or uuid.uuid4().hex
        try:
            envelope = read_envelope(
                {
                    "id": number,
                    "sender": self._sender,
                    "event": dict(event),
                    "meaning": None if meaning is None else dict(meaning),
                }
            )
        except InputError as error:
            return Answer(id=number, status="refused", why=str(error))
        answer = await self._box.post(envelope)
        return answer or await self._wait(envelope.id)

    async def _wait(self, id: str) -> Answer | None:  # noqa: A002
        pause = 0.005
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience
        while self._patience:
            if answer := await self._box.answer(self._sender, id):
                return answer
            if loop.time() > until:
                raise NoAnswerError(id)
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
        """Tell the orchestrator, as the head chef, how you would have it work."""
        return await self.send({"kind": INSTRUCT, "words": words}, **more)

    async def status(self) -> dict[str, Any] | None:
        """Return what the orchestrator published last as plain data; None before that.

        `cookmas.status.status_of` says too whether it is still alive, and what waits.
        """
        return await self._box.status()

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
        self, kitchen: str | Path | Letterbox, sender: str = "guest", patience: float = 30.0
    ) -> None:
        self._client = AsyncClient(kitchen, sender, patience)
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
        """Tell the orchestrator, as the head chef, how you would have it work."""
        return self._run(self._client.instruct(words, **more))

    def status(self) -> dict[str, Any] | None:
        """Return what the orchestrator published last; None before that."""
        return self._run(self._client.status())

    def close(self) -> None:
        """Let the kitchen take no more messages."""
        self._run(self._client.close())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)
