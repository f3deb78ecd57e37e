"""A listening socket at an address, a server that stops without delay, and a connection that the
application can reset, as a failing network does.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cookmas.files.errors import InputError


class PromptServer(uvicorn.Server):
    """A server that stops without delay: it cancels the answers in progress."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close every connection, and cancel the answers that are not sent yet."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)
        for task in self.server_state.tasks:
            task.cancel()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free port.

    Raise InputError if the address cannot be used.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        raise InputError(
            f"{host}:{port}", f"is not a usable address ({error}); try another one"
        ) from None


RESET = "cookmas.reset"
"""Key in a request's scope; its value is the function that resets the connection."""


class Resettable(H11Protocol):
    """The protocol of one HTTP/1.1 connection, which the application can reset.

    If an answer is cancelled, the protocol raises no error.
    """

    def connection_made(self, transport: Any) -> None:
        """Put a function that resets the connection into the scope of each request."""
        super().connection_made(transport)
        app = self.app

        async def with_reset(scope: Any, receive: Any, send: Any) -> None:
            scope[RESET] = lambda: _reset(transport)
            with suppress(asyncio.CancelledError):
                await app(scope, receive, send)

        self.app = with_reset


def _reset(transport: asyncio.Transport) -> None:
    """Close the connection with a reset, and discard data that are not sent yet."""
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
