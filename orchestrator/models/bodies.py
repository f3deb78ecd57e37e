"""Bodies of responses: JSON as endpoints really send it, whole or piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from cookmas.orchestrator.models.streams import is_stream, parse, read_stream

DEEPEST = 6
"""Greatest depth at which a field of a body is searched."""

MOST_ENTRIES = 20
"""Greatest number of entries of an object or a list that are searched for a field."""

_COMMENT = re.compile(r"^:[^\r\n]*$", re.MULTILINE)
"""A comment with which servers keep a connection open until they answer."""


def read_body(content: bytes) -> Any:
    """Return the content of a response as JSON, or as a text if it is something else.

    Server-sent events become one chat completion. Comments that keep a connection open, a mark of
    the byte order and raw control characters in texts are accepted. Raise BrokenStreamError if the
    events broke off.
    """
    text = content.decode("utf-8-sig", "replace").strip()
    if is_stream(text):
        return read_stream(text)
    kept = _COMMENT.sub("", text).strip() if text.startswith(":") else text
    found = parse(kept)
    return kept if found is None and kept != "null" else found


def find_fields(body: Any, names: Sequence[str], depth: int = 0) -> Iterator[Any]:
    """Yield the values of some fields, wherever they stand in a body, the outermost first."""
    if depth > DEEPEST:
        return
    if isinstance(body, Mapping):
        yield from (body[name] for name in names if name in body)
    inner = body.values() if isinstance(body, Mapping) else body if isinstance(body, list) else ()
    for value in islice(inner, MOST_ENTRIES):
        yield from find_fields(value, names, depth + 1)
