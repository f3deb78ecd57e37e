"""The scripted model inside the calling process: the same answers, without a network."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from cookmas.episodes.parts import SCRIPTED
from cookmas.files.errors import InputError
from cookmas.modelserver import wire
from cookmas.modelserver.answers import Scripted
from cookmas.modelserver.faults import FAULTS, OF_TRANSPORT, Faults
from cookmas.modelserver.scripts import Scripts
from cookmas.orchestrator.models.budget import Prices
from cookmas.orchestrator.models.dialect import Dialect, to_wire
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.orchestrator.models.outcome import Response, judge


class ScriptedModel:
    """The scripted model for the given worlds.

    `worlds` are import paths `package.module:Domain` by name. The constructor raises InputError for
    an unknown fault, and for a fault that needs a network.
    """

    name = SCRIPTED

    def __init__(
        self, worlds: Mapping[str, str], faults: Faults, prices: Prices | None = None
    ) -> None:
        for fault in faults.rates:
            if fault not in FAULTS or fault in OF_TRANSPORT:
                known = ", ".join(name for name in FAULTS if name not in OF_TRANSPORT)
                raise InputError(f"fault {fault!r}", f"expected one of {known}")
        self._scripted = Scripted(Scripts(worlds), faults, _pool())
        self._prices = prices

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        """Return the answer to a request, computed from the request alone."""
        began = time.perf_counter()
        body = {"model": self.name, **to_wire(request, Dialect())}
        found = await self._scripted.answer(body, wire.request_digest(body))
        answer = judge(Response(body=found), request, self.name)
        cost = self._prices.cost(answer.usage) if self._prices else None
        return answer, CallMeasurements(seconds=time.perf_counter() - began, cost=cost)


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the thread pool that computes answers one at a time.

    Scripts run in a thread of their own, because they start event loops.
    """
    return ThreadPoolExecutor(max_workers=1)
