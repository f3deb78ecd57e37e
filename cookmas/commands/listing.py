"""`cookmas list`."""

from __future__ import annotations

from typing import Annotated

import typer

from cookmas.terminal import console, print_json, words


def list_scenarios(
    level: Annotated[str | None, typer.Argument(help="level1, level2 or level3.")] = None,
    json: Annotated[bool, typer.Option("--json", help="JSON for machines.")] = False,
) -> None:
    """List the scenarios that come with CookMAS."""
    from rich.table import Table

    from cookmas.orders import ordered
    from episodes.errors import InputError
    from scenarios.scenario import load_scenario, scenario_names

    number = (level or "").removeprefix("level")
    if level and number not in ("1", "2", "3"):
        raise InputError("level", f"expected level1, level2 or level3, not {level!r}")
    scenarios = [load_scenario(name) for name in scenario_names(int(number) if number else None)]
    columns = ("name", "title", "level", "kitchen", "lines", "events")
    rows = [
        (s.name, s.file.title, s.file.level, s.file.kitchen, len(ordered(s)), len(s.file.events))
        for s in scenarios
    ]
    if json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
        return
    table = Table(*columns)
    for row in rows:
        table.add_row(*map(words, row))
    console().print(table)
