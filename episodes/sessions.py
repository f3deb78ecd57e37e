"""Sessions of a run, each from its opening to its end or the next kill: what they took."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from files.errors import InputError
from files.reading import read_bytes

MOST_OF_SESSIONS = 2**28
"""Bytes of a `measurements.json`."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)


class Call(_Part):
    """An answered call of a model: seconds, retries, and money where the price is known."""

    seconds: float
    retries: int
    cost: float | None


class Session(_Part):
    """A session of a run, with the calls of a model in it; it may say more."""

    wall_seconds: float
    model_calls: list[Call] = []


class _Sessions(_Part):
    sessions: list[Session]


def read_sessions(path: Path) -> list[dict[str, Any]]:
    """Return the sessions in a `measurements.json`, none where there is no such file.

    Raises InputError if it cannot be read.
    """
    try:
        found = _Sessions.model_validate_json(read_bytes(path, MOST_OF_SESSIONS))
    except FileNotFoundError:
        return []
    except (OSError, ValidationError) as error:
        problem = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error.strerror
        raise InputError(
            str(path), f"is damaged; remove it to go on without it ({problem})"
        ) from None
    return found.model_dump(mode="json")["sessions"]  # type: ignore[no-any-return]
