"""`cookmas generate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.terminal import print_json, tell


def generate(
    level: Annotated[int, typer.Argument(help="1, 2 or 3.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The scenario's file (.yaml).")],
    size: Annotated[int | None, typer.Option(help="How many order lines. [default: 1, 4 or 6]")] = (
        None
    ),
    seed: Annotated[int, typer.Option(help="Another seed, another scenario.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="JSON for machines.")] = False,
) -> None:
    """Make a scenario and its truth; the same arguments make the same scenario."""
    from episodes.errors import InputError
    from scenarios.generator import generate as make
    from scenarios.writing import write

    if output.suffix != ".yaml":
        raise InputError("--output", f"expected a file that ends in .yaml, not {output}")
    if output.exists():
        raise InputError("--output", f"{output} is there already")
    scenario, truth = make(level, size or {1: 1, 2: 4, 3: 6}.get(level, 1), seed)
    written = write(output.parent, output.stem, scenario, truth)
    if json:
        print_json({"scenario": str(written[0]), "truth": str(written[1])})
    else:
        for path in written:
            tell(path)
