"""The orchestrator's place on the live page: a table of actions, simulated while it is edited."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from cookmas.files.errors import InputError
from cookmas.orchestrator.planner import Entry, Observation
from cookmas.orchestrator.planners.sheet import LONGEST_ACTION, MOST_ROWS, Row, Sheet
from cookmas.people.polling import Sent, poll, receive

WHERE = "/schedule"
"""The URL path of the schedule. The page asks there whether a schedule is wanted, and sends the
schedule that the person has written.
"""

LONGEST = 2**22
"""Maximum size of a request from the page in bytes."""

Action = Annotated[str, Field(max_length=LONGEST_ACTION)]


class _Written(Sent):
    """A schedule that the page sends.

    `wanted` names the planner's request that the schedule answers, and `rows` has the actions of
    each timestep by worker. `t` is the timestep for which the page asks the legal actions. `anyway`
    is True to accept a schedule in which actions would FAIL.
    """

    wanted: str
    rows: Annotated[list[dict[str, Action]], Field(max_length=MOST_ROWS)]
    t: Annotated[int, Field(ge=0)] | None = None
    anyway: bool = False


class _Wanted:
    """The planner's request for a schedule. The planner awaits the schedule as `answer`."""

    def __init__(
        self, observation: Observation[Any], draft: Sequence[Entry], limit: float | None
    ) -> None:
        loop = asyncio.get_running_loop()
        self.name = secrets.token_hex(8)
        self.sheet = Sheet(observation)
        self.answer: asyncio.Future[Sequence[Entry]] = loop.create_future()
        self._seen = observation
        self._draft = self.sheet.rows(draft)
        self._until = None if limit is None else loop.time() + limit

    def data(self) -> dict[str, Any]:
        """Return the request as plain data: the planner's observation without the parts that the
        page shows anyway, and the draft of the schedule.
        """
        seen, until = self._seen, self._until
        now = asyncio.get_running_loop().time()
        return {
            "wanted": self.name,
            "t": self.sheet.begin,
            "workers": self.sheet.workers,
            "triggers": [[trigger.kind, trigger.cause] for trigger in seen.triggers],
            "instructions": [[each.timestep, each.words] for each in seen.instructions],
            "away": dict(seen.away),
            "rows": self._draft,
            "legal": self.sheet.legal([], self.sheet.begin),
            "seconds": None if until is None else max(0.0, until - now),
        }


class PagePlace:
    """A person who writes schedules on the page of the run. The page's server needs `routes`."""

    def __init__(self) -> None:
        self._wanted: _Wanted | None = None
        self._over = False
        self._news = asyncio.Event()
        self.routes = (
            poll(WHERE, self._wait_past, self._tell),
            receive(WHERE, _Written, LONGEST, self._take),
            receive(f"{WHERE}/check", _Written, LONGEST, self._check),
            receive(f"{WHERE}/legal", _Written, LONGEST, self._legal),
        )

    async def schedule(
        self, observation: Observation[Any], draft: Sequence[Entry], limit: float | None
    ) -> Sequence[Entry]:
        wanted = _Wanted(observation, draft, limit)
        self._want(wanted)
        try:
            return await wanted.answer
        finally:
            self._want(None)

    def close(self) -> None:
        """Tell the page that the episode is over, and withdraw the request that it shows."""
        self._over = True
        self._want(None)

    def _want(self, wanted: _Wanted | None) -> None:
        self._wanted = wanted
        self._news.set()
        self._news = asyncio.Event()

    def _tell(self) -> dict[str, Any]:
        """Return the planner's present request; without one, whether the episode is over."""
        return self._wanted.data() if self._wanted else {"wanted": "", "over": self._over}

    async def _wait_past(self, seen: str) -> None:
        while not self._over and seen == (self._wanted.name if self._wanted else ""):
            await self._news.wait()

    async def _take(self, written: _Written) -> dict[str, Any]:
        wanted = self._find_wanted(written)
        troubles = wanted.sheet.troubles(_strip(written))
        if any(trouble.unreadable for trouble in troubles) or (troubles and not written.anyway):
            return {"taken": False, "troubles": [trouble._asdict() for trouble in troubles]}
        if not wanted.answer.done():
            wanted.answer.set_result(_strip(written))
        return {"taken": True}

    async def _check(self, written: _Written) -> dict[str, Any]:
        troubles = self._find_wanted(written).sheet.troubles(_strip(written))
        return {"troubles": [trouble._asdict() for trouble in troubles]}

    async def _legal(self, written: _Written) -> dict[str, Any]:
        sheet = self._find_wanted(written).sheet
        timestep = sheet.begin if written.t is None else written.t
        return {"legal": sheet.legal(_strip(written), timestep)}

    def _find_wanted(self, written: _Written) -> _Wanted:
        """Return the request that a schedule answers.

        Raises InputError if the request is outdated, or if the schedule names an unknown worker.
        """
        wanted = self._wanted
        if wanted is None or written.wanted != wanted.name:
            raise InputError("schedule", "it is too late: this schedule is no longer wanted")
        strange = {worker for row in written.rows for worker in row} - set(wanted.sheet.workers)
        if strange:
            raise InputError("schedule", f"there is no worker {min(strange)!r:.60}")
        return wanted


def _strip(written: _Written) -> list[Row]:
    return [{w: a.strip() for w, a in row.items() if a.strip()} for row in written.rows]
