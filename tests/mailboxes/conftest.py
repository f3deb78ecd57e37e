"""Mailboxes of each kind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.mailboxes.opened import MAILBOXES, Opened, said


@pytest.fixture(autouse=True)
def no_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody finds by chance what nobody has told."""
    monkeypatch.setattr("cookmas.mailboxes.sqlite.bell.GLANCE", 3600.0)


@pytest.fixture(params=sorted(MAILBOXES))
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    async with MAILBOXES[request.param](tmp_path, [(0, said("known")), (7, said("later"))]) as it:
        yield it


@pytest.fixture(params=sorted(MAILBOXES))
async def bare(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    async with MAILBOXES[request.param](tmp_path, []) as it:
        yield it
