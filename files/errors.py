"""Errors that a person can correct: one line each with the place, the problem, the expectation.

CookMASError
+-- InputError          a file or an argument (file, field, what, expected)
|   |-- UnsupportedError  something that this world does not support
|   |-- NotationError   a food, component or action that cannot be read
|   `-- NobodyThereError  a person who should answer is absent
+-- TraceError          a trace that cannot be read
+-- MissingError        something requested that does not exist
|   `-- NoOpenEpisodeError  an open episode that does not exist, or not yet
`-- InfrastructureError something outside CookMAS does not answer, such as a server
    |-- NotAllowedError a server that refuses this user permission
    |-- LeaseLostError  another process plays the episode now
    `-- LimitReachedError  an external limit forbids further model calls
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


class CookMASError(Exception):
    """Base of all errors that a person can correct; the command line prints its one line."""


class InputError(CookMASError):
    """An error in a file or an argument: `where` is the place, `problem` what is wrong there."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem


class NotationError(InputError):
    """A text that does not follow the expected notation, such as that of foods or actions."""

    def __init__(self, text: str, problem: str) -> None:
        super().__init__(repr(text), problem)


class UnsupportedError(InputError):
    """A request for something that the world does not support."""


class NobodyThereError(InputError):
    """A person should answer, but no one has taken that place.

    The episode can go on once someone does.
    """

    def __init__(self, place: str) -> None:
        super().__init__(place, "nobody sits there")


class TraceError(CookMASError):
    """A trace that cannot be read, or that does not match what it is used with."""


class MissingError(CookMASError):
    """A scenario, text, file or package that does not exist."""


class NoOpenEpisodeError(MissingError):
    """An open episode that does not exist, or does not exist yet."""


class InfrastructureError(CookMASError):
    """Something outside CookMAS does not answer, such as a server. The episode ends unscored."""


class NotAllowedError(InfrastructureError):
    """A server refuses permission for the requested operation."""


class LeaseLostError(InfrastructureError):
    """Another process plays the episode now.

    The process that gets this error stops and writes nothing more.
    """


class LimitReachedError(InfrastructureError):
    """An external limit (such as Inspect's) forbids further model calls."""


LOCKED = "another process stopped during a write: let it continue, or end it"
"""What a person can do about a database that stays locked."""


def sqlite_error(where: object, error: sqlite3.Error) -> InfrastructureError:
    """Return an error of the database at `where` as an InfrastructureError; explain a lock."""
    import sqlite3

    locked = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
    return InfrastructureError(f"{where}: {LOCKED if locked else error}")
