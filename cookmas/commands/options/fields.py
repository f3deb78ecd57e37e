"""Options that replace one parameter of a command: one option for each field of the parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from functools import wraps
from typing import Annotated, Any, get_args, get_type_hints

import typer

from cookmas.orchestrator.bounds import LONGEST_WAIT, MOST_MONEY


def option(kind: Any, flag: str, about: str, **more: Any) -> Any:
    """Return the annotation of a parameter that is an option of a command.

    `kind` is the type of the value, and `about` the help text.
    """
    return Annotated[kind, typer.Option(flag, help=about, **more)]


def amount(
    about: str,
    *flags: str,
    least: float = 0.0,
    most: float = MOST_MONEY,
    panel: str | None = None,
) -> Any:
    """Return an option whose value is a number from `least` to `most`; `about` is its help text."""
    return typer.Option(*flags, help=about, min=least, max=most, rich_help_panel=panel)


def duration(about: str, *flags: str, least: float = 0.0, panel: str | None = None) -> Any:
    """Return an option whose value is a number of seconds, at least `least`; `about` is its help
    text.
    """
    return amount(about, *flags, least=least, most=LONGEST_WAIT, panel=panel)


def with_options(
    command: Callable[..., None],
    parameter: str,
    options: Mapping[str, Any],
    build: Callable[..., Any],
    defaults: Mapping[str, Any] | None = None,
    panels: Mapping[str, str] | None = None,
) -> Callable[..., None]:
    """Return a command with `options` in place of its `parameter`.

    `build` makes the parameter's value from the values of the options, which it gets by name.
    `defaults` has default values of options; the default of any other option is None. `panels` has
    the group of each option in the help.
    """

    @wraps(command)
    def run_command(**given: Any) -> None:
        value = build(**{name: given.pop(name) for name in options})
        command(**given, **{parameter: value})

    own = inspect.signature(command).parameters
    names = dict.fromkeys(("AskingOptions", "ModelOptions"), object)
    hints = get_type_hints(command, localns=names, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        each.replace(kind=keyword, annotation=hints[name])
        for name, each in own.items()
        if name != parameter
    ]
    parameters += [
        inspect.Parameter(
            name,
            keyword,
            default=(defaults or {}).get(name),
            annotation=_in_panel(annotation, (panels or {}).get(name)),
        )
        for name, annotation in options.items()
    ]
    run_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run_command.__annotations__ = {each.name: each.annotation for each in parameters}
    return run_command


def _in_panel(annotation: Any, panel: str | None) -> Any:
    """Return the annotation of an option, with `panel` as its group in the help."""
    kind, declared = get_args(annotation)
    grouped = copy(declared)
    grouped.rich_help_panel = panel
    return Annotated[kind, grouped]
