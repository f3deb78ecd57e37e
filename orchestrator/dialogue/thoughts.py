"""Thoughts in the text of an answer, which are found by what frames them.

Models frame their thoughts by tags, by brackets or by channels, whose names say that they think.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_log = logging.getLogger(__name__)

_TAG = re.compile(
    r"<\|channel\|>\s*(?P<channel>\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>"
    r"|[<\[\u25c1]\|?(?P<end>/|end_(?:of_)?)?(?:(?:begin_of|start)_|\w+:)?"
    r"\w*(?:think|thought|reason|analys|scratch|reflect|deliberat|monolog)\w*"
    r"(?:\s[^<>\[\]]*)?\|?[>\]\u25b7]",
    re.IGNORECASE,
)
"""The begin or the end of a thought, as DeepSeek, Mistral, Kimi, Cohere and gpt-oss write it."""

_FRAME = re.compile(r"<([A-Za-z][\w-]*)>")
"""The begin of any frame."""

LAST_CHANNEL = "final"
"""The channel of the answer; all others are thoughts."""


class Tag(NamedTuple):
    """The begin or the end of a thought."""

    start: int
    """Place of the tag in the text."""
    end: int
    """Place after the tag."""
    closes: bool
    """True if a thought ends here."""


def find_tags(text: str, end: int | None = None) -> Iterator[Tag]:
    """Yield the tags of the thoughts in a text, up to a place in it."""
    for found in _TAG.finditer(text, 0, len(text) if end is None else end):
        closes = (found["channel"] or "").lower() == LAST_CHANNEL or bool(found["end"])
        yield Tag(found.start(), found.end(), closes)


def has_thoughts(text: str) -> bool:
    """Return whether a text has a tag of a thought."""
    return _TAG.search(text) is not None


def find_frame(text: str) -> str | None:
    """Return the name of the first frame in a text, other than of a thought; None if there is none.

    The first time that a name is met, a line of the log says so.
    """
    found = _FRAME.search(_TAG.sub("", text))
    if found is None:
        return None
    _tell_frame(found[1])
    return found[1]


@cache
def _tell_frame(name: str) -> None:
    _log.warning(
        "an answer stands in a frame of an unknown name, <%s>; it is read from there", name
    )
