"""Translation of SQLite errors into errors for people."""

from __future__ import annotations

import sqlite3

from files.errors import InfrastructureError

LOCKED = "another process stopped during a write: let it continue, or end it"


def sqlite_error(where: object, error: sqlite3.Error) -> InfrastructureError:
    """Return an error of the database at `where` as an InfrastructureError; explain a lock."""
    locked = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
    return InfrastructureError(f"{where}: {LOCKED if locked else error}")
