"""Health of the episode for monitoring: `/health` and `/metrics`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cookmas.display.live.metrics import CONTENT_TYPE, metrics_text
from cookmas.files.errors import CookMASError
from cookmas.status import Status, status_of

FRESH = 1.0
"""Seconds for which a status is reused, whatever the number of requests."""


class Health:
    """Reports the status of the episode in the folder of a run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reading = asyncio.Lock()
        self._read: Status | CookMASError | None = None
        self._until = 0.0

    def routes(self) -> list[BaseRoute]:
        """Return the routes `/health` and `/metrics`."""
        return [Route("/health", self._health), Route("/metrics", self._metrics)]

    async def _health(self, request: Request) -> Response:
        """Answer with the state and the age of the last heartbeat: 200 if alive, otherwise 503."""
        status = await self._status()
        if isinstance(status, CookMASError):
            return JSONResponse({"alive": False, "state": "unknown"}, 503)
        told = status.model_dump(include={"alive", "state", "heartbeat_seconds"})
        return JSONResponse(told, 200 if status.alive else 503)

    async def _metrics(self, request: Request) -> Response:
        """Answer in the text format of Prometheus, with 503 if the status cannot be read."""
        status = await self._status()
        if isinstance(status, CookMASError):
            return PlainTextResponse(f"{status}\n", 503)
        return Response(metrics_text(status), media_type=CONTENT_TYPE)

    async def _status(self) -> Status | CookMASError:
        async with self._reading:
            loop = asyncio.get_running_loop()
            if self._read is None or loop.time() >= self._until:
                try:
                    self._read = await status_of(self._folder)
                except CookMASError as error:
                    self._read = error
                self._until = loop.time() + FRESH
            return self._read
