"""A sender's client of an open kitchen.

    with Client("runs/open") as kitchen:
        answer = kitchen.order("2 Classic Burger: no onion; 1 French Fries")
        kitchen.cancel(answer.about)

`AsyncClient` is the same in a running event loop. What may be ordered is the world's to say: its
messages are calls of a client.
"""

from __future__ import annotations

import asyncio
import getpass
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from cookmas.consent import check_world
from cookmas.letterboxes import letterbox
from cookmas.worlds import USUAL, WORLDS, domain_of
from episodes.instruction import INSTRUCT
from episodes.world import Json
from files.errors import InputError, NoOpenEpisodeError
from mailboxes.envelope import Answer
from mailboxes.protocol import Letterbox, Quarantined
from mailboxes.redis.address import is_address, user_of
from mailboxes.sending import NoAnswerError as NoAnswerError
from mailboxes.sending import Sender
from orchestrator.runs.folder import RUN, read_run
from worlds import capabilities
from worlds.messages import Message, message_of

T = TypeVar("T")

TOKEN = "COOKMAS_TOKEN"
"""The environment variable that has the sender's token."""


class AsyncClient:
    """Sends messages to an open kitchen, under a `sender`'s name, and waits for the answers.

    `kitchen` is the folder of its run, its address in Redis (`redis://localhost:6379/0#corner`), or
    a letterbox. A message has an `id`, made here where none
    is given: sent again with the same id it counts once. `meaning` says what its words mean, typed,
    for the judge: for each line by its number in the message, a list of wishes. `patience` are the
    seconds after which NoAnswerError is raised; 0: do not wait, and None is returned.

    What is sent are messages of the kitchen's world: `order("1 Garden Salad")` is the message
    "order" of a restaurant with its one field, and the same as `say("order", "1 Garden Salad")` or
    `order(words="1 Garden Salad")`. The world is that of the kitchen; where that is not known, as
    of a letterbox, it is the `world` that is given, by default the restaurant.

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
        world: str | None = None,
    ) -> None:
        self._kitchen = kitchen
        self._world = world
        self._messages: Sequence[Message] | None = None
        self._box = letterbox(kitchen)
        otherwise = user_of(kitchen) or _user()
        self._sender = Sender(
            self._box, sender, otherwise, patience, token or os.environ.get(TOKEN)
        )

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
        return await self._sender.send(event, id, meaning, on_waiting)

    async def say(
        self,
        kind: str,
        /,
        *values: str,
        id: str | None = None,  # noqa: A002
        meaning: Json | None = None,
        on_waiting: Callable[[Answer], object] | None = None,
        **fields: str,
    ) -> Answer | None:
        """Send a message of the world, with the values of its fields in their order, or by name.

        Raises InputError if the world has no such message, or that has other fields.
        """
        message = message_of(await self.messages(), kind)
        return await self.send(message.filled(values, fields), id, meaning, on_waiting)

    def __getattr__(self, kind: str) -> Callable[..., Coroutine[Any, Any, Answer | None]]:
        """Return the call that sends the message of a name."""
        if kind.startswith("_"):
            raise AttributeError(kind)

        async def call(*values: str, **more: Any) -> Answer | None:
            return await self.say(kind, *values, **more)

        return call

    async def messages(self) -> Sequence[Message]:
        """Return the messages that customers of this world send.

        Raises CookMASError if its world cannot be had.
        """
        if self._messages is None:
            spec = self._world or await self._played() or USUAL
            self._messages = capabilities.messages(await asyncio.to_thread(domain_of, spec))
        return self._messages

    async def _played(self) -> str | None:
        """Return the world of the kitchen, None if it cannot be known yet."""
        if is_address(self._kitchen):
            from cookmas.redis import world_at

            try:
                named = await world_at(str(self._kitchen))
            except NoOpenEpisodeError:
                return None
            if named is not None and named not in WORLDS:
                raise InputError("world", f"{named} is from outside: name it to be imported")
            return named
        if not isinstance(self._kitchen, str | Path):
            return None
        folder = Path(self._kitchen)
        if not (folder / RUN).exists():
            return None
        file = await asyncio.to_thread(read_run, folder)
        check_world(folder, file)
        return file.world

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
        world: str | None = None,
    ) -> None:
        self._client = AsyncClient(kitchen, sender, patience, token, world)
        self._runner = asyncio.Runner()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *raised: object) -> None:
        self._runner.run(self._client.__aexit__(*raised))
        self._runner.close()

    def send(self, event: Mapping[str, Any], **more: Any) -> Answer | None:
        """Send any event."""
        return self._run(self._client.send(event, **more))

    def say(self, kind: str, /, *values: str, **more: Any) -> Answer | None:
        """Send a message of the world, with the values of its fields."""
        return self._run(self._client.say(kind, *values, **more))

    def __getattr__(self, kind: str) -> Callable[..., Answer | None]:
        """Return the call that sends the message of a name."""
        if kind.startswith("_"):
            raise AttributeError(kind)

        def call(*values: str, **more: Any) -> Answer | None:
            return self.say(kind, *values, **more)

        return call

    def messages(self) -> Sequence[Message]:
        """Return the messages that customers of this world send."""
        return self._run(self._client.messages())

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
