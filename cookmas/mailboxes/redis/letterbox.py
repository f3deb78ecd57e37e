"""The sender's side of an episode in Redis, and of the operator, who creates it there."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import unquote

from cookmas.episodes.world import Json
from cookmas.files.errors import InputError, MissingError, NoOpenEpisodeError, NotAllowedError
from cookmas.files.plain import pack
from cookmas.mailboxes.protocol import (
    CLOSED,
    ENDED,
    OPERATOR,
    Answer,
    Backlog,
    Envelope,
    Quarantined,
    find_refusal,
    proof_of,
    read_plain,
    refusal,
)
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.records import (
    MOST_BYTES,
    KnownEvent,
    StoredAnswer,
    StreamEntry,
    TakenLetter,
    key_name,
    keys_of,
    message_key,
    not_kept,
    read_entry,
    read_quarantined,
    waits,
)

WITHDRAWN_AT_ONCE = 100
"""Maximum number of messages that one script withdraws, and of entries in one read."""


OF_A_RUN = ("bell", "letters", "turns", "meanings", "ends", "quarantine")

OVER: Mapping[str | None, str] = {"over": CLOSED, "ended": ENDED}
"""The values of the field with the empty id in `out:SENDER` if the episode is over, with the reason
for which its messages are refused.
"""

UNBOUND = "*"
"""The value in place of a sender's proof until the first message under the sender's name."""

MOST_POSTED = 4096
"""Maximum number of messages whose stream entries a letterbox remembers."""

NOTHING: Json = MappingProxyType({})


async def create_episode(
    link: RedisLink,
    episode: str,
    run: str,
    known: Iterable[tuple[int, Json]] = (),
    setup: Json = NOTHING,
) -> None:
    """Create an episode in Redis for a run, with the events that are known beforehand.

    `setup` is the world as plain data, for displays of the status. A repeated call changes nothing.
    Raise InputError if the name belongs to another run that is not over, or to another version of
    CookMAS.
    """
    due = sorted(known, key=lambda item: item[0])
    events = [KnownEvent(due=timestep, event=dict(event)).text() for timestep, event in due]
    own = ("guests", "registered", "status", "setup", "house", "known", "lease", "episode")
    keys, token = keys_of(episode, *own, *OF_A_RUN), secrets.token_urlsafe(24)
    arguments = (run, pack(dict(setup)).decode(), token, proof_of(token), *events)
    owner = await link.script("create", keys, *arguments)
    if owner is None:
        raise InputError(
            f"episode {episode}",
            f"another version of CookMAS left its keys in Redis at {link.where}; finish that run "
            "with that version, or name another episode",
        )
    if owner != run:
        raise InputError(
            f"episode {episode}",
            f"another run has it in Redis at {link.where}; continue that one, or name another",
        )


class _Found(NamedTuple):
    """The records in Redis about a message."""

    state: str | None
    """The state of the episode, open or one of OVER; None if the sender is not registered."""
    settled: StoredAnswer | None
    refused: StoredAnswer | None
    """The refusal of a message that was deleted."""
    waiting: StoredAnswer | None
    """The preliminary answer, with the message's place in the queue."""


class RedisLetterbox:
    """The sender's side of an episode in Redis.

    Methods raise NoOpenEpisodeError if there is no episode of this name.
    """

    def __init__(self, link: RedisLink, episode: str) -> None:
        self._link = link
        self._episode = episode
        self._posted: dict[str, str] = {}

    async def post(self, envelope: Envelope) -> Answer | None:
        found, proved = await self._find(envelope), True
        if found.settled:
            return found.settled.tell(envelope).repeat()
        if found.state is None:
            proof = envelope.proof or ""
            proved = await self.register(envelope.sender, proof) == proof
            found = await self._find(envelope)
        if why := find_refusal(proved=proved, over=OVER.get(found.state)):
            return refusal(envelope, why)
        (inbox,) = keys_of(self._episode, f"in:{key_name(envelope.sender)}")
        fields: Any = {
            "id": envelope.id,
            "event": pack(envelope.event).decode(),
            "meaning": "" if envelope.meaning is None else pack(envelope.meaning).decode(),
            "proof": envelope.proof or "",
        }
        try:
            entry = await self._link.run(lambda redis: redis.xadd(inbox, fields))
        except NotAllowedError:
            raise self._unregistered_error(envelope.sender) from None
        self._posted[message_key(envelope.sender, envelope.id)] = str(entry)
        if len(self._posted) > MOST_POSTED:
            del self._posted[next(iter(self._posted))]
        return None

    async def answer(self, envelope: Envelope) -> Answer | None:
        found = await self._find(envelope)
        if found.settled:
            return found.settled.tell(envelope)
        entry = self._posted.get(message_key(envelope.sender, envelope.id))
        if found.refused and found.refused.entry == entry:
            return found.refused.answer
        if why := OVER.get(found.state):
            return refusal(envelope, why)
        return found.waiting.tell(envelope) if found.waiting else None

    async def register(self, sender: str, proof: str) -> str:
        """Register a sender, and return the proof to which the sender's name is bound.

        A new name is bound to `proof`, the digest of the sender's token. Raise MissingError if
        there is no open episode, or if only the operator may register senders.
        """
        try:
            return await self._register(sender, proof, lasting=False)
        except NotAllowedError:
            raise self._unregistered_error(sender) from None
        except MissingError:
            raise self._missing_error() from None

    async def admit(self, sender: str) -> None:
        """Register a sender for this run and later runs.

        From then on, the sender's first message binds the sender's name to the token of the
        message.
        """
        await self._register(sender, UNBOUND, lasting=True)

    async def _register(self, sender: str, proof: str, *, lasting: bool) -> str:
        name = key_name(sender)
        keys = keys_of(self._episode, f"out:{name}", "guests", "registered", "bell", "episode")
        return str(await self._link.script("register", keys, name, proof, int(lasting)))

    async def close(self) -> None:
        keys = keys_of(self._episode, "guests", "ends", "bell", "episode")
        if not await self._link.script("close", keys):
            raise self._missing_error()

    async def status(self) -> dict[str, Any] | None:
        text = await self._read("status")
        if text == "null":
            return None
        return read_plain(f"the status of episode {self._episode}", text)

    async def setup(self) -> dict[str, Any]:
        """Return the world as plain data."""
        return read_plain(f"the setup of episode {self._episode}", await self._read("setup"))

    async def _read(self, part: str) -> str:
        (key,) = keys_of(self._episode, part)
        text = await self._link.run(lambda redis: redis.get(key))
        if text is None:
            raise self._missing_error()
        return str(text)

    async def backlog(self) -> Backlog:
        letters, *keys = keys_of(self._episode, "letters", "guests", "episode")
        numbered: Any = await self._link.run(lambda redis: redis.hgetall(letters))
        taken: list[str] = []
        for number, text in numbered.items():
            with suppress(InputError):
                letter = TakenLetter.read(number, text)
                taken += [letter.name, letter.entry]
        waiting, oldest = await self._link.script("backlog", keys, *taken)
        return Backlog(int(waiting), float(oldest) if oldest else None)

    async def withdraw(self, sender: str | None = None, id: str | None = None) -> int:  # noqa: A002
        """Withdraw all waiting messages, or only those of a sender or id; return their number.

        An entry that cannot be read is a message without an id: it is deleted unless `id` is given.
        """
        (guests,) = keys_of(self._episode, "guests")
        known: Any = await self._link.run(lambda redis: redis.hkeys(guests))
        names = [name for name in known if sender is None or name == key_name(sender)]
        keys = keys_of(self._episode, "letters", "bell", "episode")
        count = 0
        for name in names:
            async for entries in self._entries(name):
                arguments = [unquote(name), name]
                for entry in entries:
                    envelope = _envelope_of(unquote(name), entry)
                    if id is None or (envelope and id == envelope.id):
                        answered = (envelope.id, _withdrawal_of(envelope)) if envelope else ("", "")
                        arguments += [entry.id, *answered]
                if len(arguments) > 2:
                    count += int(await self._link.script("withdraw", keys, *arguments))
        return count

    async def _entries(self, name: str) -> AsyncIterator[list[StreamEntry]]:
        """Yield the entries of a sender's stream in parts of bounded size."""
        keys, last = keys_of(self._episode, f"in:{name}"), "0-0"
        limits = (WITHDRAWN_AT_ONCE, MOST_BYTES)
        while found := await self._link.script("waiting", keys, last, *limits):
            yield [StreamEntry(*entry) for entry in found]
            last = found[-1][0]

    async def house_token(self) -> str | None:
        (house,) = keys_of(self._episode, OPERATOR)
        try:
            token = await self._link.run(lambda redis: redis.get(house))
        except NotAllowedError:
            return None
        return None if token is None else str(token)

    async def quarantine(self) -> Sequence[Quarantined]:
        (quarantine,) = keys_of(self._episode, "quarantine")
        texts: Any = await self._link.run(lambda redis: redis.lrange(quarantine, 0, -1))
        return [read_quarantined(text) for text in texts]

    async def count_quarantined(self) -> int:
        (episode,) = keys_of(self._episode, "episode")
        count = await self._link.run(lambda redis: redis.hget(episode, "quarantined"))
        return int(count or 0)

    async def empty_quarantine(self) -> None:
        await self._link.script("discard", keys_of(self._episode, "quarantine", "episode"))

    async def leave(self) -> None:
        await self._link.close()

    async def _find(self, envelope: Envelope) -> _Found:
        (out,) = keys_of(self._episode, f"out:{key_name(envelope.sender)}")
        fields = ["", envelope.id, not_kept(envelope.id), waits(envelope.id)]
        try:
            found: Any = await self._link.run(lambda redis: redis.hmget(out, fields))
        except NotAllowedError:
            raise self._unregistered_error(envelope.sender) from None
        state, *texts = found
        return _Found(state, *(StoredAnswer.read(text) if text else None for text in texts))

    def _missing_error(self) -> NoOpenEpisodeError:
        return NoOpenEpisodeError(
            f"there is no open episode {self._episode!r} in Redis at {self._link.where}"
        )

    def _unregistered_error(self, sender: str) -> MissingError:
        return MissingError(
            f"Redis at {self._link.where} has no open episode {self._episode!r} in which this user "
            f"may speak as {sender!r}; the house registers a guest with 'cookmas guest add'"
        )


def _envelope_of(sender: str, entry: StreamEntry) -> Envelope | None:
    """Return the message of an entry; None if it cannot be read."""
    try:
        return read_entry(sender, entry).envelope
    except InputError:
        return None


def _withdrawal_of(envelope: Envelope) -> str:
    return StoredAnswer.to(envelope, Answer(id=envelope.id, status="withdrawn")).text()


def guest_rules(episode: str, sender: str, secret: str) -> str:
    """Return the line for the server's access list that lets a guest send and get answers.

    `secret` is the guest's password for the server.
    """
    name = key_name(sender)
    keys = keys_of(episode, f"in:{name}", f"out:{name}", "status", "setup", "lease")
    allowed = " ".join(f"~{key}" for key in keys)
    return f"user {name} on >{secret} {allowed} -@all {GUEST_COMMANDS}"


GUEST_COMMANDS = "+auth +hello +ping +select +get +hmget +time +xadd"
"""The commands that a guest may use.

The whole category @connection is not allowed, because it would let a guest disconnect others.
"""
