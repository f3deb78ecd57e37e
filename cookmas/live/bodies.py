"""What a page sends."""

from __future__ import annotations

from starlette.requests import Request

from episodes.errors import InputError


async def body_of(request: Request, longest: int) -> bytes:
    """The body of a request. Raises InputError if it has more than so many bytes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > longest:
            raise InputError("what is sent", f"is longer than {longest} bytes")
    return body
