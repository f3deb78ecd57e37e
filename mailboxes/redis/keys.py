"""The keys under which an episode is in Redis.

Under `cookmas:NAME:` a sender reaches, of its own,
- `in:SENDER`, the stream of its messages, each until a checkpoint that holds it is durable;
- `out:SENDER`, what is known of its messages by their ids, answers included; under the empty id
  whether the episode is open or over;
- `status`, how the episode stands, and `setup`, the world that is played.

Everything else is the episode's:
- `guests`, who may send, with the proof that each name is bound to; `registered`, those whom the
  house registered, for later runs too; `house`, the token of the house;
- `letters`, those that are numbered, and the last that are settled; `meanings`, what the judge is
  told of them; `turns`, when each sender was heard last; `done:SENDER`, what `out` has, in order;
- `known`, the events that are known beforehand; `kitchen`, whose it is and whether it is closed;
  `ends`, the last entry of each stream when it was closed; `bell`, which wakes whoever plays;
- `lease`, who plays it, with the number and the time of the last heartbeat; `quarantine`, what
  could not be read.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from files.errors import InputError
from mailboxes.envelope import packed


def keys_of(episode: str, *parts: str) -> list[str]:
    """Return the keys of parts of an episode. Raises InputError if its name is none."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", episode):
        raise InputError("episode", "a name has letters, digits, '_', '.' and '-', at most 64")
    return [f"cookmas:{episode}:{part}" for part in parts]


def key_name(sender: str) -> str:
    """Return a sender's name as it is part of a key: percent-encoded."""
    return quote(sender, safe="")


def message_key(sender: str, id: str) -> str:  # noqa: A002
    """Return what stands for a message, whose ids are its sender's own."""
    return packed([sender, id]).decode()
