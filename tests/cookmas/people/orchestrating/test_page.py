"""The orchestrator's place on the page, as its requests are answered: without a browser."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from starlette.applications import Starlette

from cookmas.orchestrator.planner import Observation
from cookmas.people.orchestrating.page import WHERE, PagePlace
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld


async def test_a_schedule_is_checked_and_answers_the_request_that_it_names() -> None:
    place, world = PagePlace(), CorridorWorld(CorridorLevel())
    more: dict[str, Any] = {"triggers": (), "texts": {}, "fails": {}}
    seen: Any = Observation(timestep=0, world=world, state=world.start(), **more)
    app = httpx.ASGITransport(Starlette(routes=place.routes))
    async with httpx.AsyncClient(transport=app, base_url="http://127.0.0.1") as page:
        asking = asyncio.create_task(place.schedule(seen, (), None))
        wanted = (await page.get(WHERE)).json()
        assert (wanted["t"], wanted["workers"]) == (0, ["walker_1", "walker_2"])

        async def send(
            *rows: dict[str, str], what: str = "", name: str = wanted["wanted"], **more: Any
        ) -> Any:
            sent = {"wanted": name, "rows": rows, **more}
            return (await page.post(f"{WHERE}{what}", json=sent)).json()

        late = "schedule: it is too late: this schedule is no longer wanted"
        assert (await send({}, name="another"))["why"] == late
        for what in ("", "/check", "/legal"):
            stranger = await send({"walker_1": "right"}, {"ann": "right"}, what=what)
            assert stranger == {"why": "schedule: there is no worker 'ann'"}
        told = await send({"walker_1": "right"}, what="/legal", t=1)
        assert "left" in told["legal"]["walker_1"]
        (trouble,) = (await send({"walker_1": " left "}, what="/check"))["troubles"]
        assert (trouble["timestep"], trouble["worker"]) == (0, "walker_1")
        assert await send({"walker_1": "left"}) == {"taken": False, "troubles": [trouble]}
        assert (await send({"walker_1": "hop"}, anyway=True))["taken"] is False
        assert not asking.done()
        assert await send({"walker_1": " right ", "walker_2": " "}) == {"taken": True}
        assert [dict(entry) for entry in await asking] == [{"walker_1": "right"}]
        assert (await send({"walker_1": "right"}))["why"] == late
        place.close()
        assert (await page.get(WHERE)).json() == {"wanted": "", "over": True}
