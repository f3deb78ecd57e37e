"""The help of a command with many options lists them group by group."""

from __future__ import annotations

import re
from typing import Any

import typer

from cookmas.commands.cli import app
from cookmas.commands.options.fields import OPTIONS, panel_of

MOST_UNGROUPED = 14


def _command(name: str) -> Any:
    group: Any = typer.main.get_command(app)
    return group.get_command(None, name)


def test_the_help_of_run_is_grouped() -> None:
    command = _command("run")
    shown = command.get_help(typer.Context(command, info_name="run"))
    titles = re.findall(r"^(\w.*):$", shown, re.MULTILINE)
    assert titles == [
        "Arguments",
        "Options",
        "Open episode",
        "User-supplied code",
        "Model",
        "Cost and budget",
        "Recorded answers",
        "Prompting",
        "Workers and thinking time",
        "Checkpoints",
    ]


def test_no_command_has_many_options_without_a_group() -> None:
    for name in ("run", "play", "fork", "serve", "bench", "prompt"):
        plain = [each for each in _command(name).params if panel_of(each) == OPTIONS]
        assert len(plain) <= MOST_UNGROUPED, name


def test_an_option_is_in_the_same_group_of_every_command() -> None:
    groups: dict[str, set[str]] = {}
    for name in ("run", "play", "fork", "serve", "bench"):
        for each in _command(name).params:
            if each.param_type_name == "option":
                groups.setdefault(each.name, set()).add(panel_of(each))
    assert {name: found for name, found in groups.items() if len(found) > 1} == {}
