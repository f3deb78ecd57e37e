"""The page of the command line, made from the commands."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import typer

from cookmas.commands.cli import app
from cookmas.commands.options.fields import ARGUMENTS, OPTIONS, panel_of
from cookmas.display.terminal import LONGEST_ERROR
from cookmas.files.options import LONGEST_WAIT, MOST_MONEY
from docs.pages import as_page, as_table, in_cell


def cli_page() -> str:
    """Return the page of the commands with their arguments and options."""
    group: Any = typer.main.get_command(app)
    return as_page(
        "Command line",
        "After `make run` the command is `.venv/bin/cookmas`. `cookmas COMMAND --help` shows the "
        "same text as this page.",
        "## Exit codes",
        as_table(("code", "meaning"), EXIT_CODES.items()),
        f"Errors are one line of at most {LONGEST_ERROR} characters on stderr; a longer one "
        "keeps its head and tail. With `--json`, stdout has only JSON. A character that the "
        "encoding of the terminal lacks is written as an escape such as `\\u5bff`; files "
        "are always in UTF-8.",
        f"Seconds are at most {LONGEST_WAIT:,.0f}, money is at most {MOST_MONEY:,.0f}.",
        "## Commands",
        *(_command(name, command) for name, command in commands_of(group)),
    )


def commands_of(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Return all commands by their names, such as `recipes push`."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "commands"):
            yield from commands_of(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


EXIT_CODES: Mapping[str, str] = {
    "0": "success: every episode succeeded, every timestep was equal, every file is valid. If an "
    "episode has no truth: everything was served",
    "1": "an episode or its planner failed, or the episode is unscored; a trace diverged or is "
    "unfinished; two runs differ; a check found a fault; user-supplied code failed",
    "2": "usage or bad input; a file or standard output (a closed one too) cannot be written; an "
    "external service does not answer; there is no open episode",
    "3": "`status`: the kitchen is not over and no orchestrator plays it, or its orchestrator "
    "gives no heartbeat. 0 means alive or over",
    "129": "the terminal was lost (SIGHUP); a line says how to continue",
    "130": "interrupted (SIGINT); a line says how to continue",
    "141": "the reader of standard output has closed it (SIGPIPE); if that cut a run, a line says "
    "how to continue",
    "143": "terminated (SIGTERM); a line says how to continue",
}


def _command(name: str, command: Any) -> str:
    usage = " ".join(["cookmas", name, *_pieces(command)])
    groups: dict[str, list[Sequence[str]]] = {}
    for parameter in command.params:
        if parameter.name == "help":
            continue
        flags = [*parameter.opts, *parameter.secondary_opts]
        names = ", ".join(f"`{flag}`" for flag in flags)
        if parameter.param_type_name == "argument":
            names = f"`{_metavar(parameter)}`"
        row = (names, _default(parameter.default), in_cell(parameter.help or ""))
        groups.setdefault(panel_of(parameter), []).append(row)
    help_text = inspect.cleandoc(command.help or "")
    return "\n\n".join([f"### {name}", f"    {usage}", help_text, *_tables(groups)])


def _tables(groups: Mapping[str, Iterable[Sequence[str]]]) -> Iterator[str]:
    """Yield one table of arguments and plain options, and a titled table for each other group."""
    plain = [row for title in (ARGUMENTS, OPTIONS) for row in groups.get(title, ())]
    if plain:
        yield as_table(("argument or option", "default", "meaning"), plain)
    for title, rows in groups.items():
        if title not in (ARGUMENTS, OPTIONS):
            yield f"*{title}*"
            yield as_table(("option", "default", "meaning"), rows)


def _pieces(command: Any) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    for argument in arguments:
        piece = _metavar(argument) + ("..." if argument.nargs == -1 else "")
        yield piece if argument.required else f"[{piece}]"
    if len(command.params) > len(arguments):
        yield "[OPTIONS]"


def _metavar(parameter: Any) -> str:
    return str(parameter.name).upper()


def _default(value: Any) -> str:
    if value is None or value is False or value == () or "UNSET" in repr(value).upper():
        return ""
    return f"`{value}`"
