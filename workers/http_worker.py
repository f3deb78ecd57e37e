"""A worker behind an HTTP address, such as a device.

Each assignment is a POST with a JSON object: `id`, `timestep`, `worker`, `action`, `since`,
`episode`, `timesteps`, `outlasts`, and `payload` if there are data. If spans are made, the header
`traceparent` has that of the action. The answer is a report as JSON: `{"status": "done"}`, with
`action` and `result` if there are any, `{"status": "failed", "why": "..."}` or
`{"status": "running"}`. A device that is told to stop, also one that is too slow or still at work
when the episode ends, gets its assignment again with `stop`, which is true; if it was done
meanwhile, it answers with that report.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from cookmas.files.lines import one_line
from cookmas.workers.protocol import (
    MOST_ACTION,
    MOST_REPORT,
    TRACEPARENT,
    Assigned,
    AwayError,
    Report,
)

if TYPE_CHECKING:
    import ssl

    import httpx2

TOKEN = "COOKMAS_WORKER_TOKEN"
"""The environment variable with the token that the device wants, if it wants one."""

CALL_SECONDS = 3600.0
"""Greatest number of seconds of a call, for long work."""

CONNECT_SECONDS = 10.0
"""Greatest number of seconds until there is a connection."""

OF_THE_WAY = (429, 502, 503, 504)
"""Statuses by which a proxy, or a device that is busy, says that nobody has heard the request."""

AGAIN = 1.0
"""Seconds between the attempts to reach a device that is away."""


def is_url(spec: str) -> bool:
    """Return whether the spec of a worker is an HTTP address."""
    return spec.startswith(("http://", "https://"))


class HttpWorker:
    """The worker at `url`. The token in the environment variable TOKEN goes with each request."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        """Return the report of the device.

        Raise AwayError if it cannot be reached, ValueError if its answer is no report or too large.
        An error status is a failed report, unless it is one of OF_THE_WAY.
        """
        answer = await self._post(worker, assignment, {"timestep": timestep, "worker": worker})
        if answer.is_error:
            return Report.failed(_describe(answer))
        return Report.of_data(answer.json())

    async def stop(self, assignment: Assigned) -> Report | None:
        """Tell the device to stop: the assignment is sent again, with `stop`.

        Return its report, if it answers with one. Raise AwayError if it cannot be reached.
        """
        answer = await self._post("The device", assignment, {"stop": True})
        return Report.of_data(answer.json()) if answer.is_success and answer.content else None

    async def _post(
        self, worker: str, assignment: Assigned, more: Mapping[str, object]
    ) -> httpx2.Response:
        """Return the answer of the device. Raise AwayError if it cannot be reached."""
        import httpx2

        asked = {"id": assignment.id, **more, **assignment.data()}
        span = asked.pop(TRACEPARENT, None)
        headers = {**_headers(), **({TRACEPARENT: span} if span else {})}
        try:
            async with _client(CALL_SECONDS) as client:
                answer = await client.post(self._url, json=asked, headers=headers)
        except httpx2.TransportError as error:
            why = one_line(str(error)) or type(error).__name__
            raise AwayError(f"{worker} cannot be reached: {why}.") from None
        if answer.status_code in OF_THE_WAY:
            raise AwayError(f"{worker} cannot be reached: {_describe(answer)}")
        return answer

    async def wait_until_back(self) -> None:
        import httpx2

        while True:
            try:
                async with _client(AGAIN) as client, client.stream("HEAD", self._url) as answer:
                    if answer.status_code not in OF_THE_WAY:
                        return
            except httpx2.TransportError:
                pass
            await asyncio.sleep(AGAIN)


def _describe(answer: httpx2.Response) -> str:
    said = one_line(answer.text, MOST_ACTION // 2)
    return f"HTTP {answer.status_code}: {said}".rstrip(": ")


def _client(seconds: float) -> httpx2.AsyncClient:
    """Return a client whose calls last up to `seconds`, and which reads no more than a report."""
    import httpx2

    from cookmas.files.unpacking import limit_body

    timeout = httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
    hooks = {"response": [limit_body(MOST_REPORT)]}
    return httpx2.AsyncClient(timeout=timeout, event_hooks=hooks, verify=_trust())


@cache
def _trust() -> ssl.SSLContext:
    """Return the certificates that are trusted; it takes long to read them."""
    import httpx2

    return httpx2.create_ssl_context()


def _headers() -> dict[str, str]:
    token = os.environ.get(TOKEN)
    return {"Authorization": f"Bearer {token}"} if token else {}
