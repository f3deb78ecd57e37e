"""What is in the stream of orders and among the letters of a kitchen in Redis."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from episodes.envelope import Envelope, packed, read_envelope
from episodes.errors import InputError
from episodes.mailbox import Letter
from episodes.redis_letterbox import message_key
from episodes.world import digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A message that waits to be taken, and the entry of the stream in which it came."""

    entry: str
    envelope: Envelope

    @property
    def key(self) -> str:
        """The field of its message."""
        return message_key(self.envelope.sender, self.envelope.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A letter with the entry of the stream it came in, and its message's id and meaning.

    `digest` stands for its event once that is not kept any more.
    """

    letter: Letter
    entry: str = ""
    id: str = ""
    digest: str = ""
    meaning: str = ""

    @classmethod
    def of(cls, waiting: Waiting, number: int, timestep: int) -> Taken:
        """A message that is taken now."""
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
            meaning="" if envelope.meaning is None else packed(envelope.meaning).decode(),
        )

    @classmethod
    def read(cls, number: int, text: str) -> Taken:
        """What is kept, read again; its meaning is kept elsewhere."""
        data = json.loads(text)
        sender = data["sender"]
        letter = Letter(
            number=number,
            timestep=data["timestep"],
            event=data["event"],
            injected=sender is not None,
            sender=sender,
        )
        return cls(letter=letter, entry=data["entry"], id=data["id"], digest=data["digest"])

    @property
    def key(self) -> str:
        """The field of its message."""
        return message_key(self.letter.sender or "", self.id)

    def text(self) -> str:
        """What is kept of it until it is settled."""
        letter = self.letter
        return packed(
            {
                "timestep": letter.timestep,
                "event": letter.event,
                "sender": letter.sender,
                "entry": self.entry,
                "id": self.id,
                "digest": self.digest,
            }
        ).decode()


def read_entry(entry: str, fields: Sequence[str] | None) -> Waiting | None:
    """The message in an entry; None for what is none: others may append to the stream as well."""
    try:
        pairs = fields or ()
        data: dict[str, Any] = dict(zip(pairs[::2], pairs[1::2], strict=True))
        data["event"] = json.loads(data["event"])
        data["meaning"] = json.loads(data["meaning"]) if data["meaning"] else None
        return Waiting(entry=entry, envelope=read_envelope(data))
    except (KeyError, ValueError, RecursionError, InputError):
        return None
