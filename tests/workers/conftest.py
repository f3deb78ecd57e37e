"""Fixtures of workers elsewhere: the place of their episode, and both ends of their wire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from cookmas.mailboxes.redis import link
from cookmas.workers import http_worker, wires
from cookmas.workers.remote import RemoteWorker, Wire, WireChannel
from cookmas.workers.wires import make_wires, wire_at
from tests.workers.device import Device, serving
from tests.workers.elsewhere import Remote, Robot, Where, working


@pytest.fixture(autouse=True)
def waits_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a device that is away be asked again soon, and a worker not wait long for its folder."""
    monkeypatch.setattr(http_worker, "AGAIN", 0.2)
    monkeypatch.setattr(wires, "LOCKED", 0.3)
    monkeypatch.setattr(link, "BLOCK", 0.5)


@pytest.fixture(params=["redis", "folder"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Where:
    """Return where the episode is to which the worker belongs."""
    if request.param == "redis":
        request.getfixturevalue("link")
        return f"{request.getfixturevalue('server').url}#corner"
    make_wires(tmp_path, 1)
    return tmp_path


@pytest.fixture
def device() -> Iterator[Device]:
    with serving() as found:
        yield found


@pytest.fixture
async def robot(where: Where) -> AsyncIterator[Robot]:
    robot = Robot()
    async with working(where, robot):
        yield robot


@pytest.fixture
async def remote(where: Where) -> AsyncIterator[Remote]:
    """Return a function that makes an orchestrator's end, with connections of its own."""
    made: list[Wire] = []

    def make(deadline: float = 0.5, fence: int = 1) -> RemoteWorker:
        made.append(wire_at(where, "worker_2", 60))
        return RemoteWorker(WireChannel(made[-1], fence), deadline)

    yield make
    for wire in made:
        await wire.close()
