"""An outage: the endpoint of a planner's model is away, and an open episode waits for it.

The planner is asked again, after pauses that double. Meanwhile messages are taken, and a fallback
planner plans if the episode has one. An outage is no part of a checkpoint: a process that resumes
the episode asks the planner at once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from cookmas.episodes.trace import ModelCall
from cookmas.files.errors import EndpointAwayError
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.models.patience import Reach, check_quickly
from cookmas.orchestrator.planner import Observation, Plan, Planner, PlanningStoppedError
from cookmas.orchestrator.planners.calling import ask_planner

_log = logging.getLogger(__name__)


class EndpointOutage:
    """The failures of a planner's endpoint since its last answer.

    `now` returns the seconds of a clock, and `sleep` waits some seconds.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.why: str | None = None
        """Why there is an outage; None if there is none."""
        self._now = now
        self._sleep = sleep
        self._reach = Reach()
        self._calls: list[ModelCall] = []
        self._measured: list[CallMeasurements] = []

    @property
    def left(self) -> float:
        """The seconds until the planner is asked again; 0 if it may be asked now."""
        return max(0.0, self._reach.probe - self._now()) if self.why is not None else 0.0

    def begin(self, error: EndpointAwayError | PlanningStoppedError) -> None:
        """Take note of a failure, after which the planner is not asked for a while.

        The calls that the endpoint had answered before are kept for the next answer.
        """
        if isinstance(error, PlanningStoppedError):
            self._calls += error.calls
            self._measured += error.measured
        self._reach.fail(self._now())
        self.why = str(error)
        _log.warning("%s; asked again in %g s", error, self._reach.pause)

    def end(self) -> None:
        """Take note of an answer of the planner."""
        self.why = None
        self._reach.recover(self._now())

    def charge(self, answer: Plan) -> Plan:
        """Return an answer with the calls before it whose dialogue a failure has ended."""
        if not self._calls:
            return answer
        calls, measured = [*self._calls, *answer.calls], [*self._measured, *answer.measured]
        self._calls, self._measured = [], []
        numbered = [call.model_copy(update={"number": n}) for n, call in enumerate(calls, start=1)]
        return replace(answer, calls=numbered, measured=measured)

    async def wait(self, news: Awaitable[None] | None = None) -> bool:
        """Wait until the planner may be asked again; return True if `news` came before."""
        waits = [asyncio.ensure_future(self._sleep(self.left))]
        if news is not None:
            waits.append(asyncio.ensure_future(news))
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            return waits[-1] in done and news is not None
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)


async def ask_patiently(
    planner: Planner,
    fallback: Planner | None,
    observation: Observation[Any],
    outage: EndpointOutage,
    news: Callable[[], Awaitable[None]] | None,
    tell: Callable[[], Awaitable[None]],
) -> tuple[Plan, Planner] | None:
    """Return the answer of a planner, and the planner that gave it.

    If the planner's endpoint is away, the `fallback` answers. Without one, wait and ask again;
    return None as soon as `news` come. `tell` is called after each failure.
    Raise what planners raise.
    """
    while True:
        if not outage.left:
            try:
                with check_quickly(fallback is not None):
                    answer = await ask_planner(planner, observation)
            except (EndpointAwayError, PlanningStoppedError) as error:
                if isinstance(error, PlanningStoppedError) and not error.away:
                    raise
                outage.begin(error)
                await tell()
            else:
                outage.end()
                return outage.charge(answer), planner
        if fallback is not None:
            return outage.charge(await ask_planner(fallback, observation)), fallback
        if await outage.wait(news() if news else None):
            return None
