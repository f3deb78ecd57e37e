"""Bodies of HTTP responses that are refused as soon as their unpacked bytes pass a limit.

A client reads a body whole, and unpacks each piece whole: a megabyte of gzip can become a gigabyte.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx2

_EITHER = 47
"""The argument with which zlib unpacks gzip and deflate."""

_PACKED = ("gzip", "x-gzip", "deflate")


class TooLargeError(ValueError):
    """A body with more bytes than are read, or packed in a way in which nobody asked for it."""


def limit_body(most: int) -> Callable[[httpx2.Response], Awaitable[None]]:
    """Return a hook for the responses of a client, whose bodies may have `most` unpacked bytes.

    Reading a longer body raises TooLargeError.
    """

    async def limit(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        packed = response.headers.pop("content-encoding", "identity").strip().lower()
        response.stream = _LimitedStream(response.stream, packed, most)

    return limit


class _LimitedStream(httpx2.AsyncByteStream):
    """The unpacked bytes of a stream."""

    def __init__(self, stream: httpx2.AsyncByteStream, packed: str, most: int) -> None:
        self._stream = stream
        self._packed = packed
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._packed not in ("identity", *_PACKED):
            raise TooLargeError(f"the body is packed by {self._packed[:20]!r}; expected gzip")
        unpacker = zlib.decompressobj(_EITHER) if self._packed in _PACKED else None
        left = self._most
        async for chunk in self._stream:
            plain = unpacker.decompress(chunk, left + 1) if unpacker else chunk
            left -= len(plain)
            if left < 0:
                raise TooLargeError(f"the body has more than {self._most} bytes")
            yield plain

    async def aclose(self) -> None:
        await self._stream.aclose()
