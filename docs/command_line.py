"""The page of the command line, made from the commands."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import typer

from cookmas.commands.cli import app
from cookmas.commands.options.fields import ARGUMENTS, OPTIONS, panel_of
from cookmas.display.terminal import LONGEST_ERROR
from cookmas.files.options import LONGEST_WAIT, MOST_MONEY
from docs.pages import as_page, as_table, in_cell

LEAST = 3
"""Commands that have an option with the same words, which is then told once for them."""


class Told(NamedTuple):
    """An argument or option of a command, as the page tells it."""

    panel: str
    """The title of its group in the help text."""
    names: str
    default: str
    meaning: str
    commands: tuple[str, ...] = ()
    """The commands that have it, if others have an option of its name with another meaning."""


def cli_page() -> str:
    """Return the page of the commands with their arguments and options.

    An option that several commands have with the same words is told once, in a table of its group;
    with its commands if others mean something else by its name.
    """
    group: Any = typer.main.get_command(app)
    commands = dict(commands_of(group))
    shared = _shared({name: list(_options(each)) for name, each in commands.items()})
    return as_page(
        "Command line",
        "After `make run` the command is `.venv/bin/cookmas`. `cookmas COMMAND --help` shows the "
        "same texts as this page, with all options of the command.",
        "## Exit codes",
        as_table(("code", "meaning"), EXIT_CODES.items()),
        "If a signal cut a run, a line says how to continue. "
        f"Errors are one line of at most {LONGEST_ERROR} characters on stderr; a longer one "
        "keeps its head and tail. With `--json`, stdout has only JSON. A character that the "
        "encoding of the terminal lacks is written as an escape such as `\\u5bff`; files "
        "are always in UTF-8.",
        f"Seconds are at most {LONGEST_WAIT:,.0f}, money is at most {MOST_MONEY:,.0f}.",
        "## Commands",
        *(_command(name, command, shared) for name, command in commands.items()),
        "## Shared options",
        "Options that several commands have with the same meaning.",
        *(
            f"### {title}\n\n" + as_table(("option", "default", "meaning"), map(_row, some))
            for title, some in _by_panel(shared.values()).items()
        ),
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
    "129": "the terminal was lost (SIGHUP)",
    "130": "interrupted (SIGINT)",
    "141": "the reader of standard output has closed it (SIGPIPE)",
    "143": "terminated (SIGTERM)",
}


def _options(command: Any) -> Iterator[Told]:
    for parameter in command.params:
        if parameter.name != "help":
            flags = [*parameter.opts, *parameter.secondary_opts]
            names = ", ".join(f"`{flag}`" for flag in flags)
            if parameter.param_type_name == "argument":
                names = f"`{_metavar(parameter)}`"
            meaning = in_cell(parameter.help or "")
            yield Told(panel_of(parameter), names, _default(parameter.default), meaning)


def _shared(commands: Mapping[str, Sequence[Told]]) -> Mapping[Told, Told]:
    """Return the options of several commands, each as the shared tables tell it.

    Of one name in a group, the most frequent meaning is that of all commands which are not named.
    """
    every = [option for options in commands.values() for option in options]
    shared: dict[Told, Told] = {}
    for option, times in Counter(every).most_common():
        if times > 1 and option.panel != ARGUMENTS:
            if not any(each[:2] == option[:2] for each in shared):
                shared[option] = option
            elif times >= LEAST and option.panel == OPTIONS:
                having = [name for name, options in commands.items() if option in options]
                shared[option] = option._replace(commands=tuple(having))
    order = {option: None for option in every if option in shared}
    return {option: shared[option] for option in order}


def _row(option: Told) -> Sequence[str]:
    having = [f"`{name}`" for name in option.commands]
    names = f"{option.names} of {', '.join(having)}" if having else option.names
    return names, option.default, option.meaning


def _by_panel(options: Iterable[Told]) -> Mapping[str, list[Told]]:
    panels: dict[str, list[Told]] = {}
    for option in options:
        panels.setdefault(option.panel, []).append(option)
    return panels


def _command(name: str, command: Any, shared: Mapping[Told, Told]) -> str:
    usage = " ".join(["cookmas", name, *_pieces(command)])
    own = [option for option in _options(command) if option not in shared]
    table = as_table(("name", "default", "meaning"), map(_row, own))
    parts = [f"### {name}", f"    {usage}", inspect.cleandoc(command.help or "")]
    parts += [table] * bool(own)
    others = [option for option in _options(command) if option in shared]
    return "\n\n".join([*parts, *_told_elsewhere(others, _by_panel(shared))])


def _told_elsewhere(options: Sequence[Told], panels: Mapping[str, list[Told]]) -> Iterator[str]:
    """Yield the line on the shared options of a command: whole groups by their titles."""
    told = []
    for title, some in _by_panel(options).items():
        link = f"[{title}](#{title.casefold().replace(' ', '-')})"
        whole = title != OPTIONS and len(some) == len(panels[title])
        told.append(link if whole else f"{link}: {', '.join(option.names for option in some)}")
    if told:
        yield f"Shared: {'; '.join(told)}."


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
