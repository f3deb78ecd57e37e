"""Serving the application at an address."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from cookmas.live.app import live_app
from cookmas.live.guard import is_loopback
from modelserver.listening import PromptServer, listening

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    folder: Path, host: str, port: int, world: str | None, ready: Callable[[str], None]
) -> None:
    """Serve the run in a folder until interrupted; `ready` is told the address of the page.

    Elsewhere than at the loopback whoever comes must know the token in that address. Raises
    InputError if the address cannot be had, CookMASError if there is no run.
    """
    own = is_loopback(host)
    token = None if own else secrets.token_urlsafe(24)
    names = LOOPBACK if own else _names(host)
    app = live_app(folder, names, token, world)
    with listening(host, port) as listener:
        number = listener.getsockname()[1]
        shown = (
            host if host not in ("0.0.0.0", "::") else socket.gethostbyname(socket.gethostname())
        )
        named = f"[{shown}]" if ":" in shown else shown
        config = uvicorn.Config(app, log_level="warning", access_log=False, ws="none")
        ready(f"http://{named}:{number}/{f'?token={token}' if token else ''}")
        PromptServer(config).run(sockets=[listener])


def _names(host: str) -> tuple[str, ...]:
    """By what names an address is asked for; none: by any address."""
    return () if host in ("0.0.0.0", "::") else (host.lower(),)
