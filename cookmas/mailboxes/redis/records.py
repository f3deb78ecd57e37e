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
from typing import Any, NamedTuple, Self, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, StrictInt, TypeAdapter, ValidationError

from cookmas.episodes.world import digest
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.files.lines import preview
from cookmas.files.plain import pack
from cookmas.mailboxes.protocol import (
    Answer,
    Envelope,
    Letter,
    Quarantined,
    answer_again,
    read_plain,
    read_stored,
)


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
    bytes: int
    fields: Sequence[str]
    """Names and values of the fields, alternately; shortened if the entry is too large."""

    def preview(self) -> str:
        """Return the beginning of the entry as text, without the sender's proof."""
        pairs = zip(self.fields[::2], [*self.fields[1::2], ""], strict=False)
        return preview(", ".join(f"{n[:60]}={v[:200]}" for n, v in pairs if n != "proof"))


class Waiting(NamedTuple):
    """A message that waits to be taken, with the id of its stream entry."""

    entry: str
    envelope: Envelope

    @property
    def key(self) -> str:
        """Unique key of the message."""
        return message_key(self.envelope.sender, self.envelope.id)


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
    return Waiting(entry.id, read_stored({**data, "sender": sender}))


class StoredRecord(BaseModel):
    """A record that only the orchestrator and the operator write."""

    model_config = ConfigDict(frozen=True)

    def text(self) -> str:
        """Return the JSON text that Redis stores."""
        return pack(self.model_dump()).decode()


RecordT = TypeVar("RecordT", bound=StoredRecord)


def _read(record: type[RecordT], where: str, damage: str, text: str, **more: str) -> RecordT:
    """Return the record in a stored text. Raise InputError, with the `damage`, if there is none."""
    data = read_plain(where, text)
    try:
        return record.model_validate({**data, **more})
    except ValidationError:
        raise InputError(where, damage) from None


class KnownEvent(StoredRecord):
    """An event that is known beforehand, with the first timestep at which it is taken."""

    due: StrictInt
    event: dict[str, Any]

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the event in a stored text. Raise InputError if the text is damaged."""
        return _read(cls, "known event", "has no timestep or no event", text)


class TakenLetter(StoredRecord):
    """A letter, with data of the message that it came from.

    A letter that is a known event has neither sender nor entry. Redis stores the `number` and the
    `meaning`, as JSON, elsewhere.
    """

    number: int = Field(exclude=True)
    timestep: int
    event: dict[str, Any]
    sender: str | None
    entry: str
    id: str
    digest: str
    """Digest of the event."""
    meaning: str = Field(default="", exclude=True)

    @classmethod
    def of_known(cls, event: dict[str, Any], number: int, timestep: int) -> Self:
        """Return the letter for an event that was known beforehand."""
        said = dict.fromkeys(("entry", "id", "digest"), "")
        return cls(number=number, timestep=timestep, event=event, sender=None, **said)

    @classmethod
    def of(cls, waiting: Waiting, number: int, timestep: int) -> Self:
        """Return the letter for a waiting message, with a number and a timestep."""
        envelope = waiting.envelope
        return cls(
            number=number,
            timestep=timestep,
            event=envelope.event,
            sender=envelope.sender,
            entry=waiting.entry,
            id=envelope.id,
            digest=digest(envelope.event),
            meaning="" if envelope.meaning is None else pack(envelope.meaning).decode(),
        )

    @classmethod
    def read(cls, number: str, text: str) -> Self:
        """Return the letter in a stored text, without the meaning of its event.

        Raise InputError if the text is damaged.
        """
        return _read(cls, f"letter {number}", "is no letter", text, number=number, meaning="")

    @property
    def key(self) -> str:
        """Unique key of the letter's message."""
        return message_key(self.sender or "", self.id)

    @property
    def name(self) -> str:
        """The sender's name as a part of a key; empty if there is no sender."""
        return key_name(self.sender or "")

    def moved_to(self, entry: str) -> Self:
        """Return this letter of a message that was sent again, in another entry."""
        return self.model_copy(update={"entry": entry})

    def letter(self, waited: float | None = None) -> Letter:
        """Return the letter as the episode takes it, after its message `waited` seconds."""
        return Letter(
            number=self.number,
            timestep=self.timestep,
            event=self.event,
            injected=self.sender is not None,
            sender=self.sender,
            waited=waited,
        )


class StoredAnswer(BaseModel):
    """A stored answer to a message."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    """Digest of the message's event."""
    answer: Answer
    number: int | None = None
    """Number of the message's letter; None if the message was refused before it was taken."""
    entry: str | None = None
    """Id of the stream entry of a message that was refused and deleted; None for others."""

    @classmethod
    def to(cls, envelope: Envelope, answer: Answer, entry: str | None = None) -> Self:
        """Return the record of an answer to a message that has not been taken."""
        return cls(digest=digest(envelope.event), answer=answer, entry=entry)

    @classmethod
    def read(cls, text: str) -> Self:
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


def follows(entry: str, last: str) -> bool:
    """Return whether an entry id comes after another; every id comes after an empty one."""
    return not last or _order(entry) > _order(last)


def time_of(entry: str) -> float | None:
    """Return when Redis added an entry, in seconds since 1970; None if its id does not say it."""
    milliseconds = entry.partition("-")[0]
    return int(milliseconds) / 1000 if milliseconds.isdecimal() else None


def _order(entry: str) -> tuple[int, ...]:
    return tuple(int(part) for part in entry.split("-"))


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
