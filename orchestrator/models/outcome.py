"""The outcome of a call: the model's answer, or a fault that the model has not caused.

Every response of every kind of client passes through `judge`, the only place that decides. An
`EndpointFault` is a failure of the endpoint: it is never an answer, never on a cassette and never
scored. What providers call things is in `providers.py`.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Literal

from cookmas.orchestrator.models.bodies import DEEPEST, find_fields
from cookmas.orchestrator.models.message import ModelAnswer, Request
from cookmas.orchestrator.models.providers import (
    CODES,
    ELSEWHERE,
    FINISH_REASONS,
    LIMIT_WORDS,
    PHRASES,
    STATUSES,
    WRITTEN_BADLY,
    Outcome,
)
from cookmas.orchestrator.models.reply import Reply, read_replies, read_text
from cookmas.orchestrator.models.streams import BrokenStreamError
from cookmas.orchestrator.models.usage import estimate_usage, find_usage, is_silent, read_usage
from cookmas.orchestrator.models.waiting import is_past_waiting, passes_soon, read_wait

_log = logging.getLogger(__name__)

LONGEST_WORDS = 300
"""Number of characters of an endpoint's words that are shown."""

PAGE = "an HTML page"
"""Begin of the words of a page. It comes from a proxy, so it is not about the model."""

Kind = Literal["passing", "busy", "lasting", "unknown"]
"""`passing`: another attempt may succeed. `busy`: one will, after some time. `lasting`: none will.
`unknown`: a refusal of an unknown kind, which a few attempts show to be lasting.
"""

_FINISHED: dict[str, Outcome] = {each.text: each.means for each in FINISH_REASONS}
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
    """Status of HTTP."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers, by their names in lower case."""
    body: Any
    """Content as JSON; a text if it is something else."""


def judge(response: Response, request: Request, model: str) -> ModelAnswer:
    """Return the model's answer in a response to `request`; `model` is the requested name.

    An answer may be a refusal, say that the prompt is too long, or be the words of an endpoint that
    could not read the model's tool call. Raise EndpointFault if the response shows a failure that
    the model has not caused.
    """
    with reading():
        replies = list(read_replies(response.body)) if response.status < 300 else []
        if replies:
            return _judge_replies(replies, response.body, request, model)
        return _judge_error(response, request, model)


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


def _judge_replies(
    replies: Sequence[Reply], body: Mapping[str, Any], request: Request, model: str
) -> ModelAnswer:
    """Return the answer in the first choice that has one. Raise EndpointFault if it is broken."""
    reply = next((each for each in replies if each.is_whole), replies[0])
    means = _finish(reply.finish_reason)
    if means == "passing" or reply.error or body.get("error"):
        said = reply.error or body.get("error") or f"the answer ended with {reply.finish_reason!r}"
        return _judge_error(Response(body=said), request, model)
    text, calls, found = reply.answer(request, cut_off=means == "length")
    refusal = reply.refusal or None
    if means == "refusal":
        refusal = refusal or "the endpoint's content filter withheld the answer"
    usage = find_usage(body)
    if not (text or calls or refusal or means in ("length", "unreadable_call")):
        if reply.unknown:
            words = f"the answer is empty, but its unknown field {reply.unknown!r} has a text"
            raise EndpointFault("lasting", words)
        if is_silent(usage):
            raise EndpointFault("passing", "the answer is empty and has no tokens")
    reason = means or reply.finish_reason
    if calls and reason in ("", "stop"):
        reason = "tool_calls"
    return ModelAnswer(
        text=text,
        tool_calls=calls,
        finish_reason="refusal" if refusal else reason or "stop",
        refusal=refusal,
        model=read_text(body.get("model")) or model,
        usage=read_usage(usage, request, text + reply.thoughts, calls),
        extra=reply.kept,
        lenient=found,
    )


def _finish(reason: str) -> Outcome | None:
    """Return what a finish reason means, also one of several parts; None if it is unknown."""
    parts = [reason.lower(), *reversed(re.split(r"[:/,]\s*", reason.lower()))]
    return next((_FINISHED[part] for part in parts if part in _FINISHED), None)


def _judge_error(response: Response, request: Request, model: str) -> ModelAnswer:
    """Return the answer that an error stands for, or raise EndpointFault."""
    body = response.body
    words = describe(body) or response.headers.get("location", "")
    status = _status_in(body, response.status)
    if any(code in WRITTEN_BADLY for code in _codes(body)):
        text = read_text(next(find_fields(body, ("failed_generation",)), None))
        usage = estimate_usage(request, text)
        return ModelAnswer(text=text, model=model, usage=usage)
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
    if kind == "busy" and is_past_waiting(body, words):
        kind = "lasting"
    elif kind == "lasting" and STATUSES.get(status) == "busy" and passes_soon(words):
        kind = "busy"
    wait = read_wait(response.headers, body, words)
    raise EndpointFault(kind, words or "the response is empty", status=status, wait=wait)


def _by_structure(body: Any) -> Outcome | None:
    """Return what the codes of an error and its fields about moderation say."""
    known = [_CODED[code] for code in _codes(body) if code in _CODED]
    if known:
        return known[0]
    for metadata in find_fields(body, ("metadata",)):
        if isinstance(metadata, Mapping) and {"reasons", "flagged_input"} & metadata.keys():
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
        if means == "context_length" and (limited or is_past_waiting({}, words)):
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
        if isinstance(metadata, Mapping):
            yield from _words(metadata.get("raw"), depth + 1)
