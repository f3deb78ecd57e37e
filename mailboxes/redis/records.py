"""What an episode in Redis remembers of a message for its sender."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, TypeAdapter

from episodes.world import digest
from files.errors import InfrastructureError
from files.lines import preview
from mailboxes.envelope import Answer, Envelope
from mailboxes.protocol import Quarantined

_QUARANTINED = TypeAdapter(Quarantined)


class Record(BaseModel):
    """The answer to a message, whose event has a digest; `number` is that of its letter.

    One without a number was refused unread; `entry` is then the place of the message.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    answer: Answer
    number: int | None = None
    entry: str | None = None

    @classmethod
    def read(cls, text: str) -> Record:
        """Return the record in its JSON text. Raises InfrastructureError if it is damaged."""
        try:
            return cls.model_validate_json(text)
        except ValueError:
            raise InfrastructureError("the answer that Redis holds is damaged") from None

    def text(self) -> str:
        """Return the record as JSON."""
        return self.model_dump_json(exclude_none=True)

    def is_about(self, envelope: Envelope) -> bool:
        """Return whether it is about a message with this event."""
        return self.digest == digest(envelope.event)


def read_quarantined(text: str) -> Quarantined:
    """Return what the quarantine holds in a JSON text, which may itself be damaged."""
    try:
        return _QUARANTINED.validate_json(text)
    except ValueError:
        return Quarantined(origin="quarantine", reason="is damaged", preview=preview(text))


def waits(id: str) -> str:  # noqa: A002
    """Return the field for a message that waits; no id has a carriage return."""
    return f"\r{id}"


def not_kept(id: str) -> str:  # noqa: A002
    """Return the field for a message that was refused and not kept; no id has a line break."""
    return f"\n{id}"
