"""Letterboxes of open kitchens, by the names that people give them."""

from __future__ import annotations

from pathlib import Path

from mailboxes.protocol import Letterbox
from mailboxes.redis.address import is_address
from mailboxes.sqlite.letterbox import SqliteLetterbox


def letterbox(where: str | Path | Letterbox) -> Letterbox:
    """Return the letterbox of an episode, by the folder of its run or its address in Redis."""
    if is_address(where):
        from cookmas.redis import redis_letterbox

        return redis_letterbox(str(where))
    return SqliteLetterbox(Path(where)) if isinstance(where, str | Path) else where
