"""Which world is meant, and what is said of a scenario beside its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

World = Annotated[
    str | None,
    typer.Option(
        "--world", help="The world, where the name does not say; package.module:Domain for others."
    ),
]

DrawSeed = Annotated[
    int | None,
    typer.Option("--draw-seed", help="Draws anew what a scenario leaves to chance."),
]

TAKES_SETTINGS = {"ignore_unknown_options": True}
"""For commands whose arguments may have a world's own options among them, such as `--agents 2`."""


def parted(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The names among the arguments, and the settings. Raises InputError for one without value."""
    from files.errors import InputError

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
                raise InputError(word, "there is no such option here, or its value is missing")
            value = left.pop(0)
        settings[name.lstrip("-").replace("-", "_")] = value
    return names, settings
