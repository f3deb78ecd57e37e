"""Checks of a scenario's options, and the numbers that they give."""

from __future__ import annotations

import re
from collections.abc import Mapping

from files.errors import InputError
from files.pitfalls import MOST_DIGITS

_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}")
_DECIMAL = re.compile(rf"[0-9]{{1,{MOST_DIGITS}}}(\.[0-9]{{1,{MOST_DIGITS}}})?")


def refuse(settings: Mapping[str, str], world: str) -> None:
    """Raise InputError for the first option, if there is any, because `world` has no options."""
    if settings:
        option = next(iter(settings)).replace("_", "-")
        raise InputError(f"--{option}", f"the world {world} has no such option")


def parse_whole_number(option: str, text: str) -> int:
    """Return the value of an option as a whole number. Raise InputError for other texts."""
    if not _WHOLE.fullmatch(text):
        raise InputError(f"--{option}", f"expected a whole number, not {text[:40]!r}")
    return int(text)


def number(option: str, text: str) -> float:
    """Return the value of an option as a number. Raise InputError for other texts."""
    if not _DECIMAL.fullmatch(text):
        raise InputError(f"--{option}", f"expected a number, not {text[:40]!r}")
    return float(text)
