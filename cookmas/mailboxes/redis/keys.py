"""The keys of an episode in Redis.

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
from urllib.parse import quote

from cookmas.files.errors import InputError
from cookmas.files.plain import pack


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
