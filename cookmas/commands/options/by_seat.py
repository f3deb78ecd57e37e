"""Options that take a value for each seat: `--model big,bob=small`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_OF_SEAT = re.compile(r"\s*([\w .-]*\w)\s*=(.*)", re.DOTALL)


def by_seat(flag: str, value: str) -> tuple[str | None, dict[str, str]]:
    """Return what is said of all seats, and what of single ones.

    Raises InputError where something is said twice.
    """
    from files.errors import InputError

    shared: list[str] = []
    own: dict[str, str] = {}
    for part in value.split(","):
        found = _OF_SEAT.fullmatch(part)
        if found is None:
            shared.append(part)
        elif found[1] in own:
            raise InputError(flag, f"says it twice for seat {found[1]!r}")
        else:
            own[found[1]] = found[2].strip()
    return ",".join(shared) or None, own


def seated(said: Mapping[str, Any], flags: Mapping[str, str]) -> tuple[dict[str, Any], Any]:
    """Return what is said of all seats, by name, and what is said of each single one.

    Only the options with `flags` can be said for single seats. Raises InputError.
    """
    shared = dict(said)
    own: dict[str, dict[str, str]] = {}
    for name, flag in flags.items():
        if isinstance(value := said.get(name), str):
            shared[name], seats = by_seat(flag, value)
            for seat, each in seats.items():
                own.setdefault(seat, {})[name] = each
    return shared, own
