"""A sender's side of a kitchen in Redis, and the keys under which a kitchen is there.

Under `cookmas:NAME:` are
- `orders`, the stream of messages, from posting until a checkpoint that holds them is durable;
- `messages`, what is known of each message by sender and id, its answer included, for good;
- `letters`, those numbered but not settled yet, `meanings`, what the judge is told of them;
- `senders` and `turns`, how much of each waits, and when each was heard last;
- `known`, the events that are known beforehand; `kitchen`, whose it is and whether it is closed;
- `lease`, who plays it, with the number and the time of the last heartbeat;
- `status`, how the kitchen stands, and `results`, the stream of answers, for everybody to read.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

from episodes.envelope import MOST_WAITING, Answer, Envelope, packed
from episodes.errors import InputError, NoKitchenError
from episodes.mailbox import CLOSED, FLOODED, REUSED, Backlog
from episodes.redis_link import RedisLink
from episodes.world import Json, digest

OF_A_RUN = ("messages", "letters", "senders", "turns", "meanings", "status")

NOTHING: Json = MappingProxyType({})


def keys_of(kitchen: str, *parts: str) -> list[str]:
    """The keys of a kitchen. Raises InputError if its name is none."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", kitchen):
        raise InputError("kitchen", "a name has letters, digits, '_', '.' and '-', at most 64")
    return [f"cookmas:{kitchen}:{part}" for part in parts]


def message_key(sender: str, id: str) -> str:  # noqa: A002
    """The field of a message, whose ids are its sender's own."""
    return packed([sender, id]).decode()


async def create_kitchen(
    link: RedisLink,
    kitchen: str,
    run: str,
    known: Iterable[tuple[int, Json]] = (),
    setup: Json = NOTHING,
) -> None:
    """Open a kitchen under its name for a run, with the events that are known beforehand.

    `setup` is the world that is played, as whoever looks at the status needs it. Doing it again
    changes nothing. Raises InputError if the name is that of another run which is not over.
    """
    due = sorted(known, key=lambda item: item[0])
    events = [packed({"due": timestep, "event": dict(event)}).decode() for timestep, event in due]
    keys = keys_of(kitchen, "orders", "kitchen", "known", "lease", *OF_A_RUN)
    if await link.script("create", keys, run, packed(dict(setup)).decode(), *events) != run:
        raise InputError(
            f"kitchen {kitchen}",
            f"another run has it in Redis at {link.where}; go on with that one, or name another",
        )


class RedisLetterbox:
    """A sender's side of a kitchen in Redis. Raises NoKitchenError if there is none of its name."""

    def __init__(self, link: RedisLink, kitchen: str, most_waiting: int = MOST_WAITING) -> None:
        self._link = link
        self._kitchen = kitchen
        self._most_waiting = most_waiting

    async def post(self, envelope: Envelope) -> Answer | None:
        """Send a message; on return it is kept. The answer, where there is one already."""
        keys = keys_of(self._kitchen, "orders", "messages", "senders", "kitchen")
        what, detail = await self._link.script(
            "post",
            keys,
            message_key(envelope.sender, envelope.id),
            envelope.sender,
            envelope.id,
            packed(envelope.event).decode(),
            digest(envelope.event),
            "" if envelope.meaning is None else packed(envelope.meaning).decode(),
            self._most_waiting,
        )
        if what == "absent":
            raise self._missing()
        if what == "answered":
            return Answer.model_validate_json(detail).again()
        why = {"reused": REUSED, "closed": CLOSED, "flooded": FLOODED}.get(what)
        return Answer(id=envelope.id, status="refused", why=why) if why else None

    async def answer(self, sender: str, id: str) -> Answer | None:  # noqa: A002
        """What the sender of a message is told; None as long as it waits, or was never sent."""
        (messages,) = keys_of(self._kitchen, "messages")
        text = await self._link.run(lambda redis: redis.hget(messages, message_key(sender, id)))
        answer = json.loads(text).get("answer") if text else None
        return Answer.model_validate_json(answer) if answer else None

    async def close(self) -> None:
        """Take no more messages; the episode ends once what has been taken is served."""
        if not await self._link.script("close", keys_of(self._kitchen, "orders", "kitchen")):
            raise self._missing()

    async def status(self) -> dict[str, Any] | None:
        """How the episode stands, as it was last published; None before that.

        Raises NoKitchenError if there is no kitchen.
        """
        (status,) = keys_of(self._kitchen, "status")
        text = await self._link.run(lambda redis: redis.get(status))
        if text is None:
            await self.setup()
        return json.loads(text) if text else None

    async def backlog(self) -> Backlog:
        """Return how many messages wait to be taken; since when the oldest waits for its answer."""
        orders, senders = keys_of(self._kitchen, "orders", "senders")
        counts = await self._link.run(lambda redis: redis.hvals(senders))
        oldest = await self._link.run(lambda redis: redis.xrange(orders, count=1))
        waiting = sum(map(int, counts))
        if not waiting or not oldest:
            return Backlog(waiting, None)
        sent = int(str(oldest[0][0]).partition("-")[0]) / 1000
        return Backlog(waiting, max(0.0, time.time() - sent))

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Raise InputError: messages in Redis cannot be withdrawn."""
        raise InputError(
            f"kitchen {self._kitchen}", "messages in Redis cannot be withdrawn; close the kitchen"
        )

    async def setup(self) -> dict[str, Any]:
        """The world that is played, as plain data. Raises NoKitchenError if there is no kitchen."""
        (kitchen,) = keys_of(self._kitchen, "kitchen")
        text = await self._link.run(lambda redis: redis.hget(kitchen, "setup"))
        if text is None:
            raise self._missing()
        return dict(json.loads(text))

    async def leave(self) -> None:
        """Close the connections."""
        await self._link.close()

    def _missing(self) -> NoKitchenError:
        return NoKitchenError(
            f"there is no open kitchen {self._kitchen!r} in Redis at {self._link.where}"
        )
