"""Why a value that people wrote is invalid, in their words instead of those of pydantic."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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


def describe_error(error: ErrorDetails, known: Sequence[str] = ()) -> str:
    """Return the field of an error, what is wrong with it, and what to do instead, in one line.

    `known` are the fields of the whole file; one of them that looks like an unknown field is named.
    """
    field, problem = describe_field(error, known)
    return f"{field}: {problem}" if field else problem


def describe_field(error: ErrorDetails, known: Sequence[str] = ()) -> tuple[str, str]:
    """Return the field of an error and, apart from it, what is wrong and what to do instead."""
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
        near = difflib.get_close_matches(place[-1], known, 1) if len(place) == 1 else []
        hint = f"; is it {near[0]!r}?" if near else "; leave it out, or correct its name"
        return field, f"there is no such field{hint}"
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
    return field or "the file", f"{problem}, not {show_value(given)}"


def _tag_of(context: Mapping[str, Any]) -> str:
    return str(context.get("discriminator", "")).strip("'")


def show_value(given: object) -> str:
    """Return a value in a message, cut after LONGEST_SHOWN characters."""
    shown = repr(given)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[: LONGEST_SHOWN - 3]}..."
