"""The bell of a mailbox or wire in a folder, also one whose pipe fails."""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path
from typing import Any

import pytest

from cookmas.mailboxes.sqlite.bell import PipeBell


async def test_a_ring_wakes_who_waits(tmp_path: Path) -> None:
    bell = PipeBell(tmp_path / "bell")
    with bell.listen() as wait:
        bell.ring()
        async with asyncio.timeout(60):
            await wait(3600)


@pytest.mark.parametrize("number", [errno.EIO, errno.EINTR, errno.EAGAIN])
async def test_a_pipe_that_cannot_be_read_ends_no_wait_with_an_error_and_rings_again(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    calls = 0

    def fail(*_: object) -> bytes:
        nonlocal calls
        calls += 1
        raise OSError(number, os.strerror(number))

    bell = PipeBell(tmp_path / "bell")
    with bell.listen() as wait:
        with monkeypatch.context() as failing:
            failing.setattr("cookmas.mailboxes.sqlite.bell.os.read", fail)
            bell.ring()
            await wait(0.05)
        assert calls == 1 if number == errno.EIO else calls >= 1
        assert reported == []
        async with asyncio.timeout(60):
            await wait(3600)


async def test_a_ring_wakes_once(tmp_path: Path) -> None:
    loop, bell = asyncio.get_running_loop(), PipeBell(tmp_path / "bell")
    with bell.listen() as wait:
        bell.ring()
        await wait(3600)
        begin = loop.time()
        await wait(0.05)
        assert loop.time() - begin > 0.04
