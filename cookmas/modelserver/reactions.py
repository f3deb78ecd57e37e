"""Reactions: responses of an endpoint in place of an answer.

Each function returns a function that makes the response from a wait in seconds, which most leave
out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A response in place of an answer."""

    status: int
    """Status of HTTP."""
    body: Any
    """Content, as JSON; a text is sent as it is."""
    headers: Mapping[str, str]
    """Headers besides those of the content."""


def react(status: int, body: Any, **headers: str) -> Callable[[float], Reaction]:
    """Return a function that makes this reaction; header names have `_` in place of `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda wait: Reaction(status=status, body=body, headers=named)


def error(
    status: int, message: str, code: Any = None, kind: str = "invalid_request_error"
) -> Callable[[float], Reaction]:
    """Return a function that makes an error in the format of OpenAI."""
    return react(status, {"error": {"message": message, "type": kind, "code": code}})


def loading(header: str, write: Callable[[float], str]) -> Callable[[float], Reaction]:
    """Return a function that makes status 503 with the wait in a header."""
    body = {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}
    return lambda wait: Reaction(status=503, body=body, headers={header: write(wait)})


def in_body(status: int, write: Callable[[float], Any]) -> Callable[[float], Reaction]:
    """Return a function that makes a response with the wait in its body."""
    return lambda wait: Reaction(status=status, body=write(wait), headers={})
