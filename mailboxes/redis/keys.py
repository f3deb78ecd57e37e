"""The keys of an episode in Redis.

A sender can reach these keys under `cookmas:NAME:`, the first two only for itself:
- `in:SENDER`, the stream of its messages; each stays until a checkpoint with it is durable;
- `out:SENDER`, the records of its messages by id, with the answers; under the empty id whether the
  episode is open or over;
- `status`, the published status, and `setup`, the world.

The other keys are the episode's:
- `guests`, the senders with the proof of each; `registered`, those that the operator registered for
  later runs too; `house`, the token of the operator;
- `letters`, the numbered letters and the last settled ones; `meanings`, their meanings for the
  judge; `turns`, the last turn of each sender; `done:SENDER`, the fields of `out`, in order;
- `known`, the events that are known beforehand; `episode`, the owner and whether it is closed;
  `ends`, the last entry of each stream at closing; `bell`, which wakes the orchestrator;
- `lease`, the orchestrator with the number and time of its last heartbeat; `quarantine`, the
  entries that could not be read.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from files.errors import InputError
from mailboxes.envelope import pack


def keys_of(episode: str, *parts: str) -> list[str]:
    """Return the keys of some parts of an episode. Raise InputError if the name is invalid."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", episode):
        raise InputError("episode", "a name has letters, digits, '_', '.' and '-', at most 64")
    return [f"cookmas:{episode}:{part}" for part in parts]


def key_name(sender: str) -> str:
    """Return a sender's name as a part of a key: percent-encoded."""
    return quote(sender, safe="")


def message_key(sender: str, id: str) -> str:  # noqa: A002
    """Return the unique key of a message; an id is unique only among its sender's."""
    return pack([sender, id]).decode()
