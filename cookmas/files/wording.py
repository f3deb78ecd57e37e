"""Why a value that people wrote is invalid, in their words instead of those of pydantic."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from cookmas.files.naming import suggest_name

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

LONGEST_SHOWN = 60
"""Greatest number of characters of a value that are shown."""

_TYPES: Mapping[str, str] = {
    "bool_type": "true or false",
    "dict_type": "a mapping of names to values",
    "model_type": "a mapping of names to values",
    "finite_number": "a finite number",
    "float_type": "a number",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_attributes_type": "a mapping of names to values",
    "string_type": "a text",
}
"""What was expected, by pydantic's type of error."""

_BOUNDS: Mapping[str, str] = {
    "greater_than": "a number greater than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "a number less than {lt}",
    "less_than_equal": "at most {le}",
    "literal_error": "{expected}",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} characters",
    "too_long": "at most {max_length} of them",
    "too_short": "at least {min_length} of them",
    "union_tag_invalid": "one of {expected_tags}",
}
"""The same for errors with numbers or names of their own."""


_CHOSEN = frozenset({"literal_error", "union_tag_invalid"})
"""The types of errors that list the expected names."""

_EXPECTED = re.compile(r"'([^']*)'")


def describe_error(error: ValidationError, model: object = None) -> str:
    """Return the field of an error, what is wrong with it, and what to do instead, in one line.

    `model` is the model or the type that refused the value; of its fields the one that looks like
    an unknown field is named. A misspelt field counts before others, which may be missing for it.
    """
    field, problem = describe_field(error, model)
    return f"{field}: {problem}" if field else problem


def describe_field(error: ValidationError, model: object = None) -> tuple[str, str]:
    """Return the field of an error and, apart from it, what is wrong and what to do instead."""
    errors = error.errors()
    for each in errors:
        if each["type"] == "extra_forbidden":
            *place, name = each["loc"]
            if hint := suggest_name(str(name), _names_at(model, place)):
                field = ".".join(str(part) for part in each["loc"])
                return field, f"there is no such field{hint}"
    return _describe(errors[0])


def _names_at(model: object, place: Sequence[int | str]) -> set[str]:
    """Return the names of the fields of all models that may stand at a place within a model.

    Parts of the place that name no field are numbers and keys, and the kinds of a union.
    """
    models = _models_in(model)
    for part in place:
        fields = [each.model_fields for each in models]
        inner = [each[part].annotation for each in fields if isinstance(part, str) and part in each]
        if inner:
            models = [found for each in inner for found in _models_in(each)]
        elif chosen := [each for each in models if _has_kind(each, part)]:
            models = chosen
    return {field.alias or name for each in models for name, field in each.model_fields.items()}


def _has_kind(model: type[BaseModel], kind: int | str) -> bool:
    """Return whether a field of a model may have only this one value, as in a union of kinds."""
    return any(get_args(each.annotation) == (kind,) for each in model.model_fields.values())


def _models_in(kind: object) -> list[type[BaseModel]]:
    if isinstance(kind, type) and hasattr(kind, "model_fields"):
        return [kind]
    return [found for each in get_args(kind) for found in _models_in(each)]


def _describe(error: ErrorDetails) -> tuple[str, str]:
    kind, given, context = error["type"], error["input"], error.get("ctx", {})
    place = [str(part) for part in error["loc"]]
    if kind == "missing":
        return ".".join(place), "is missing"
    if kind == "union_tag_not_found":
        return ".".join([*place, _tag_of(context)]), "is missing"
    if kind == "union_tag_invalid":
        place.append(_tag_of(context))
        given = context["tag"]
    field = ".".join(place)
    if kind == "extra_forbidden":
        return field, "there is no such field; leave it out, or correct its name"
    if kind == "value_error":
        problem = error["msg"].removeprefix("Value error, ")
        if isinstance(given, dict | list) or "\n" in str(given):
            return field, problem
    elif kind in _TYPES:
        problem = f"expected {_TYPES[kind]}"
    elif kind in _BOUNDS:
        problem = f"expected {_BOUNDS[kind].format(**context)}"
    else:
        problem = error["msg"]
    near = suggest_name(str(given), _EXPECTED.findall(problem)) if kind in _CHOSEN else ""
    return field or "the file", f"{problem}, not {show_value(given)}{near}"


def _tag_of(context: Mapping[str, Any]) -> str:
    return str(context.get("discriminator", "")).strip("'")


def show_value(given: object) -> str:
    """Return a value in a message, cut after LONGEST_SHOWN characters."""
    shown = repr(given)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[: LONGEST_SHOWN - 3]}..."
