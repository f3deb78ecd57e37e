"""The folders of open episodes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from cookmas.display.terminal import say_error
from cookmas.files.errors import InputError, MissingError, NoOpenEpisodeError

T = TypeVar("T")

OPEN = "open"

OPENING = 20.0
"""Seconds that a command waits for an episode that `cookmas serve` may be opening."""

GLANCE = 0.1
"""Seconds between two attempts to find an open episode."""


def folder_name(redis: str | None) -> str:
    """Return the name of the folder in which an open episode is played.

    `redis` is the address of the episode in Redis; None without Redis.
    """
    from cookmas.mailboxes.redis.address import split_address

    return OPEN if redis is None else f"{OPEN}-{split_address(redis)[1]}"


def open_folder(runs: Path, name: str = OPEN) -> Path:
    """Return the folder in which `cookmas serve` plays.

    It is the folder of the last episode with this `name`, or a new folder if that episode is over.
    An episode whose process was killed at its end first answers its messages.
    """
    from cookmas.mailboxes.sqlite.file import count_unanswered
    from cookmas.orchestrator.runs.folder import RUN, is_finished

    number = 1
    while (_name_folder(runs, name, number + 1) / RUN).exists():
        number += 1
    last = _name_folder(runs, name, number)
    if (last / RUN).exists() and is_finished(last) and not count_unanswered(last):
        return _name_folder(runs, name, number + 1)
    return last


def once_open(ask: Callable[[], T]) -> T:
    """Return what `ask` returns. While `ask` raises NoOpenEpisodeError, call it again, for up to
    OPENING seconds.

    Raises NoOpenEpisodeError if there is still no open episode then.
    """
    until, told = time.monotonic() + OPENING, False
    while True:
        try:
            return ask()
        except NoOpenEpisodeError as error:
            if time.monotonic() > until:
                raise
            if not told:
                say_error(f"{error}; waiting up to {OPENING:g} s for one")
            told = True
        time.sleep(GLANCE)


def find_open_episode(at: Path | None, redis: str | None, runs: Path) -> Path | str:
    """Return the folder or the Redis address of the chosen open episode.

    It is the one in the folder `at`, else the one at the address `redis`, else the one in `runs`
    that was played last. Raises NoOpenEpisodeError if there is none, MissingError if the run takes
    no messages, InputError for the address of another server.
    """
    from cookmas.mailboxes.redis.address import is_address_of_any, split_address
    from cookmas.orchestrator.runs.folder import RUN, read_run

    if redis and not at:
        split_address(redis)
        return redis
    if at and is_address_of_any(at):
        raise InputError("--at", "expected a folder; an address of Redis goes with --redis")
    folder = at or last_opened(runs)
    if not (folder / RUN).exists():
        raise no_open_episode(folder)
    file = read_run(folder)
    if file.pace is None:
        raise MissingError(
            f"{folder}: this run takes no messages; 'cookmas serve' opens one that does"
        )
    return file.redis.address() if file.redis else folder


def no_open_episode(folder: Path) -> NoOpenEpisodeError:
    """Return the error for a folder without an open episode."""
    return NoOpenEpisodeError(f"{folder}: there is no open episode here; 'cookmas serve' opens one")


def last_opened(runs: Path) -> Path:
    """Return the folder of the open episode that was played last; `runs/open` if there is none.

    Its messages may come through a mailbox in the folder, or through Redis.
    """
    from cookmas.orchestrator.runs.folder import RUN

    folders = sorted((file.parent for file in runs.glob(f"*/{RUN}")), key=_find_last_played)
    return next((folder for folder in reversed(folders) if _was_opened(folder)), runs / OPEN)


def _was_opened(folder: Path) -> bool:
    from cookmas.files.errors import CookMASError
    from cookmas.mailboxes.sqlite.file import MAILBOX
    from cookmas.orchestrator.runs.folder import read_run

    if (folder / MAILBOX).exists():
        return True
    try:
        return read_run(folder).redis is not None
    except CookMASError:
        return False


def _find_last_played(folder: Path) -> tuple[int, str]:
    """Return the time in nanoseconds at which a run was last played or prepared, and its folder's
    name.
    """
    from cookmas.orchestrator.runs.folder import RUN
    from cookmas.orchestrator.runs.lease import LOCK

    files = [folder / name for name in (LOCK, RUN) if (folder / name).exists()]
    return max((file.stat().st_mtime_ns for file in files), default=0), folder.name


def _name_folder(runs: Path, name: str, number: int) -> Path:
    return runs / (name if number == 1 else f"{name}.{number}")
