"""The sessions of a run: each has the measurements of one process that played the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from cookmas.files.errors import InputError
from cookmas.files.reading import read_bytes, without_mark
from cookmas.files.wording import describe_error

MOST_OF_SESSIONS = 2**28
"""Maximum size of a `measurements.json`, in bytes."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)


class Call(_Part):
    """An answered model call."""

    seconds: float
    """Duration in seconds, including retries."""
    retries: int
    cost: float | None
    """Cost of the call; None if it is unknown."""


class Session(_Part):
    """One session of a run; further fields are allowed."""

    wall_seconds: float
    """Duration of the session by the wall clock, in seconds."""
    model_calls: list[Call] = []
    """The answered model calls of the session."""


class _Sessions(_Part):
    sessions: list[Session]


def read_sessions(path: Path) -> list[dict[str, Any]]:
    """Return the sessions in a `measurements.json`; an empty list if the file does not exist.

    Raise InputError if the file cannot be read.
    """
    try:
        file = _Sessions.model_validate_json(without_mark(read_bytes(path, MOST_OF_SESSIONS)))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})") from None
    except ValidationError as error:
        problem = describe_error(error, _Sessions)
        raise InputError(
            str(path), f"is damaged; remove it to continue without it ({problem})"
        ) from None
    return [session.model_dump(mode="json") for session in file.sessions]
