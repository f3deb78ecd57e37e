"""Listening at an address, and ending at once."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from files.errors import InputError


class PromptServer(uvicorn.Server):
    """A server that ends at once: answers under way are called off."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End every connection, and what is still to be said to it."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)
        for task in self.server_state.tasks:
            task.cancel()
        await super().shutdown(sockets)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any that is free. Raises InputError if it cannot be had."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        raise InputError(f"{host}:{port}", f"cannot be listened at ({error})") from None
