"""The options that name a world and its settings for a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from cookmas.commands.options.fields import option_in, with_options
from cookmas.orchestrator.options import RunFields, WorkFields

with_run_options = with_options("given", {RunFields: None})
"""A decorator that gives a command one option for each field of its parameter `given`."""

with_work_options = with_options("work", {WorkFields: None})
"""A decorator that gives a command one option for each field of its parameter `work`."""

World = Annotated[str | None, option_in(RunFields, "world")]

DrawSeed = Annotated[int | None, option_in(RunFields, "seed")]

TAKES_SETTINGS = {"ignore_unknown_options": True}
"""Typer settings of commands whose arguments may include a world's options, such as `--agents 2`.
"""


def split_arguments(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the names among the arguments, and the settings by name.

    Raises InputError for an option without a value.
    """
    from cookmas.files.errors import InputError

    names: list[str] = []
    settings: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        if not word.startswith("-"):
            names.append(word)
            continue
        name, given, value = word.partition("=")
        if not given:
            if not left or left[0].startswith("--"):
                raise InputError(word, "the option is unknown, or its value is missing")
            value = left.pop(0)
        settings[name.lstrip("-").replace("-", "_")] = value
    return names, settings
