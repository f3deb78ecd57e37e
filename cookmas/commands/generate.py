"""The command `cookmas generate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.options.shared import Json, World
from cookmas.display.terminal import print_json, tell


def generate(
    level: Annotated[int, typer.Argument(help="The difficulty; 1, 2 or 3 in the restaurant.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The scenario's file (.yaml).")],
    size: Annotated[
        int | None,
        typer.Option(help="The number of goals, such as order lines. [default: by the level]"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=10**9, help="Seed of the random generator.")] = 0,
    world: World = None,
    json: Json = False,
) -> None:
    """Generate a scenario and its truth; the same arguments give the same scenario."""
    from cookmas.files.errors import InputError
    from cookmas.world_names import USUAL, domain_of

    if output.suffix != ".yaml":
        raise InputError("--output", f"expected a file that ends in .yaml, not {output}")
    if output.exists():
        raise InputError("--output", f"{output} exists already")
    domain = domain_of(world or USUAL)
    written = domain.generate(level, size, seed, output)
    if json:
        scenario, *truth = map(str, written)
        print_json({"scenario": scenario, **({"truth": truth[0]} if truth else {})})
    else:
        for path in written:
            tell(path)
