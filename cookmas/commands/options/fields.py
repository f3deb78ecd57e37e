"""How declared options become options of a command, in groups of its help and the reference."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, get_origin, get_type_hints

import typer
from typer.core import TyperCommand

from cookmas.files.options import LONGEST_WAIT, Option, options_of

ARGUMENTS = "Arguments"
OPTIONS = "Options"
OPEN_EPISODE = "Open episode"
CHECKPOINTS = "Checkpoints"
WORK = "Workers and thinking time"
MODEL = "Model"
COST = "Cost and budget"
RECORDED = "Recorded answers"
PROMPTING = "Prompting"
USER_CODE = "User-supplied code"

Command = Callable[..., None]


def duration(about: str) -> Any:
    """Return an option whose value is a number of seconds; `about` is its help text."""
    return typer.Option(help=about, min=0.0, max=LONGEST_WAIT)


def option_in(record: type, name: str, panel: str | None = None) -> Any:
    """Return the option of the command line that the field `name` of a record declares.

    `panel` is its group in the help.
    """
    declared = options_of(record)[name]
    shown = dict(declared.shown)
    if declared.by_seat:
        shown["metavar"] = f"[SEAT=]{declared.by_seat}"
    elif declared.least is not None:
        shown |= {"min": declared.least, "max": declared.most}
    flags = declared.flags
    if declared.kind is bool and not declared.flag:
        flags += f"/--no-{flags.removeprefix('--')}"
    return typer.Option(flags, help=declared.about, rich_help_panel=panel, **shown)


def with_options(
    parameter: str,
    records: Mapping[type, str | None],
    build: Callable[..., Any] | None = None,
) -> Callable[[Command], Command]:
    """Return a decorator of commands, which puts options in place of a command's `parameter`.

    There is one option for each option that one of the `records` declares; each record comes with
    the group of its options in the help. The parameter's value is the only record with the values
    of the options, or the values by name if there are several records. If there is a function
    `build`, it makes the value; then an option that the user does not give is None, whatever its
    default.
    """
    make = build or (dict if len(records) > 1 else next(iter(records)))
    options = [(record, each) for record in records for each in options_of(record).values()]
    added = [
        inspect.Parameter(
            _parameter(each),
            inspect.Parameter.KEYWORD_ONLY,
            default=None if build or _is_list(each) else each.default,
            annotation=Annotated[
                _kind(each, optional=build is not None),
                option_in(record, each.name, records[record]),
            ],
        )
        for record, each in options
    ]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run_command(**given: Any) -> None:
            values = {each.name: given.pop(_parameter(each)) for _, each in options}
            values |= {e.name: tuple(values[e.name] or ()) for _, e in options if _is_list(e)}
            command(**given, **{parameter: make(**values)})

        own = inspect.signature(command).parameters
        made_later = dict.fromkeys(("AskingOptions", "ModelOptions"), object)
        hints = get_type_hints(command, localns=made_later, include_extras=True)
        kept = [
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
            for name, each in own.items()
            if name != parameter
        ]
        parameters = [*kept, *added]
        run_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run_command.__annotations__ = {each.name: each.annotation for each in parameters}
        return run_command

    return decorate


def _parameter(option: Option) -> str:
    """Return the name of the parameter of a command, which no other option has."""
    return option.flags.removeprefix("--").replace("-", "_")


def _kind(option: Option, *, optional: bool) -> Any:
    """Return the type of an option on the command line."""
    if _is_list(option):
        return list[str] | None
    if option.by_seat or option.parse:
        return str | None
    return option.kind | None if optional else option.kind


def _is_list(option: Option) -> bool:
    return get_origin(option.kind) is tuple


def panel_of(parameter: Any) -> str:
    """Return the group of an argument or option."""
    if parameter.param_type_name == "argument":
        return ARGUMENTS
    return getattr(parameter, "rich_help_panel", None) or OPTIONS


class GroupedCommand(TyperCommand):
    """A command whose help lists its options group by group."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group, in the order in which the groups first appear."""
        sections: dict[str, list[Any]] = {}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                sections.setdefault(panel_of(parameter), []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)
