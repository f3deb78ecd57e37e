"""Dialects: the optional features of requests that an endpoint turns out to accept.

A request is first sent with everything. After a refusal that names a feature it is sent without
it, and later requests too. A refusal that names nothing costs one request its schema; if the next
request is refused in the same way, later ones are sent without.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from cookmas.orchestrator.models.keywords import keywords_in
from cookmas.orchestrator.models.message import Request
from cookmas.orchestrator.models.providers import LIMIT_WORDS, SCHEMA_WORDS, TIMED_OUT

_DEMAND = r"must|requir|only|need|enabl|\bset\b|\buse\b|should|\btrue\b|instead|\blong"
_STREAM = re.compile(
    rf"non[-_ ]?stream|\bstream.{{0,60}}({_DEMAND})|({_DEMAND}).{{0,60}}\bstream", re.I
)
_NO_STREAM = re.compile(
    r"(not|n't|cannot) (be )?(support|allow|permit|stream)\w*|unsupported|\bstream\w* (is|are) not",
    re.I,
)
_SYSTEM = re.compile(
    r"(system|developer)\W{0,3} ?(role|message|prompt|instruction)|roles?.{0,30}\bsystem\b"
    r"|conversation roles must alternate",
    re.I,
)
_SAMPLING = re.compile(r"temperature|\bseed\b|top_p", re.I)
_STREAMED = (200, 400, 405, 406, 422, 501)
"""Statuses of an endpoint that wants to stream its answer."""

_REFUSED = (400, 404, 405, 415, 422, 501)
"""Statuses after which a request may be accepted without its schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The optional features that an endpoint accepts; most endpoints accept all."""

    structured: bool = True
    """True if the endpoint accepts a schema for the answer."""
    strict: bool = True
    """True if the endpoint accepts that the schema is marked as strict."""
    unknown: frozenset[str] = frozenset()
    """The keywords of schemas that the endpoint does not accept."""
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Name of the parameter that limits the tokens of an answer."""
    thoughts: bool = True
    """True if the endpoint accepts its own thoughts and signatures in later requests."""
    system: bool = True
    """True if the endpoint accepts messages of the role `system`."""
    streaming: bool = False
    """True if the endpoint answers only piece by piece."""

    def simplify(self, request: Request, complaint: str, status: int) -> Dialect | None:
        """Return the dialect to try next, after an endpoint refused a request in this dialect.

        `complaint` is the endpoint's message. If it names nothing that can be left out, the schema
        is, provided that the status allows this reading. Return None if nothing is left to try; a
        sampling parameter is the user's wish and stays.
        """
        demanded = status == TIMED_OUT or (status in _STREAMED and _wants_stream(complaint))
        if demanded and not self.streaming:
            return replace(self, streaming=True)
        named = self._without_named(request, complaint)
        limited = request.max_tokens is not None and LIMIT_WORDS.search(complaint)
        if named or limited or _SAMPLING.search(complaint):
            return named
        open_to_it = request.schema and self.structured and status in _REFUSED
        return replace(self, structured=False) if open_to_it else None

    def _without_named(self, request: Request, complaint: str) -> Dialect | None:
        newer = "max_completion_tokens"
        if request.max_tokens is not None and self.limit != newer and newer in complaint:
            return replace(self, limit="max_completion_tokens")
        if self.system and _SYSTEM.search(complaint) and request.messages[0].role == "system":
            return replace(self, system=False)
        if self.thoughts and any(name in complaint for name in _thoughts_of(request)):
            return replace(self, thoughts=False)
        if named := self._keywords(request) & set(re.findall(r"\w+", complaint)):
            return replace(self, unknown=self.unknown | named)
        if request.schema and self.structured:
            if self.strict and re.search(r"\bstrict\b", complaint):
                return replace(self, strict=False)
            if names_schema(complaint):
                return replace(self, structured=False)
        return None

    def _keywords(self, request: Request) -> set[str]:
        """Return the keywords of schemas that a request in this dialect has."""
        schemas = [tool.parameters for tool in request.tools]
        if request.schema and self.structured:
            schemas.append(request.schema.schema)
        return set(keywords_in(schemas)) - self.unknown

    def list_omitted(self, request: Request) -> tuple[str, ...]:
        """Return the parts of a request that are not sent as they are in this dialect."""
        parts = {
            "schema": request.schema is not None and not self.structured,
            "strict": request.schema is not None and self.structured and not self.strict,
            "system role": not self.system and any(m.role == "system" for m in request.messages),
            "thoughts": not self.thoughts and bool(_thoughts_of(request)),
        }
        sent = replace(self, unknown=frozenset())
        keywords = sorted(self.unknown & sent._keywords(request))
        return (*(name for name, out in parts.items() if out), *keywords)


def names_schema(complaint: str) -> bool:
    """Return whether a complaint is about the schema of the answer, by its words."""
    return bool(SCHEMA_WORDS.search(complaint))


def _wants_stream(complaint: str) -> bool:
    """Return whether a complaint demands that the answer is streamed."""
    demand = _STREAM.search(complaint)
    unstreamed = demand is not None and demand[0].casefold().startswith("non")
    return demand is not None and (unstreamed or not _NO_STREAM.search(complaint))


def _thoughts_of(request: Request) -> set[str]:
    """Return the fields of an endpoint's own in the messages of a request."""
    own = [message.extra for message in request.messages]
    own += [call.extra for message in request.messages for call in message.tool_calls]
    return {name for extra in own for name in extra}
