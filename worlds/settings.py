"""What a person says of a scenario beside its name, read."""

from __future__ import annotations

import re
from collections.abc import Mapping

from files.errors import InputError
from files.pitfalls import MOST_DIGITS

_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}")
_DECIMAL = re.compile(rf"[0-9]{{1,{MOST_DIGITS}}}(\.[0-9]{{1,{MOST_DIGITS}}})?")


def refuse(settings: Mapping[str, str], world: str) -> None:
    """Raise InputError for whatever is said where a world has no such options."""
    if settings:
        option = next(iter(settings)).replace("_", "-")
        raise InputError(f"--{option}", f"the world {world} has no such option")


def whole_number(option: str, text: str) -> int:
    """The number that an option says. Raises InputError."""
    if not _WHOLE.fullmatch(text):
        raise InputError(f"--{option}", f"expected a whole number, not {text[:40]!r}")
    return int(text)


def number(option: str, text: str) -> float:
    """The number, whole or decimal, that an option says. Raises InputError."""
    if not _DECIMAL.fullmatch(text):
        raise InputError(f"--{option}", f"expected a number, not {text[:40]!r}")
    return float(text)
