"""Faults: what a response means that has no answer, and how long its endpoint asks to wait.

An `EndpointFault` is a failure that the model has not caused: it is never an answer, never on a
cassette and never scored. What providers call things is in `providers.py`.
"""

from __future__ import annotations

import logging
import math
import re
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any, Literal

from cookmas.orchestrator.models.dialect import (
    DEEPEST,
    HUMP,
    BrokenStreamError,
    as_mapping,
    find_fields,
    read_number,
    read_text,
)
from cookmas.orchestrator.models.message import ModelAnswer, Request, estimate_usage
from cookmas.orchestrator.models.providers import (
    CODES,
    ELSEWHERE,
    LIMIT_WORDS,
    PHRASES,
    STATUSES,
    WRITTEN_BADLY,
    Outcome,
)

_log = logging.getLogger(__name__)
LONGEST_WORDS = 300
"""Number of characters of an endpoint's words that are shown."""

PAGE = "an HTML page"
"""Begin of the words of a page. It comes from a proxy, so it is not about the model."""

Kind = Literal["passing", "busy", "lasting", "unknown"]
"""`passing`: another attempt may succeed. `busy`: one will, after some time. `lasting`: none will.
`unknown`: a refusal of an unknown kind, which a few attempts show to be lasting.
"""

_CODED: dict[str, Outcome] = {each.text: each.means for each in CODES}
_PHRASED = [(re.compile(each.text, re.DOTALL), each.means) for each in PHRASES]
_QUOTED = re.compile(r"['\"](?:code|status)\W{1,5}([45]\d\d)\b")
"""The status of another server's error, which a gateway quotes in its own words."""

_ECHO = re.compile(r"\binput(_value)?'? ?[=:].*", re.DOTALL)
"""The part of an error that repeats the request, as validators write it."""

_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_UNSEEN = re.compile(r"<(script|style).*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_WORDS = ("message", "Message", "msg", "detail", "error_msg", "status_msg", "error_message",
          "error", "errors", "base_resp", "title", "reason", "description")  # fmt: skip
"""Fields in which providers put the words of an error."""

_CODES = ("code", "type", "status", "error_code", "status_code", "Code", "__type")
"""Fields in which providers put the code of an error."""


class EndpointFault(Exception):  # noqa: N818
    """A failure that the model has not caused; the message is the endpoint's words in one line."""

    def __init__(
        self, kind: Kind, words: str, *, status: int = 200, wait: float | None = None
    ) -> None:
        super().__init__(words)
        self.kind = kind
        self.status = status
        """Status of HTTP, or the one that the body names."""
        self.wait = wait
        """Seconds that the endpoint asks to wait; None if it does not."""

    def add_cause(self, complaint: str) -> None:
        """Add what the endpoint has said of an earlier form of the request, if it is another."""
        if complaint and complaint != str(self):
            self.args = (f"{self}; before that: {complaint}"[: 2 * LONGEST_WORDS],)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A response of an endpoint, as any client can give it."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers, by their names in lower case."""
    body: Any
    """Content as JSON; a text if it is something else."""


@contextmanager
def reading() -> Iterator[None]:
    """Turn every error of Python while a response is read into a fault of the endpoint.

    The log has the type and the place of the error, which can be a mistake of CookMAS, but not its
    text, which can have a secret in it.
    """
    try:
        yield
    except EndpointFault:
        raise
    except BrokenStreamError as error:
        raise EndpointFault("passing", str(error)) from error
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{frame.name}, line {frame.lineno}"
        _log.warning("a response is malformed: %s (%s)", type(error).__name__, place)
        words = f"the response is malformed ({type(error).__name__} in {frame.name})"
        raise EndpointFault("passing", words) from error


def judge_error(response: Response, request: Request, model: str) -> ModelAnswer:
    """Return what a response without an answer says of the model. Raise EndpointFault if nothing.

    It may say that the model refused, that the prompt is too long, or what the model wrote in a
    tool call that the endpoint could not read.
    """
    body = response.body
    words = describe(body) or response.headers.get("location", "")
    status = _status_in(body, response.status)
    if any(code in WRITTEN_BADLY for code in _codes(body)):
        text = read_text(next(find_fields(body, ("failed_generation",)), None))
        return ModelAnswer(text=text, model=model, usage=estimate_usage(request, text))
    outcome = _by_structure(body)
    by_words = outcome is None
    outcome = outcome or _by_words(words, status, request) or _by_status(status)
    if outcome in ("context_length", "refusal", "unreadable_call"):
        text = words if outcome == "unreadable_call" else ""
        return ModelAnswer(
            text=text,
            finish_reason=outcome,
            refusal=words if outcome == "refusal" else None,
            model=model,
            usage=estimate_usage(request, text),
            by_words=by_words,
        )
    kind: Kind = outcome if outcome in ("passing", "busy", "unknown") else "lasting"
    if kind == "busy" and _is_past_waiting(body, words):
        kind = "lasting"
    elif kind == "lasting" and STATUSES.get(status) == "busy":
        kind = "busy" if _SHORT_PERIOD.search(words.lower()) else kind
    wait = read_wait(response.headers, body, words)
    raise EndpointFault(kind, words or "the response is empty", status=status, wait=wait)


def _by_structure(body: Any) -> Outcome | None:
    """Return what the codes of an error and its fields about moderation say."""
    known = [_CODED[code] for code in _codes(body) if code in _CODED]
    if known:
        return known[0]
    for metadata in find_fields(body, ("metadata",)):
        if {"reasons", "flagged_input"} & as_mapping(metadata).keys():
            return "refusal"  # OpenRouter, docs: moderation
    return None


def _by_words(words: str, status: int, request: Request) -> Outcome | None:
    """Return what the words of an error say, as far as its status leaves it open.

    A complaint about the limit that the request sets for the answer is none about the prompt. It
    lasts, since the limit is the user's wish.
    """
    said = _ECHO.sub("", words.lower())
    limited = request.max_tokens is not None and LIMIT_WORDS.search(said)
    for pattern, means in _PHRASED:
        about_prompt = means in ("context_length", "refusal", "unreadable_call")
        if about_prompt and (status in ELSEWHERE or words.startswith(PAGE)):
            continue
        if means == "context_length" and (limited or _is_past_waiting({}, words)):
            continue
        if means == "unreadable_call" and not (request.tools and status >= 500):
            continue
        if pattern.search(said):
            return means
    return "lasting" if limited and _by_status(status) == "unknown" else None


def _by_status(status: int) -> Outcome:
    """Return what a status means by itself.

    An error with a status below 300 may pass, a redirect leads elsewhere, and what is only called
    the request's fault is unknown.
    """
    if known := STATUSES.get(status):
        return known
    if status < 300 or status >= 500:
        return "passing"
    return "lasting" if status < 400 else "unknown"


def _status_in(body: Any, status: int) -> int:
    """Return the status of an error at its origin, if the response's own says only that it failed.

    A gateway answers with 200, or with 5xx, and quotes the provider's error in its words.
    """
    if 300 <= status < 500:
        return status
    named = [code for code in _codes(body) if re.fullmatch(r"[45]\d\d", code)]
    quoted = _QUOTED.findall(_ECHO.sub("", " ".join(_words(body))))
    found = [*quoted[-1:], *(named if status < 300 else ()), status]
    return int(found[0])


def _codes(body: Any) -> Iterator[str]:
    """Yield the codes of an error, in lower case, the outermost first."""
    for value in find_fields(body, _CODES):
        if isinstance(value, str | int):
            yield str(value).lower()


def describe(body: Any) -> str:
    """Return the words of an error in one line, whatever its shape, cut after LONGEST_WORDS.

    Of a page of HTML they are its title, else its text. An error that has no words is shown as it
    is.
    """
    words = " ".join(_words(body)) or ("" if body in (None, "", {}, []) else str(body))
    if "<" in words and (title := _TITLE.search(words)):
        words = f"{PAGE}, {' '.join(unescape(title[1]).split())!r}"
    elif words.lstrip()[:1] == "<":
        words = f"{PAGE}: {unescape(_UNSEEN.sub(' ', words))}"
    return " ".join(words.split())[:LONGEST_WORDS]


def _words(body: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(body, str):
        yield body
    elif isinstance(body, list) and depth < DEEPEST:
        for each in body[:3]:
            yield from _words(each, depth + 1)
    elif isinstance(body, Mapping) and depth < DEEPEST:
        place = body.get("loc")  # FastAPI: the field that is invalid
        yield from [f"{'.'.join(map(str, place))}:"] if isinstance(place, list) else []
        for name in _WORDS:
            if found := list(_words(body.get(name), depth + 1)):
                yield from found
                break
        metadata = body.get("metadata")  # OpenRouter: the provider's own words
        yield from _words(as_mapping(metadata).get("raw"), depth + 1)


# How long an endpoint asks to wait, in headers, in the body and in its words

_WAITS = ("retry_after", "retryAfter", "retryDelay", "retry_delay", "estimated_time")
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


def _demands(headers: Mapping[str, str], body: Any, words: str) -> Iterator[float | None]:
    milliseconds = read_number(headers.get("retry-after-ms"))
    yield milliseconds / 1000 if milliseconds is not None else None
    yield _seconds_until(headers.get("retry-after", ""))
    named = [each for each in find_fields(body, ("headers",)) if isinstance(each, Mapping)]
    for each in (headers, *({k.lower(): str(v) for k, v in given.items()} for given in named)):
        yield max(_resets(each), default=None)
    for value in find_fields(body, _WAITS):
        yield _seconds_until(str(value))
    if asked := _ASKED.search(words):
        yield _duration(asked[1])
    if date := _DATE.search(words):
        yield _seconds_until(date[0])


def _resets(headers: Mapping[str, str]) -> Iterator[float]:
    """Yield the seconds until the limits reset of which nothing remains."""
    for name, value in headers.items():
        left = headers.get(name.replace("reset", "remaining"), "0")
        if _RESET.fullmatch(name) and read_number(left) == 0:
            seconds = _seconds_until(value)
            yield from () if seconds is None else (seconds,)


def _seconds_until(text: str) -> float | None:
    """Return the seconds of a text: a number, a duration, or the time until a date."""
    number = read_number(text)
    if number is not None:
        ago = number / 1000 if number >= _EPOCH_MILLISECONDS else number
        return ago - time.time() if number >= _EPOCH else number
    with suppress(ValueError, TypeError, OverflowError):
        return parsedate_to_datetime(text).timestamp() - time.time()
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(text.strip().upper()).timestamp() - time.time()
    return _duration(text.lower())


def _duration(text: str) -> float | None:
    """Return the seconds of a text such as `25.5s`, `1m30s` or `500 milliseconds`."""
    parts = [(float(number), unit) for number, unit in _PART.findall(text)]
    if not parts:
        return None
    units = ["ms" if unit.startswith(("ms", "mill")) else unit[0] for _, unit in parts]
    return sum(number * _UNITS[unit] for (number, _), unit in zip(parts, units, strict=True))


def _is_past_waiting(body: Any, words: str) -> bool:
    """Return whether a limit does not let this request through, however long it waits.

    A single request is larger than the limit of a minute, or the limit is that of a day.
    """
    said = words.lower()
    if asked := _REQUESTED.search(said):
        limit, wished = asked["limit"].replace(",", ""), asked["wished"].replace(",", "")
        if int(wished) > int(limit):
            return True
    names = find_fields(body, ("quota_limit", "quotaId", "quota_id", "limit_type"))
    said = " ".join([said, *(HUMP.sub(" ", str(name)) for name in names)]).lower()
    return bool(_LONG_PERIOD.search(said)) and not _SHORT_PERIOD.search(said)
