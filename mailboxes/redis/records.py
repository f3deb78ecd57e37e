"""The stored answers to the messages of an episode in Redis."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, TypeAdapter

from episodes.world import digest
from files.errors import InfrastructureError
from files.lines import preview
from mailboxes.envelope import Answer, Envelope
from mailboxes.protocol import Quarantined

_QUARANTINED = TypeAdapter(Quarantined)


class StoredAnswer(BaseModel):
    """A stored answer to a message."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    """Digest of the message's event."""
    answer: Answer
    """The answer."""
    number: int | None = None
    """Number of its letter; None if it was refused unread."""
    entry: str | None = None
    """Stream entry of a message that was refused unread."""

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
        """Return whether a message has the event of this record."""
        return self.digest == digest(envelope.event)


def read_quarantined(text: str) -> Quarantined:
    """Return a quarantine entry from its JSON text, which may itself be damaged."""
    try:
        return _QUARANTINED.validate_json(text)
    except ValueError:
        return Quarantined(origin="quarantine", reason="is damaged", preview=preview(text))


def waits(id: str) -> str:  # noqa: A002
    """Return the field for a waiting message; no id contains a carriage return."""
    return f"\r{id}"


def not_kept(id: str) -> str:  # noqa: A002
    """Return the field for a message that was refused and deleted; no id contains a line break."""
    return f"\n{id}"
