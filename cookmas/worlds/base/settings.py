"""The settings of a scenario: a user's options, as values of the fields of a scenario's file."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.files.yaml_text import MOST_DIGITS

Settings = Mapping[str, str]
"""Options that a user gives with the name of a scenario, such as the number of agents."""

_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}")
_DECIMAL = re.compile(rf"[0-9]{{1,{MOST_DIGITS}}}(\.[0-9]{{1,{MOST_DIGITS}}})?")
_FLAGS: Mapping[str, bool] = {"yes": True, "no": False, "True": True, "False": False}


def read_settings(
    file_type: type[BaseModel], settings: Settings, options: Collection[str], world: str
) -> dict[str, Any]:
    """Return the settings as values of fields of `file_type`.

    Raise InputError, which names the option, if it is none of `options` or its value is invalid.
    """
    values = {}
    for name, text in settings.items():
        check_name(name, options, world)
        values[name] = _read_value(name, text, file_type.model_fields[name])
    return values


def check_name(option: str, known: Collection[str], world: str) -> None:
    """Raise InputError if an option is none of those of a world, which are `known`."""
    if option not in known:
        others = ", ".join(map(_as_typed, known))
        near = suggest_name(_as_typed(option), map(_as_typed, known))
        no_option = f"there is no such option, only {others}{near}"
        raise InputError(
            _as_typed(option), no_option if known else f"the world {world} has no such option"
        )


def _as_typed(option: str) -> str:
    """Return an option as it is typed on the command line, such as `--hide-partner`."""
    return "--" + option.replace("_", "-")


def _read_value(name: str, text: str, field: FieldInfo) -> Any:
    kind: Any = field.annotation
    if kind is int:
        value: Any = parse_whole_number(name, text)
    elif kind is float:
        value = number(name, text)
    elif kind is bool:
        value = _FLAGS[choose_word(name, text, _FLAGS, shown=("yes", "no"))]
    else:
        value = text
    whole: Any = Annotated[kind, *field.metadata] if field.metadata else kind
    try:
        return TypeAdapter(whole).validate_python(value)
    except ValidationError:
        raise InputError(_as_typed(name), f"expected {_describe(field)}, not {text[:40]}") from None


def _describe(field: FieldInfo) -> str:
    """Return the words or the range of a field in words."""
    if get_origin(field.annotation) is Literal:
        return _list_words(get_args(field.annotation))
    least = [f"more than {limit.gt}" for limit in field.metadata if isinstance(limit, Gt)]
    least += [f"at least {limit.ge}" for limit in field.metadata if isinstance(limit, Ge)]
    most = [f"at most {limit.le}" for limit in field.metadata if isinstance(limit, Le)]
    return " and ".join([*least, *most]) or "another value"


def choose_word(option: str, text: str, words: Collection[str], shown: Collection[str] = ()) -> str:
    """Return the value of an option, which must be one of `words`. Raise InputError otherwise."""
    if text not in words:
        expected = _list_words(shown or words)
        raise InputError(_as_typed(option), f"expected {expected}, not {text[:40]!r}")
    return text


def _list_words(words: Collection[str]) -> str:
    return " or ".join(words) if len(words) == 2 else f"one of {', '.join(words)}"


def parse_whole_number(option: str, text: str) -> int:
    """Return the value of an option as a whole number. Raise InputError for other texts."""
    if not _WHOLE.fullmatch(text):
        raise InputError(_as_typed(option), f"expected a whole number, not {text[:40]!r}")
    return int(text)


def number(option: str, text: str) -> float:
    """Return the value of an option as a number. Raise InputError for other texts."""
    if not _DECIMAL.fullmatch(text):
        raise InputError(_as_typed(option), f"expected a number, not {text[:40]!r}")
    return float(text)
