"""The command `cookmas list`."""

from __future__ import annotations

from typing import Annotated

import typer

from cookmas.commands.options.shared import Json, World
from cookmas.display.terminal import console, print_json, words


def list_scenarios(
    group: Annotated[
        str | None, typer.Argument(help="A world, or a group of scenarios such as level1.")
    ] = None,
    world: World = None,
    json: Json = False,
) -> None:
    """List the scenarios that come with CookMAS for a world, by default the restaurant."""
    from rich.table import Table

    from cookmas.world_names import USUAL, WORLDS, domain_of

    if group in WORLDS and world is None:
        world, group = group, None
    spec = world or USUAL
    if group and group.startswith(f"{spec}/"):
        group = group.removeprefix(f"{spec}/")
    domain = domain_of(spec)
    rows = [dict(domain.row(domain.scenario(name, {}))) for name in domain.names(group)]
    if json:
        print_json(rows)
        return
    table = Table(*(rows[0] if rows else ("name",)))
    for row in rows:
        table.add_row(*map(words, row.values()))
    console().print(table)
    if world is None:
        console().print(words(f"Worlds: {', '.join(WORLDS)}", style="dim"))
