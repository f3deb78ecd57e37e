"""A mailbox that another process holds is refused in one line, also when it is opened."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cookmas.files.errors import LOCKED, InfrastructureError
from cookmas.mailboxes.sqlite import file as mailbox_file
from cookmas.mailboxes.sqlite.file import (
    MAILBOX,
    count_unanswered,
    create_mailbox,
    read_meanings,
)
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.mailboxes.sqlite.mailbox import SqliteMailbox


def test_a_mailbox_in_which_another_process_writes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_mailbox(tmp_path)
    monkeypatch.setattr(mailbox_file, "PATIENCE", 0.1)
    with closing(sqlite3.connect(tmp_path / MAILBOX, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InfrastructureError, match=LOCKED):
            SqliteMailbox(tmp_path)
        other.execute("ROLLBACK")
    SqliteMailbox(tmp_path).close()


def count_waiting(folder: Path) -> object:
    return asyncio.run(SqliteLetterbox(folder).backlog())


@pytest.mark.parametrize("use", [SqliteMailbox, count_waiting, read_meanings, count_unanswered])
def test_a_mailbox_that_cannot_be_opened_is_an_error_for_users_at_each_door(
    use: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_mailbox(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("cookmas.mailboxes.sqlite.file.sqlite3.connect", fail)
    with pytest.raises(InfrastructureError, match="unable to open") as raised:
        use(tmp_path)
    assert str(tmp_path) in str(raised.value)
