"""What a page sends."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request

from files.errors import InputError


async def body_of(request: Request, longest: int) -> bytes:
    """Return the body of a request. Raise InputError if it is too long or incomplete."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > longest:
                raise InputError("what is sent", f"is longer than {longest} bytes")
    except ClientDisconnect:
        raise InputError("what is sent", "breaks off") from None
    return bytes(body)
