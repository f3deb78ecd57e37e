"""Options that take a value for each seat: `--model big,bob=small`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_OF_SEAT = re.compile(r"\s*([\w .-]*\w)\s*=(.*)", re.DOTALL)


def by_seat(flag: str, value: str) -> tuple[str | None, dict[str, str]]:
    """Return the value for all seats, or None, and the values of single seats by seat.

    Raises InputError, which names the option `flag`, if a seat has two values.
    """
    from cookmas.files.errors import InputError

    shared: list[str] = []
    own: dict[str, str] = {}
    for part in value.split(","):
        found = _OF_SEAT.fullmatch(part)
        if found is None:
            shared.append(part)
        elif found[1] in own:
            raise InputError(flag, f"has two values for seat {found[1]!r}")
        else:
            own[found[1]] = found[2].strip()
    return ",".join(shared) or None, own


def split_by_seat(said: Mapping[str, Any], flags: Mapping[str, str]) -> tuple[dict[str, Any], Any]:
    """Return the options of all seats by name, and the options of single seats by seat and name.

    `said` has the given values of options by name. `flags` has the flags of those options that
    single seats can have, by the options' names. Raises InputError if a seat has two values of an
    option.
    """
    shared = dict(said)
    own: dict[str, dict[str, str]] = {}
    for name, flag in flags.items():
        if isinstance(value := said.get(name), str):
            shared[name], seats = by_seat(flag, value)
            for seat, each in seats.items():
                own.setdefault(seat, {})[name] = each
    return shared, own
