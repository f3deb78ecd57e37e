"""The outcome of a call: the model's answer, or a fault that the model has not caused.

Every response of every kind of client passes through `judge`, the only place that decides. An
`EndpointFault` is a failure of the endpoint: it is never an answer, never on a cassette and never
scored. What providers call things is in `providers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Literal

from cookmas.orchestrator.models.bodies import DEEPEST, find_fields
from cookmas.orchestrator.models.message import ModelAnswer, Request
from cookmas.orchestrator.models.providers import (
    ANSWERING,
    CODES,
    FINISH_REASONS,
    PHRASES,
    STATUSES,
    WRITTEN_BADLY,
    Outcome,
)
from cookmas.orchestrator.models.reply import Reply, read_replies, read_text
from cookmas.orchestrator.models.usage import estimate_usage, is_silent, read_usage
from cookmas.orchestrator.models.waiting import read_wait

LONGEST_WORDS = 300
"""Number of characters of an endpoint's words that are shown."""

Kind = Literal["passing", "busy", "lasting"]
"""`passing`: another attempt may succeed. `busy`: one will, after some time. `lasting`: none will.
"""

_FINISHED: dict[str, Outcome] = {each.text: each.means for each in FINISH_REASONS}
_CODED: dict[str, Outcome] = {each.text: each.means for each in CODES}
_PHRASED = [(re.compile(each.text, re.DOTALL), each.means) for each in PHRASES]

_LIMIT = re.compile(r"max_(completion_|new_|output_)?tokens")
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

    An answer may be a refusal, or say that the prompt is too long. Raise EndpointFault if the
    response shows a failure that the model has not caused.
    """
    replies = list(read_replies(response.body)) if response.status < 300 else []
    if replies:
        return _judge_replies(replies, response.body, request, model)
    return _judge_error(response, request, model)


def _judge_replies(
    replies: Sequence[Reply], body: Mapping[str, Any], request: Request, model: str
) -> ModelAnswer:
    """Return the answer in the first choice that has one. Raise EndpointFault if it is broken."""
    reply = next((each for each in replies if each.content or each.calls), replies[0])
    means: Outcome = _FINISHED.get(reply.finish_reason.lower(), "stop")
    if means == "passing" or reply.error or body.get("error"):
        error = reply.error or body.get("error")
        words = describe(error) or f"the answer ended with {reply.finish_reason!r}"
        outcome = _by_structure(error, 200) or _by_status(_status_in(error, 200))
        kind: Kind = outcome if outcome in ("busy", "lasting") else "passing"
        raise EndpointFault(kind, words, wait=read_wait({}, error, words))
    text, calls, found = reply.answer(request, cut_off=means == "length")
    refusal = reply.refusal or None
    if means == "refusal":
        refusal = refusal or "the endpoint's content filter withheld the answer"
    usage = body.get("usage")
    if not (text or calls or refusal or means == "length") and is_silent(usage):
        raise EndpointFault("passing", "the answer is empty and has no tokens")
    reason = means if reply.finish_reason.lower() in _FINISHED else reply.finish_reason
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


def _judge_error(response: Response, request: Request, model: str) -> ModelAnswer:
    """Return the answer that an error stands for, or raise EndpointFault."""
    body, words = response.body, describe(response.body)
    status = _status_in(body, response.status)
    if any(code in WRITTEN_BADLY for code in _codes(body)):
        text = read_text(next(find_fields(body, ("failed_generation",)), None))
        usage = estimate_usage(request, text)
        return ModelAnswer(text=text, model=model, usage=usage)
    outcome = _by_structure(body, status)
    by_words = outcome is None
    outcome = outcome or _by_words(words, status, request) or _by_status(status)
    if outcome in ("context_length", "refusal"):
        return ModelAnswer(
            text="",
            finish_reason=outcome,
            refusal=words if outcome == "refusal" else None,
            model=model,
            usage=estimate_usage(request, ""),
            by_words=by_words,
        )
    kind: Kind = outcome if outcome in ("passing", "busy") else "lasting"
    wait = read_wait(response.headers, body, words)
    raise EndpointFault(kind, words or "the response is empty", status=status, wait=wait)


def _by_structure(body: Any, status: int) -> Outcome | None:
    """Return what the codes of an error, its fields about moderation, or status 413 say."""
    known = [_CODED[code] for code in _codes(body) if code in _CODED]
    if known:
        return known[0]
    for metadata in find_fields(body, ("metadata",)):
        if isinstance(metadata, Mapping) and {"reasons", "flagged_input"} & metadata.keys():
            return "refusal"  # OpenRouter, docs: moderation
    if STATUSES.get(status) == "context_length":
        return "context_length"
    return None


def _by_words(words: str, status: int, request: Request) -> Outcome | None:
    """Return what the words of an error say, as far as its status leaves it open.

    A complaint about the limit that the request sets for the answer is none about the prompt.
    """
    said = _ECHO.sub("", words.lower())
    outcome = next((means for pattern, means in _PHRASED if pattern.search(said)), None)
    if outcome not in ("context_length", "refusal"):
        return outcome
    limited = request.max_tokens is not None and _LIMIT.search(said)
    return None if status not in ANSWERING or (limited and outcome != "refusal") else outcome


def _by_status(status: int) -> Outcome:
    """Return what a status means by itself. An error with a status below 300 may pass."""
    return STATUSES.get(status) or ("passing" if status < 300 or status >= 500 else "lasting")


def _status_in(body: Any, status: int) -> int:
    """Return the status that the body of a response names if the response itself has 200."""
    named = (int(code) for code in _codes(body) if re.fullmatch(r"[45]\d\d", code))
    return next(named, status) if status < 300 else status


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
        words = f"an HTML page, {' '.join(unescape(title[1]).split())!r}"
    elif words.lstrip()[:1] == "<":
        words = f"an HTML page: {unescape(_UNSEEN.sub(' ', words))}"
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
