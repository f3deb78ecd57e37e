"""In which order events reach an episode."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cookmas.files.errors import LOCKED, InfrastructureError, InputError
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.mailboxes.sqlite.file import MAILBOX, create_mailbox
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.mailboxes.sqlite.mailbox import SqliteMailbox


async def test_what_is_due_comes_before_what_is_injected() -> None:
    box = MemoryMailbox([(4, {"kind": "late"}), (2, {"kind": "known"})])
    box.inject({"kind": "injected first"})
    box.inject({"kind": "injected second"})
    letters = await box.open(2, after=0)
    assert [letter.event["kind"] for letter in letters] == [
        "known",
        "injected first",
        "injected second",
    ]
    assert [letter.number for letter in letters] == [1, 2, 3]
    assert [letter.injected for letter in letters] == [False, True, True]


async def test_a_timestep_opened_again_gives_the_same_letters() -> None:
    box = MemoryMailbox([(0, {"kind": "known"})])
    box.inject({"kind": "injected"})
    letters = await box.open(0, after=0)
    box.inject({"kind": "injected for the next timestep"})
    assert (await box.open(0, after=0))[:2] == letters
    assert [letter.number for letter in await box.open(1, after=2)] == [3]


async def test_nothing_is_due_later_while_something_injected_waits() -> None:
    """So the timesteps before what is known are not passed over: it comes at the next one."""
    box = MemoryMailbox([(9, {"kind": "known"})])
    assert await box.due(0) == 9
    box.inject({"kind": "injected"})
    assert await box.due(0) is None
    await box.open(3, after=0)
    assert await box.due(1) == 9


async def test_a_mailbox_of_an_earlier_version_is_refused_in_one_line(tmp_path: Path) -> None:
    create_mailbox(tmp_path, [])
    with closing(sqlite3.connect(tmp_path / MAILBOX)) as database, database:
        database.execute("PRAGMA user_version = 2")
    refusal = r"mailbox.sqlite: is a mailbox of version 2, [^\n]*$"
    with pytest.raises(InputError, match=refusal):
        await SqliteLetterbox(tmp_path).status()
    with pytest.raises(InputError, match=refusal):
        SqliteMailbox(tmp_path, fence=1)


async def test_a_mailbox_that_stays_locked_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cookmas.mailboxes.sqlite.file.PATIENCE", 0.1)
    create_mailbox(tmp_path, [])
    letterbox, mailbox = SqliteLetterbox(tmp_path), SqliteMailbox(tmp_path, fence=1)
    with closing(sqlite3.connect(tmp_path / MAILBOX, isolation_level=None)) as writing:
        writing.execute("BEGIN IMMEDIATE")
        for asked in (letterbox.close(), mailbox.publish({})):
            with pytest.raises(InfrastructureError, match=LOCKED):
                await asked
    mailbox.close()
