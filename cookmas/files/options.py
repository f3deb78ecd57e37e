"""Options: what a user may set. Each is declared once, as a field of a dataclass.

    look_ahead: int = option(0, "Maximum repairs after a trial in the simulator.", most=99)

From this declaration are made: the record itself, the models of files and requests that inherit
from it (`option_models.py`), the options of commands, the checks of bounds, and the pages of the
reference. To list the commands imports no pydantic, so a declaration imports none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from cookmas.files.errors import InputError

LONGEST_WAIT = 1e6
"""Greatest value of any time limit, in seconds."""

MOST_MONEY = 1e9
"""Greatest value of any price or budget of money."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option, as its field declares it."""

    name: str
    kind: Any
    """Type of the value."""
    default: Any
    """The value if the user gives none."""
    about: str
    """Meaning of the option, in one or two sentences."""
    meaning: str = ""
    """Meaning of the field of a request, if `about` fits the command line alone."""
    least: float | None = None
    """Smallest number; None for no bound."""
    most: float | None = None
    """Greatest number; None for no bound."""
    flag: str = ""
    """The option on the command line, if it is not named after its field."""
    by_seat: str = ""
    """Name of the value on the command line, which takes one for each seat; else empty."""
    parse: Callable[[str], Any] | None = None
    """Function that reads the value from its text; None if pydantic and Typer know its type."""
    shown: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments of the command line's option, such as `envvar`."""

    @property
    def flags(self) -> str:
        """The option on the command line, such as `--look-ahead`."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    def refuse(self, value: Any) -> None:
        """Raise InputError if a value is out of the bounds, or is not among the choices."""
        kinds = [kind for kind in (self.kind, *get_args(self.kind)) if get_origin(kind) is Literal]
        choices = [choice for kind in kinds for choice in get_args(kind)]
        if choices and value is not None and value not in choices:
            raise InputError(self.flag or self.name, f"expected one of {', '.join(choices)}")
        bounded = isinstance(value, int | float) and not isinstance(value, bool)
        if bounded and not self._admits(value):
            expected = f"expected {self._describe_bounds()}, not {value}"
            raise InputError(self.flag or self.name, expected)

    def _admits(self, number: float) -> bool:
        low = self.least is None or number >= self.least
        return low and (self.most is None or number <= self.most)

    def _describe_bounds(self) -> str:
        if self.most is None:
            return f"at least {self.least:g}"
        return f"{self.least:g} to {self.most:.0f}"


def option(
    default: T,
    about: str,
    *,
    least: float | None = None,
    most: float | None = None,
    flag: str = "",
    by_seat: str = "",
    meaning: str = "",
    parse: Callable[[str], Any] | None = None,
    **shown: Any,
) -> T:
    """Return the field of a dataclass that is an option; the arguments are fields of `Option`.

    `shown` are further arguments of the command line's option, such as `metavar`.
    """
    declared = {
        "default": default,
        "about": about,
        "least": least,
        "most": most,
        "flag": flag,
        "by_seat": by_seat,
        "meaning": meaning,
        "parse": parse,
        "shown": shown,
    }
    return field(default_factory=lambda: default, metadata={"option": declared})


@cache
def options_of(record: type) -> Mapping[str, Option]:
    """Return the options that a dataclass declares, by name."""
    kinds = get_type_hints(record)
    return {
        each.name: Option(name=each.name, kind=kinds[each.name], **each.metadata["option"])
        for each in fields(record)
        if "option" in each.metadata
    }


def refuse_options(record: Any) -> None:
    """Raise InputError for the first option of a record that has no admitted value."""
    kind: type = type(record)
    for name, each in options_of(kind).items():
        each.refuse(getattr(record, name))
