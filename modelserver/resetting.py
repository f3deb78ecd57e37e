"""A connection that the application can reset, as a network does that breaks down."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

RESET = "cookmas.reset"
"""Where an application finds the function that resets the connection of its request."""


class Resettable(H11Protocol):
    """HTTP whose connection can be reset from inside, and whose answers can be called off."""

    def connection_made(self, transport: Any) -> None:
        """Hand the function that resets to the application."""
        super().connection_made(transport)
        app = self.app

        async def with_reset(scope: Any, receive: Any, send: Any) -> None:
            scope[RESET] = lambda: _reset(transport)
            with suppress(asyncio.CancelledError):
                await app(scope, receive, send)

        self.app = with_reset


def _reset(transport: asyncio.Transport) -> None:
    """Close without sending what is left, with a reset instead of a farewell."""
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
