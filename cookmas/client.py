"""Client of an open episode, for one sender.

    with Client("runs/open") as episode:
        answer = episode.order("2 Classic Burger: no onion; 1 French Fries")
        episode.cancel(answer.about)

`AsyncClient` is the same for a running event loop. A client has a method for each kind of message
that the episode's world defines.
"""

from __future__ import annotations

import asyncio
import getpass
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from cookmas.episodes.instruction import INSTRUCT
from cookmas.episodes.messages import MessageForm, message_of
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError, NoOpenEpisodeError
from cookmas.mailboxes.protocol import Answer, Letterbox, Quarantined
from cookmas.mailboxes.redis.address import is_address, user_of
from cookmas.mailboxes.sending import NoAnswerError as NoAnswerError
from cookmas.mailboxes.sending import Sender
from cookmas.orchestrator.runs.addresses import letterbox
from cookmas.orchestrator.runs.consent import check_world
from cookmas.orchestrator.runs.folder import RUN, read_run
from cookmas.world_names import USUAL, WORLDS, domain_of

T = TypeVar("T")

TOKEN = "COOKMAS_TOKEN"
"""The environment variable with the sender's token."""


class AsyncClient:
    """Client that sends messages to an open episode under a `sender`'s name and waits for the
    answers.

    `where` is the folder of the open run, its address in Redis
    (`redis://localhost:6379/0#corner`), or a letterbox. Every message has an `id`, a random one by
    default; a message that is sent again with the same id counts once. `meaning` tells the judge
    the meaning of the words: a list of wishes, as plain data, for each line by its number in
    the message. `patience` is the time in seconds after which NoAnswerError is raised; with 0 the
    client does not wait and returns None.

    The episode's world defines the messages. For example, `order("1 Garden Salad")` sends the
    message "order" of a restaurant with its only field, as `say("order", "1 Garden Salad")` and
    `order(words="1 Garden Salad")` do. If the client cannot read the name of the world, as with a
    letterbox, it uses `world`, by default the restaurant.

    The first message under a name binds the name to the sender's `token`, by default the value of
    the environment variable COOKMAS_TOKEN. From then on only messages with this token are taken
    under the name. "house" is the name of the episode's owner, and only a process that can read the
    house's token may use it. If `sender` is None, such a process sends as "house", and any other
    under the name of its user.
    """

    def __init__(
        self,
        where: str | Path | Letterbox,
        sender: str | None = "guest",
        patience: float = 30.0,
        token: str | None = None,
        world: str | None = None,
    ) -> None:
        self._where = where
        self._world = world
        self._messages: Sequence[MessageForm] | None = None
        self._box = letterbox(where)
        otherwise = user_of(where) or _find_user()
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
        """Send any event and return its answer. An invalid message is refused before it is sent.

        If the message must wait, `on_waiting` is called once with an answer that has the message's
        place in the queue.
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
        """Send the world's message `kind` with the values of its fields, in order or by name.

        Raises InputError if the world has no such message or the message has other fields.
        """
        message = message_of(await self.messages(), kind)
        return await self.send(message.fill(values, fields), id, meaning, on_waiting)

    def __getattr__(self, kind: str) -> Callable[..., Coroutine[Any, Any, Answer | None]]:
        """Return a function that sends the world's message `kind`."""
        if kind.startswith("_"):
            raise AttributeError(kind)

        async def call(*values: str, **more: Any) -> Answer | None:
            return await self.say(kind, *values, **more)

        return call

    async def messages(self) -> Sequence[MessageForm]:
        """Return the kinds of messages that senders may send to the episode's world.

        Raises CookMASError if the world cannot be loaded.
        """
        if self._messages is None:
            spec = self._world or await self._read_world() or USUAL
            domain = await asyncio.to_thread(domain_of, spec)
            self._messages = domain.messages()
        return self._messages

    async def _read_world(self) -> str | None:
        """Return the name of the episode's world; None if the episode does not name it yet."""
        if is_address(self._where):
            from cookmas.orchestrator.runs.addresses import world_at

            try:
                named = await world_at(str(self._where))
            except NoOpenEpisodeError:
                return None
            if named is not None and named not in WORLDS:
                raise InputError("world", f"{named} is from outside: name it to be imported")
            return named
        if not isinstance(self._where, str | Path):
            return None
        folder = Path(self._where)
        if not (folder / RUN).exists():
            return None
        file = await asyncio.to_thread(read_run, folder)
        check_world(folder, file)
        return file.world

    async def instruct(self, words: str, **more: Any) -> Answer | None:
        """Instruct the orchestrator, as the supervisor, and return its answer.

        `more`, the answer None and the errors are those of `AsyncClient.send`.
        """
        return await self.send({"kind": INSTRUCT, "words": words}, **more)

    async def status(self) -> dict[str, Any] | None:
        """Return the last published status as plain data; None before the first one.

        `cookmas.status.status_of` also tells whether the orchestrator is alive, and how many
        messages wait.
        """
        return await self._box.status()

    async def quarantine(self) -> Sequence[Quarantined]:
        """Return the messages that the episode received and cannot read, newest first."""
        return await self._box.quarantine()

    async def count_quarantined(self) -> int:
        """Return the number of messages that entered the quarantine since it was last emptied."""
        return await self._box.count_quarantined()

    async def empty_quarantine(self) -> None:
        """Delete the messages in quarantine."""
        await self._box.empty_quarantine()

    async def close(self) -> None:
        """Let the episode take no more messages. It ends after the open lines are served."""
        await self._box.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._box.leave()


class Client:
    """Client for programs without an event loop; its methods are those of AsyncClient."""

    def __init__(
        self,
        where: str | Path | Letterbox,
        sender: str | None = "guest",
        patience: float = 30.0,
        token: str | None = None,
        world: str | None = None,
    ) -> None:
        self._client = AsyncClient(where, sender, patience, token, world)
        self._runner = asyncio.Runner()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *raised: object) -> None:
        self._runner.run(self._client.__aexit__(*raised))
        self._runner.close()

    def send(self, event: Mapping[str, Any], **more: Any) -> Answer | None:
        """Send any event and return its answer."""
        return self._run(self._client.send(event, **more))

    def say(self, kind: str, /, *values: str, **more: Any) -> Answer | None:
        """Send the world's message `kind` with the values of its fields."""
        return self._run(self._client.say(kind, *values, **more))

    def __getattr__(self, kind: str) -> Callable[..., Answer | None]:
        """Return a function that sends the world's message `kind`."""
        if kind.startswith("_"):
            raise AttributeError(kind)

        def call(*values: str, **more: Any) -> Answer | None:
            return self.say(kind, *values, **more)

        return call

    def messages(self) -> Sequence[MessageForm]:
        """Return the kinds of messages that senders may send to the episode's world."""
        return self._run(self._client.messages())

    def instruct(self, words: str, **more: Any) -> Answer | None:
        """Instruct the orchestrator, as the supervisor, and return its answer.

        `more`, the answer None and the errors are those of `AsyncClient.send`.
        """
        return self._run(self._client.instruct(words, **more))

    def status(self) -> dict[str, Any] | None:
        """Return the last published status; None before the first one."""
        return self._run(self._client.status())

    def quarantine(self) -> Sequence[Quarantined]:
        """Return the messages that the episode received and cannot read, newest first."""
        return self._run(self._client.quarantine())

    def count_quarantined(self) -> int:
        """Return the number of messages that entered the quarantine since it was last emptied."""
        return self._run(self._client.count_quarantined())

    def empty_quarantine(self) -> None:
        """Delete the messages in quarantine."""
        self._run(self._client.empty_quarantine())

    def close(self) -> None:
        """Stop the episode from taking messages."""
        self._run(self._client.close())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)


def _find_user() -> str:
    try:
        return getpass.getuser()[:64]
    except (OSError, KeyError):
        return "guest"
