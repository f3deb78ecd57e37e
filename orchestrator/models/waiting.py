"""How long an endpoint asks to wait, in seconds, and which of its limits no wait mends.

Both are read in headers, in the body and in its words.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from cookmas.orchestrator.models.bodies import find_fields

_FIELDS = ("retry_after", "retryAfter", "retryDelay", "retry_delay", "estimated_time")
"""Fields of an error with the seconds to wait: of gateways, of Gemini, and of TGI."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(
    r"(\d+(?:\.\d+)?) ?"
    r"(ms|milliseconds?|d|days?|h|hours?|hrs?|m|min(?:ute)?s?|s|sec(?:ond)?s?)(?![a-z])"
)
_RESET = re.compile(r"(?:x-)?ratelimit-reset(-.+)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d[\d:.]*(?:z|[+-]\d\d:?\d\d)?")
_EPOCH, _EPOCH_MILLISECONDS = 1e9, 1e11
"""Numbers from which on a reset is a time since 1970, in seconds and in milliseconds."""

_LONG_PERIOD = re.compile(r"per[-_ ]?(day|week|month)|dail|monthly|\b[tr]pd\b")
_SHORT_PERIOD = re.compile(
    r"(per[-_ ]?(second|min(ute)?|hour))(?![a-z])|\b[tr]p[ms]\b|throttl|token-limit"
)
_REQUESTED = re.compile(r"limit:? (?P<limit>[\d,]+).{0,40}requested:? (?P<wished>[\d,]+)")
_ASKED = re.compile(
    r"(?:try again|retry|wait|available|reset)[a-z ]{0,20}? (?:in|after|for|at least)? ?"
    r"((?:\d+(?:\.\d+)? ?[a-z]+[ ,]*)+)"
)


def read_wait(headers: Mapping[str, str], body: Any, words: str) -> float | None:
    """Return the seconds that an endpoint asks to wait before the next attempt; None for no wish.

    The header `retry-after-ms` counts before `retry-after`, which has seconds or a date. Then come
    the reset of a limit that is used up, fields of the body, and its words. What is no finite
    number of seconds is ignored.
    """
    for seconds in _demands(headers, body, words.lower()):
        if seconds is not None and math.isfinite(seconds) and seconds > 0:
            return seconds
    return None


def is_past_waiting(body: Any, words: str) -> bool:
    """Return whether a limit does not let this request through, however long it waits.

    A single request is larger than the limit of a minute, or the limit is that of a day.
    """
    said = words.lower()
    if (asked := _REQUESTED.search(said)) and _count(asked["wished"]) > _count(asked["limit"]):
        return True
    said = f"{said} {' '.join(_texts(body))}".lower()
    return bool(_LONG_PERIOD.search(said)) and not _SHORT_PERIOD.search(said)


def passes_soon(words: str) -> bool:
    """Return whether a limit is one of minutes, by its words."""
    return bool(_SHORT_PERIOD.search(words.lower()))


def _count(number: str) -> int:
    return int(number.replace(",", ""))


def _texts(body: Any) -> Iterator[str]:
    """Yield the names and identifiers of the limits in an error."""
    for value in find_fields(body, ("quota_limit", "quotaId", "quota_id", "limit_type")):
        yield re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(value))


def _demands(headers: Mapping[str, str], body: Any, words: str) -> Iterator[float | None]:
    milliseconds = _number(headers.get("retry-after-ms"))
    yield milliseconds / 1000 if milliseconds is not None else None
    yield _seconds_until(headers.get("retry-after", ""))
    named = [each for each in find_fields(body, ("headers",)) if isinstance(each, Mapping)]
    for each in (headers, *({k.lower(): str(v) for k, v in given.items()} for given in named)):
        yield max(_resets(each), default=None)
    for value in find_fields(body, _FIELDS):
        yield _seconds_until(str(value))
    if asked := _ASKED.search(words):
        yield _duration(asked[1])
    if date := _DATE.search(words):
        yield _seconds_until(date[0])


def _resets(headers: Mapping[str, str]) -> Iterator[float]:
    """Yield the seconds until the limits reset of which nothing remains."""
    for name, value in headers.items():
        left = headers.get(name.replace("reset", "remaining"), "0")
        seconds = _seconds_until(value) if _RESET.fullmatch(name) and _number(left) == 0 else None
        if seconds is not None:
            yield seconds


def _seconds_until(text: str) -> float | None:
    """Return the seconds of a text: a number, a duration, or the time until a date."""
    number = _number(text)
    if number is not None:
        ago = number / 1000 if number >= _EPOCH_MILLISECONDS else number
        return ago - time.time() if number >= _EPOCH else number
    with suppress(ValueError, TypeError, OverflowError):
        return parsedate_to_datetime(text).timestamp() - time.time()
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(text.strip().upper()).timestamp() - time.time()
    return _duration(text.lower())


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
