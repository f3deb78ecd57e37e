"""The command `cookmas model-server`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.options.fields import duration
from cookmas.display.terminal import tell


def model_server(
    host: Annotated[str, typer.Option(help="The address of the server.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0: any free port.")] = 8099,
    seed: Annotated[int, typer.Option(help="Seed that decides which answers are faulty.")] = 0,
    fault: Annotated[
        list[str] | None,
        typer.Option(help="NAME=RATE, such as illegal=0.1; may be repeated.", metavar="FAULT"),
    ] = None,
    latency: Annotated[float, duration("Minimum seconds for each answer.")] = 0,
    slow: Annotated[float, duration("Extra seconds for a slow answer.")] = 5,
    retry_after: Annotated[float, duration("Seconds of Retry-After in a response 429.")] = 1,
    answers: Annotated[
        Path | None, typer.Option(help="File that stores answers and supplies those it has.")
    ] = None,
    world: Annotated[
        list[str] | None,
        typer.Option(
            help="package.module:Domain, a user-supplied world; may be repeated.", metavar="WORLD"
        ),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes that plan. [default: one for each core]")
    ] = None,
) -> None:
    """Serve a scripted model that needs no key, with the faults of real models."""
    from cookmas.files.errors import MissingError
    from cookmas.modelserver.faults import Faults, parse_rates
    from cookmas.world_names import WORLDS, domain_of

    faults = Faults(rates=parse_rates(fault or ()), seed=seed)
    try:
        from cookmas.modelserver.app import Timing
        from cookmas.modelserver.serve import serve
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
