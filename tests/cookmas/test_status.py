"""Each number of a status is the one that was published under its name."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cookmas.status
from cookmas.status import FIGURES, status_of

PUBLISHED = {"timestep": 2, "done": 3, "lost": 5, "open": 7, "letters": 11, "late": 13.5}
TAKEN_FROM = {
    "timestep": "timestep",
    "reached": "done",
    "lost": "lost",
    "open": "open",
    "taken": "letters",
    "late_seconds": "late",
}
"""The name under which the orchestrator publishes each number."""


HISTOGRAMS = ("plan_durations", "message_waits")


class Box:
    """The mailbox of an episode, with fixed answers."""

    async def status(self) -> dict[str, Any]:
        figures = {name: 100 + number for number, name in enumerate(FIGURES)}
        flags = {"published": 1.0, "asleep": False, "planning": False}
        histograms = {name: {"counts": [n], "seconds": n} for n, name in enumerate(HISTOGRAMS)}
        return {**PUBLISHED, **flags, "figures": {**figures, **histograms}}

    async def backlog(self) -> Any:
        return SimpleNamespace(waiting=17, oldest=19.25)

    async def count_quarantined(self) -> int:
        return 23

    async def leave(self) -> None:
        """Do nothing."""


async def test_each_number_of_a_status_is_told_under_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def age(where: object) -> float:
        return 29.0004

    async def nobody(*_: object) -> None:
        """Return no seats."""

    for name, fake in {
        "letterbox": lambda where: Box(),
        "heartbeat_age": age,
        "empty_seats": nobody,
        "_find_redis": lambda folder: None,
    }.items():
        monkeypatch.setattr(cookmas.status, name, fake)
    found = (await status_of(tmp_path)).model_dump()
    for name, published in TAKEN_FROM.items():
        assert found[name] == PUBLISHED[published]
    for number, name in enumerate(FIGURES):
        assert found[name] == 100 + number
    assert (found["waiting"], found["oldest_seconds"], found["quarantined"]) == (17, 19.25, 23)
    for number, name in enumerate(HISTOGRAMS):
        assert found[name] == {"counts": (number,), "seconds": number}
    assert found["heartbeat_seconds"] == 29.0
    assert found["call_seconds"] is None
