"""Checks of a scenario's options, and the numbers that they give."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from cookmas.files.errors import InputError
from cookmas.files.pitfalls import MOST_DIGITS

_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}")
_DECIMAL = re.compile(rf"[0-9]{{1,{MOST_DIGITS}}}(\.[0-9]{{1,{MOST_DIGITS}}})?")


def refuse(settings: Mapping[str, str], world: str) -> None:
    """Raise InputError for the first option, if there is any, because `world` has no options."""
    if settings:
        raise InputError(_as_typed(next(iter(settings))), f"the world {world} has no such option")


def check_name(option: str, known: Collection[str]) -> None:
    """Raise InputError if an option is none of those of a world, which are `known`."""
    if option not in known:
        others = ", ".join(map(_as_typed, known))
        raise InputError(_as_typed(option), f"there is no such option, only {others}")


def _as_typed(option: str) -> str:
    """Return an option as it is typed on the command line, such as `--hide-partner`."""
    return "--" + option.replace("_", "-")


def check_word(option: str, word: str, words: Collection[str]) -> None:
    """Raise InputError if the value of an option is none of its words."""
    if word not in words:
        raise InputError(_as_typed(option), f"expected {' or '.join(words)}, not {word[:40]!r}")


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
