"""Forms of actions, such as `ring(BELL)`, and the actions of a form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

ARGUMENT = re.compile(r"[A-Z][A-Z_]*")
"""Pattern of an argument in a form; BELL is the argument in `ring(BELL)`."""

Choices = Mapping[str, Sequence[str]]
"""The values of arguments that are known beforehand, by argument."""


def pattern_of(form: str, choices: Choices) -> re.Pattern[str]:
    """Return the pattern that the actions of a form match.

    An argument without choices is any text without brackets and commas.
    """
    pieces = ARGUMENT.split(form)
    values = [
        "|".join(map(re.escape, choices[name])) if name in choices else r"[^(),]+"
        for name in ARGUMENT.findall(form)
    ]
    rest = (
        f"(?:{value}){re.escape(piece)}" for value, piece in zip(values, pieces[1:], strict=True)
    )
    return re.compile(re.escape(pieces[0]) + "".join(rest))


def is_listed(form: str, choices: Choices) -> bool:
    """Return whether all actions of a form can be listed: each argument has choices."""
    return all(name in choices for name in ARGUMENT.findall(form))


def list_actions(form: str, choices: Choices) -> Iterator[str]:
    """Yield all actions of a form whose arguments all have choices."""
    frame = ARGUMENT.sub("{}", form)
    for values in product(*(choices[name] for name in ARGUMENT.findall(form))):
        yield frame.format(*values)
