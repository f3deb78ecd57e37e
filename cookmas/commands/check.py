"""`cookmas check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.world_options import World
from cookmas.terminal import print_json, say_error, tell


def check(
    files: Annotated[list[Path], typer.Argument(help="Scenario, kitchen, menu, schedule files.")],
    world: World = None,
    json: Annotated[bool, typer.Option("--json", help="One line of JSON for each file.")] = False,
) -> None:
    """Say whether files are sound."""
    from cookmas.worlds import domain_of, located
    from episodes.errors import InputError

    faulty = False
    for path in files:
        findings: list[str] = []
        fault: str | None = None
        try:
            where, name = located(str(path), world)
            findings = list(domain_of(where).check(Path(name)))
        except InputError as error:
            fault, faulty = str(error), True
        if json:
            print_json({"file": str(path), "findings": findings, "fault": fault})
        elif fault:
            say_error(fault)
        else:
            for finding in findings:
                tell(f"{path}: {finding}")
    raise typer.Exit(int(faulty))
