"""A mailbox that another process holds is refused in one line, also when it is opened."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cookmas.files.errors import LOCKED, InfrastructureError
from cookmas.mailboxes.sqlite import file as mailbox_file
from cookmas.mailboxes.sqlite.file import MAILBOX, create_mailbox
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
