"""Messages that a world declares for the house alone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from cookmas.episodes.trace import EventRecord
from cookmas.orchestrator.runs.request import RunRequest
from tests.worlds.laboratory.domain import LabDomain
from tests.worlds.laboratory.world import LabWorld


class GuardedWorld(LabWorld):
    """The laboratory in which only the house orders."""

    messages = (replace(LabWorld.messages[0], house_only=True), *LabWorld.messages[1:])


class GuardedDomain(LabDomain):
    """The domain of the laboratory in which only the house orders."""

    world_type = GuardedWorld

    @property
    def folder(self) -> Path:
        return LabDomain().folder


DOMAIN = GuardedDomain()


async def test_a_message_for_the_house_is_refused_from_anybody_else(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    spec = f"{__name__}:DOMAIN"
    create(folder, RunRequest(world=spec, scenario="open", planner="random", pace=0.0))
    playing = asyncio.create_task(aresume(folder))
    async with (
        AsyncClient(folder, "eve", world=spec) as eve,
        AsyncClient(folder, None, world=spec) as house,
    ):
        refused, taken = await eve.order("elisa", "60"), await house.order("elisa", "60")
        assert refused
        assert refused.status == "refused"
        assert refused.why == "only the house may send this message"
        assert taken
        assert taken.status == "taken", taken.why
        await house.close()
    run = await playing
    sent = [each for each in run.trace.of(EventRecord) if each.sender]
    assert [each.event["kind"] for each in sent] == ["unauthorized", "new_job"]


def test_a_form_says_for_whom_it_is() -> None:
    order, change, *_ = GuardedWorld.messages
    assert order.form()["house_only"] is True
    assert "house_only" not in change.form()
    assert order.usage().endswith(" (the house alone)")
    assert "house" not in change.usage()
