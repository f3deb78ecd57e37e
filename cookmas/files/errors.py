"""Errors that a user can correct. The message is one line: the place, the problem, what to do.

CookMASError
+-- InputError          a file or an argument is invalid
|   |-- UnsupportedError  something that this world does not support
|   |-- NotationError   a food, component or action that cannot be read
|   |-- MachineError    a setting of this machine, such as a proxy, by which nothing is reached
|   `-- NobodyThereError  a person who should answer is absent
+-- DamagedError        a database that CookMAS did not write, or that is broken
+-- TraceError          a trace that cannot be read
+-- MissingError        something requested that does not exist
|   `-- NoOpenEpisodeError  an open episode that does not exist, or not yet
`-- InfrastructureError something outside CookMAS does not answer, such as a server
    |-- StorageError    a file of this machine cannot be read or written, as on a full disk
    |-- NotAllowedError a server that refuses this user permission
    |-- LeaseLostError  another process plays the episode now
    `-- LimitReachedError  an external limit forbids further model calls
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


class CookMASError(Exception):
    """Base of all errors that a user can correct; the command line prints only the message."""


class InputError(CookMASError):
    """An error in a file or an argument: `where` names its place, `problem` says what is wrong."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem


class NotationError(InputError):
    """A text that does not follow an expected notation, such as the notation of actions."""

    def __init__(self, text: str, problem: str) -> None:
        super().__init__(repr(text), problem)


class UnsupportedError(InputError):
    """A request for something that the world does not support."""


class MachineError(InputError):
    """A setting of this machine, such as a proxy or a certificate, by which nothing is reached.

    No other attempt can help before it is corrected, so an episode stops where it is.
    """


class NobodyThereError(InputError):
    """A person should answer at a place, such as a seat, but nobody has taken this place.

    The episode can continue as soon as a person takes the place.
    """

    def __init__(self, place: str) -> None:
        super().__init__(place, "nobody sits there")


class DamagedError(CookMASError):
    """A database that is broken, or holds what CookMAS does not write; a retry cannot help."""


class TraceError(CookMASError):
    """A trace that cannot be read, or does not match the world, scenario or checkpoint."""


class MissingError(CookMASError):
    """A scenario, text, file or package that does not exist."""


class UnsolvedError(MissingError):
    """The solving of a world is not there, so what needs a proof is unscored."""


class NoOpenEpisodeError(MissingError):
    """An open episode that does not exist, or does not exist yet."""


class InfrastructureError(CookMASError):
    """A system outside CookMAS, such as a server, does not answer. The episode ends unscored."""


class EndpointAwayError(InfrastructureError):
    """An endpoint of a model does not answer, or not now; a later attempt may succeed.

    An open episode waits and asks again. The error is `unreachable` if the address itself cannot be
    reached, so that no call to it can succeed.
    """

    def __init__(self, why: str, *, unreachable: bool = False) -> None:
        super().__init__(why)
        self.unreachable = unreachable


class StorageError(InfrastructureError):
    """A file of this machine cannot be read or written now, as on a full disk.

    An episode whose own file it is stops where it is; nothing else can be at fault.
    """


class NotAllowedError(InfrastructureError):
    """A server refuses permission for the requested operation."""


class LeaseLostError(InfrastructureError):
    """Another process plays the episode now.

    The process that gets this error stops and writes nothing more.
    """


class LimitReachedError(InfrastructureError):
    """An external limit (such as Inspect's) forbids further model calls."""


LOCKED = "another process stopped during a write: let it continue, or end it"
"""The text that says what a user can do about a database that stays locked."""

FENCED = "another process plays this run now"
"""The text of a LeaseLostError when another process has taken the lease of a run."""


RESTORE = "restore a backup, or continue from the trace with 'cookmas fork'"
"""The text that says what a user can do about data of a run that is lost or damaged."""


def sqlite_error(where: object, error: sqlite3.Error) -> CookMASError:
    """Return the error for users that stands for an error of the database at `where`.

    It is DamagedError if the file is no sound database of CookMAS. Another attempt can help after
    the other two: InfrastructureError if the database is locked, else StorageError. If the database
    is locked or damaged, the message says what the user can do.
    """
    import sqlite3

    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return DamagedError(f"{where}: is damaged ({error}); {RESTORE}")
    if code == sqlite3.SQLITE_BUSY:
        return InfrastructureError(f"{where}: {LOCKED}")
    return StorageError(f"{where}: {error}")
