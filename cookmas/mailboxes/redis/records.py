"""What Redis holds for an episode, read from its stored form: entries, letters and answers.

Each sender has a stream, in which an entry is a message. A letter is a message or a known event
that the episode has taken, with a permanent number.

All keys begin with `cookmas:NAME:`. A sender may use these, the first two only under its own name:
- `in:SENDER`: the stream of the sender's messages. A message stays there until a checkpoint that
  contains it is durable.
- `out:SENDER`: the records of the sender's messages by id, with the answers. The field with the
  empty id says whether the episode is open, over since it was closed, or has ended by itself. An
  empty record stands for an answer that Redis has lost.
- `status`: the published status; `setup`: the world; `lease`: the orchestrator, with the number and
  the time of its last heartbeat. A sender only reads these.

Only the orchestrator and the operator use the other keys:
- `guests`: the proof of each sender; `registered`: the senders that the operator registered for
  later runs too; `house`: the token of the operator.
- `letters`: the letters that are not settled, and the last settled ones; `meanings`: the meanings
  of letters for the judge; `turns`: the last turn of each sender; `done:SENDER`: the fields of
  `out:SENDER`, in order.
- `known`: the events that are known beforehand; `episode`: the run that owns the episode, and
  whether the episode is closed; `ends`: the last entry of each stream at the closing.
- `bell`: wakes the orchestrator; `quarantine`: the entries that could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, TypeAdapter

from cookmas.episodes.world import digest
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.files.lines import preview
from cookmas.files.plain import pack
from cookmas.mailboxes.envelope import Answer, Envelope, read_plain, read_stored
from cookmas.mailboxes.protocol import Letter, Quarantined, answer_again


def keys_of(episode: str, *parts: str) -> list[str]:
    """Return the keys of the given parts of an episode. Raise InputError if its name is invalid."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", episode):
        raise InputError("episode", "a name has letters, digits, '_', '.' and '-', at most 64")
    return [f"cookmas:{episode}:{part}" for part in parts]


def key_name(sender: str) -> str:
    """Return a sender's name, percent-encoded as a part of a key."""
    return quote(sender, safe="")


def message_key(sender: str, id: str) -> str:  # noqa: A002
    """Return the unique key of a message: an id alone is unique only for one sender."""
    return pack([sender, id]).decode()


_QUARANTINED = TypeAdapter(Quarantined)

MOST_BYTES = 65_536
"""Maximum size of an entry, in bytes; a message sent by CookMAS is always smaller."""


class StreamEntry(NamedTuple):
    """An entry of a sender's stream, as it was read from Redis."""

    id: str
    """Id of the entry."""
    bytes: int
    """Size of the entry, in bytes."""
    fields: Sequence[str]
    """Names and values of the fields, alternately; shortened if the entry is too large."""

    def preview(self) -> str:
        """Return the beginning of the entry as text, without the sender's proof."""
        pairs = zip(self.fields[::2], [*self.fields[1::2], ""], strict=False)
        return preview(", ".join(f"{n[:60]}={v[:200]}" for n, v in pairs if n != "proof"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A message that waits to be taken."""

    entry: str
    """Id of the message's stream entry."""
    envelope: Envelope
    """The message."""

    @property
    def key(self) -> str:
        """Unique key of the message."""
        return message_key(self.envelope.sender, self.envelope.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenLetter:
    """A letter, with data of the message that it came from."""

    letter: Letter
    """The letter."""
    entry: str = ""
    """Id of the message's stream entry; empty if the letter is a known event."""
    id: str = ""
    """Id of the message."""
    digest: str = ""
    """Digest of the event."""
    meaning: str = ""
    """The meaning of the event as JSON; empty if there is none."""

    @classmethod
    def of(cls, waiting: Waiting, number: int, timestep: int) -> TakenLetter:
        """Return the letter for a waiting message, with a number and a timestep."""
        envelope = waiting.envelope
        letter = Letter(
            number=number,
            timestep=timestep,
            event=envelope.event,
            injected=True,
            sender=envelope.sender,
        )
        return cls(
            letter=letter,
            entry=waiting.entry,
            id=envelope.id,
            digest=digest(envelope.event),
            meaning="" if envelope.meaning is None else pack(envelope.meaning).decode(),
        )

    @classmethod
    def read(cls, number: str, text: str) -> TakenLetter:
        """Return the letter in a stored text, without the meaning of its event.

        Raise InputError if the text is damaged.
        """
        where = f"letter {number}"
        data = read_plain(where, text)
        try:
            sender = data["sender"]
            letter = Letter(
                number=int(number),
                timestep=int(data["timestep"]),
                event=dict(data["event"]),
                injected=sender is not None,
                sender=None if sender is None else str(sender),
            )
            texts = {name: str(data[name]) for name in ("entry", "id", "digest")}
        except (KeyError, TypeError, ValueError):
            raise InputError(where, "is no letter") from None
        return cls(letter=letter, **texts)

    @property
    def key(self) -> str:
        """Unique key of the letter's message."""
        return message_key(self.letter.sender or "", self.id)

    @property
    def name(self) -> str:
        """The sender's name as a part of a key; empty if there is no sender."""
        return key_name(self.letter.sender or "")

    def text(self) -> str:
        """Return the JSON text that Redis stores for the letter."""
        letter = self.letter
        return pack(
            {
                "timestep": letter.timestep,
                "event": letter.event,
                "sender": letter.sender,
                "entry": self.entry,
                "id": self.id,
                "digest": self.digest,
            }
        ).decode()


def read_entry(sender: str, entry: StreamEntry) -> Waiting:
    """Return the message in an entry. Raise InputError if the entry cannot be read."""
    if entry.bytes > MOST_BYTES:
        raise InputError("message", f"has {entry.bytes} bytes; {MOST_BYTES} are allowed")
    names, values = entry.fields[::2], entry.fields[1::2]
    if len(set(names)) < len(names):
        raise InputError("message", "has a duplicate field")
    if "sender" in names:
        raise InputError("message, sender", "is given by the stream, not by a field")
    data: dict[str, Any] = dict(zip(names, values, strict=True))
    return Waiting(entry=entry.id, envelope=read_stored({**data, "sender": sender}))


def read_known(text: str) -> tuple[int, dict[str, Any]]:
    """Return the timestep and the event in the stored text of a known event.

    Raise InputError if the text cannot be read.
    """
    data = read_plain("known event", text)
    due, event = data.get("due"), data.get("event")
    if type(due) is not int or not isinstance(event, dict):
        raise InputError("known event", "has no timestep or no event")
    return due, event


def follows(entry: str, last: str) -> bool:
    """Return whether an entry id comes after another; every id comes after an empty one."""
    return not last or _order(entry) > _order(last)


def time_of(entry: str) -> float | None:
    """Return when Redis added an entry, in seconds since 1970; None if its id does not say it."""
    milliseconds = entry.partition("-")[0]
    return int(milliseconds) / 1000 if milliseconds.isdecimal() else None


def _order(entry: str) -> tuple[int, ...]:
    return tuple(int(part) for part in entry.split("-"))


class StoredAnswer(BaseModel):
    """A stored answer to a message."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    """Digest of the message's event."""
    answer: Answer
    """The answer."""
    number: int | None = None
    """Number of the message's letter; None if the message was refused before it was taken."""
    entry: str | None = None
    """Id of the stream entry of a message that was refused and deleted; None for others."""

    @classmethod
    def read(cls, text: str) -> StoredAnswer:
        """Return the record in a JSON text. Raise InfrastructureError if it is damaged."""
        try:
            return cls.model_validate_json(text)
        except ValueError:
            raise InfrastructureError("the answer that Redis holds is damaged") from None

    def text(self) -> str:
        """Return the record as JSON."""
        return self.model_dump_json(exclude_none=True)

    def tell(self, envelope: Envelope) -> Answer:
        """Return the answer to a message under whose id this record is stored."""
        return answer_again(envelope, self.answer, same=self.digest == digest(envelope.event))


def read_quarantined(text: str) -> Quarantined:
    """Return the quarantine entry in a JSON text; if the text is damaged, an entry that says so."""
    try:
        return _QUARANTINED.validate_json(text)
    except ValueError:
        return Quarantined(origin="quarantine", reason="is damaged", preview=preview(text))


def waits(id: str) -> str:  # noqa: A002
    """Return the field that holds the preliminary answer to a waiting message.

    The field differs from every id, because no id contains a carriage return.
    """
    return f"\r{id}"


def not_kept(id: str) -> str:  # noqa: A002
    """Return the field that holds the refusal of a message that was deleted.

    The field differs from every id, because no id contains a line break.
    """
    return f"\n{id}"
