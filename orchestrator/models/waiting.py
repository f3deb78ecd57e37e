"""How long an endpoint asks to wait, in seconds: in a header, a body or its text."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any

from cookmas.orchestrator.models.bodies import find_fields

_FIELDS = ("retry_after", "retryAfter", "retryDelay", "retry_delay", "estimated_time")
"""Fields of an error with the seconds to wait: of gateways, of Gemini, and of TGI."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+(?:\.\d+)?) ?(ms|milliseconds?|h|hours?|m|minutes?|s|seconds?)(?![a-z])")
_ASKED = re.compile(
    r"(?:try again|retry|wait|available|reset)[a-z ]{0,20}? (?:in|after|for|at least)? ?"
    r"((?:\d+(?:\.\d+)? ?[a-z]+[ ,]*)+)"
)


def read_wait(headers: Mapping[str, str], body: Any, words: str) -> float | None:
    """Return the seconds that an endpoint asks to wait before the next attempt; None for no wish.

    The header `retry-after-ms` counts before `retry-after`, which has seconds or a date, and both
    before fields of the body and its words. What is no finite number of seconds is ignored.
    """
    for seconds in _demands(headers, body, words.lower()):
        if seconds is not None and math.isfinite(seconds) and seconds > 0:
            return seconds
    return None


def _demands(headers: Mapping[str, str], body: Any, words: str) -> Iterator[float | None]:
    milliseconds = _number(headers.get("retry-after-ms"))
    yield milliseconds / 1000 if milliseconds is not None else None
    header = headers.get("retry-after", "")
    yield _number(header)
    yield _duration(header)
    with suppress(ValueError, TypeError, OverflowError):
        yield parsedate_to_datetime(header).timestamp() - time.time()
    for value in find_fields(body, _FIELDS):
        yield _number(value)
        yield _duration(str(value).lower())
    if asked := _ASKED.search(words):
        yield _duration(asked[1])


def _number(value: Any) -> float | None:
    try:
        return float(value) if not isinstance(value, bool) else None
    except (TypeError, ValueError, OverflowError):
        return None


def _duration(text: str) -> float | None:
    """Return the seconds of a text such as `25.5s`, `1m30s` or `500 milliseconds`."""
    parts = [(float(number), unit) for number, unit in _PART.findall(text)]
    if not parts:
        return None
    units = ["ms" if unit.startswith(("ms", "mill")) else unit[0] for _, unit in parts]
    return sum(number * _UNITS[unit] for (number, _), unit in zip(parts, units, strict=True))
