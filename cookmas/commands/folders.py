"""The folders of open kitchens."""

from __future__ import annotations

from pathlib import Path

OPEN = "open"


def folder_name(redis: str | None) -> str:
    """What the folders of kitchens opened by `serve` are called, those in Redis by their names."""
    from episodes.redis_address import parted

    return OPEN if redis is None else f"{OPEN}-{parted(redis)[1]}"


def open_folder(runs: Path, name: str = OPEN) -> Path:
    """The folder for `serve`: of the last kitchen of a `name` unless it is over, else a new one."""
    from orchestrator.runs.folder import RUN, finished

    number = 1
    while (_numbered(runs, name, number + 1) / RUN).exists():
        number += 1
    last = _numbered(runs, name, number)
    if (last / RUN).exists() and finished(last):
        return _numbered(runs, name, number + 1)
    return last


def last_opened(runs: Path) -> Path:
    """The folder of the kitchen that was played last; what `serve` calls its first if none was."""
    from episodes.sqlite_file import MAILBOX

    folders = [mailbox.parent for mailbox in runs.glob(f"*/{MAILBOX}")]
    return max(folders, key=_played, default=runs / OPEN)


def _played(folder: Path) -> tuple[int, str]:
    """When a run was played last, or prepared."""
    from orchestrator.runs.folder import RUN
    from orchestrator.runs.lease import LOCK

    files = [folder / name for name in (LOCK, RUN) if (folder / name).exists()]
    return max((file.stat().st_mtime_ns for file in files), default=0), folder.name


def _numbered(runs: Path, name: str, number: int) -> Path:
    return runs / (name if number == 1 else f"{name}.{number}")
