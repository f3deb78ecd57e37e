"""A worker behind an HTTP address, such as a device.

Each assignment is a POST with a JSON object: `id`, `timestep`, `worker`, `action`, `since`,
`episode`, `timesteps`, `outlasts`. The answer is a report as JSON: `{"status": "done"}`, with
`action` and `result` if there are any, `{"status": "failed", "why": "..."}` or
`{"status": "running"}`. A device that is told to stop gets its assignment again with `stop`, which
is true; if it was done meanwhile, it answers with that report.
"""

from __future__ import annotations

import asyncio
import os

from cookmas.files.lines import one_line
from cookmas.workers.protocol import MOST_ACTION, Assigned, AwayError, Report

TOKEN = "COOKMAS_WORKER_TOKEN"
"""The environment variable with the token that the device wants, if it wants one."""

CALL_SECONDS = 3600.0
"""Greatest number of seconds of a call, for long work."""

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

        Raise AwayError if it cannot be reached, ValueError if its answer is no report. An error
        status is a failed report.
        """
        import httpx

        asked = {
            "id": assignment.id,
            "timestep": timestep,
            "worker": worker,
            **assignment.data(),
        }
        try:
            async with httpx.AsyncClient(timeout=CALL_SECONDS) as client:
                answer = await client.post(self._url, json=asked, headers=_headers())
        except httpx.TransportError as error:
            why = one_line(str(error)) or type(error).__name__
            raise AwayError(f"{worker} cannot be reached: {why}.") from None
        if answer.is_error:
            said = one_line(answer.text)[: MOST_ACTION // 2]
            return Report.failed(f"HTTP {answer.status_code}: {said}".rstrip(": "))
        return Report.of_data(answer.json())

    async def stop(self, assignment: Assigned) -> Report | None:
        """Tell the device to stop: the assignment is sent again, with `stop`.

        Return its report, if it answers with one. Raise AwayError if it cannot be reached.
        """
        import httpx

        asked = {"id": assignment.id, **assignment.data(), "stop": True}
        try:
            async with httpx.AsyncClient(timeout=CALL_SECONDS) as client:
                answer = await client.post(self._url, json=asked, headers=_headers())
        except httpx.TransportError as error:
            why = one_line(str(error)) or type(error).__name__
            raise AwayError(f"The device cannot be reached: {why}.") from None
        return Report.of_data(answer.json()) if answer.is_success and answer.content else None

    async def wait_until_back(self) -> None:
        """Wait until the device can be reached."""
        import httpx

        while True:
            try:
                async with httpx.AsyncClient(timeout=AGAIN) as client:
                    await client.head(self._url)
            except httpx.TransportError:
                await asyncio.sleep(AGAIN)
            else:
                return


def _headers() -> dict[str, str]:
    token = os.environ.get(TOKEN)
    return {"Authorization": f"Bearer {token}"} if token else {}
