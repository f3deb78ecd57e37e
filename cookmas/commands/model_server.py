"""`cookmas model-server`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.options.fields import duration
from cookmas.display.terminal import tell


def model_server(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes one that is free.")] = 8099,
    seed: Annotated[int, typer.Option(help="Decides where the faults strike.")] = 0,
    fault: Annotated[
        list[str] | None,
        typer.Option(help="NAME=RATE, such as illegal=0.1; may be given again.", metavar="FAULT"),
    ] = None,
    latency: Annotated[float, duration("Seconds each answer takes at least.")] = 0,
    slow: Annotated[float, duration("Seconds a slow answer takes more.")] = 5,
    retry_after: Annotated[float, duration("Seconds a 429 asks to wait.")] = 1,
    answers: Annotated[
        Path | None, typer.Option(help="Keep answers in this file; those in it cost nothing.")
    ] = None,
    world: Annotated[
        list[str] | None,
        typer.Option(
            help="package.module:Domain, a world from outside; may be given again.", metavar="WORLD"
        ),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many plan at a time; one for each core.")
    ] = None,
) -> None:
    """Serve a scripted model that needs no key, with the faults of real ones."""
    from cookmas.worlds import WORLDS, domain_of
    from files.errors import MissingError
    from modelserver.faults import Faults, parse_rates

    faults = Faults(rates=parse_rates(fault or ()), seed=seed)
    try:
        from modelserver.app import Timing
        from modelserver.serve import serve
    except ModuleNotFoundError as error:
        raise MissingError(
            f"the model server needs {error.name}; install the extra 'server'"
        ) from None
    outside = {domain_of(spec).name: spec for spec in world or () if spec not in WORLDS}
    serve(
        worlds={**WORLDS, **outside},
        host=host,
        port=port,
        faults=faults,
        timing=Timing(latency=latency, slow=slow, retry_after=retry_after),
        answers=answers,
        processes=processes,
        ready=tell,
    )
