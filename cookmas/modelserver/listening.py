"""A listening socket at an address, and a server that stops without delay."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

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
