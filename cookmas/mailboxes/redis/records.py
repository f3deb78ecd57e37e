"""The stored answers to the messages of an episode in Redis.

A letter is a message that was taken, with a permanent number.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, TypeAdapter

from cookmas.episodes.world import digest
from cookmas.files.errors import InfrastructureError
from cookmas.files.lines import preview
from cookmas.mailboxes.envelope import Answer, Envelope
from cookmas.mailboxes.protocol import Quarantined

_QUARANTINED = TypeAdapter(Quarantined)


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

    def is_about(self, envelope: Envelope) -> bool:
        """Return whether this record is about the event of a message."""
        return self.digest == digest(envelope.event)


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
