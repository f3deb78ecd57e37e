"""The options of a model, with its endpoint, prices and budgets, and of how a planner asks it.

Some take a value for each seat: `--model big,bob=small`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.commands.options.fields import COST, MODEL, PROMPTING, RECORDED, with_options
from cookmas.files.options import options_of
from cookmas.orchestrator.dialogue.prompting import PromptFields, Prompting
from cookmas.orchestrator.options import CassetteFields, CostFields, EndpointFields, Sampling

LISTS = ("extra", "header")
"""Options that a user can repeat, for all seats or for one."""

_OF_SEAT = re.compile(r"\s*([\w .-]*\w)\s*=(.*)", re.DOTALL)


def by_seat(flag: str, value: str) -> tuple[str | None, dict[str, str]]:
    """Return the value for all seats, or None, and the values of single seats by seat.

    A value for all seats that has an equals sign itself is written with one more in front of it.
    Raises InputError, which names the option `flag`, if a seat has two values.
    """
    from cookmas.files.errors import InputError

    shared: list[str] = []
    own: dict[str, str] = {}
    for part in value.split(","):
        found = _OF_SEAT.fullmatch(part)
        if found is None:
            shared.append(part.removeprefix("="))
        elif found[1] in own:
            raise InputError(flag, f"has two values for seat {found[1]!r}")
        else:
            own[found[1]] = found[2].strip()
    return ",".join(shared) or None, own


def split_by_seat(given: Mapping[str, Any], *records: type) -> tuple[dict[str, Any], Any]:
    """Return the options of all seats by name, and the options of single seats by seat and name.

    `given` has the values of options by name; `records` declare those that single seats can have.
    Raises InputError if a seat has two values of an option.
    """
    shared = dict(given)
    own: dict[str, dict[str, Any]] = {}
    seated = [each for record in records for each in options_of(record).values() if each.by_seat]
    for each in seated:
        if isinstance(value := given.get(each.name), str):
            shared[each.name], seats = by_seat(each.flags, value)
            for seat, own_value in seats.items():
                own.setdefault(seat, {})[each.name] = own_value
    return shared, own


def split_list(given: Sequence[str]) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return those of the texts `[SEAT:]NAME=VALUE` that are for all seats, and those by seat."""
    shared: list[str] = []
    own: dict[str, tuple[str, ...]] = {}
    for text in given:
        seat, colon, rest = text.partition(":")
        if colon and "=" not in seat:
            own[seat.strip()] = (*own.get(seat.strip(), ()), rest)
        else:
            shared.append(text)
    return tuple(shared), own


def _build_model(**given: Any) -> Any:
    from cookmas.orchestrator.models.options import BUDGETS, ModelOptions
    from cookmas.orchestrator.runs.folder import trace_file

    if replay := given.get("replay"):
        given["replay"] = trace_file(replay)
    shared, own = split_by_seat(given, EndpointFields, CostFields)
    for name in LISTS:
        shared[name], lists = split_list(given[name])
        for seat, values in lists.items():
            own.setdefault(seat, {})[name] = (*shared[name], *values)
    shared = {name: value for name, value in shared.items() if value is not None}
    beside = {name: value for name, value in shared.items() if name not in BUDGETS}
    seats = {seat: ModelOptions(**{**beside, **each}) for seat, each in own.items()}
    return ModelOptions(**shared, seats=seats)


def _build_asking(**given: Any) -> Any:
    from cookmas.orchestrator.dialogue.options import AskingOptions

    shared, own = split_by_seat(given, PromptFields)
    seats = {seat: AskingOptions(**{**shared, **each}) for seat, each in own.items()}
    return AskingOptions(**shared, seats=seats)


with_model_options = with_options(
    "options", {EndpointFields: MODEL, CostFields: COST, CassetteFields: RECORDED}, _build_model
)
"""A decorator that gives a command one option for each field of its parameter `options`."""

with_endpoint_options = with_options("options", {EndpointFields: MODEL}, _build_model)
"""The same decorator for the options of the endpoint alone."""

with_asking_options = with_options(
    "asking", {PromptFields: PROMPTING, Prompting: PROMPTING, Sampling: MODEL}, _build_asking
)
"""A decorator that gives a command one option for each field of its parameter `asking`."""
