"""Playing a run that is shown meanwhile."""

from __future__ import annotations

from pathlib import Path

from cookmas.apart import Apart
from cookmas.api import Run, aresume
from cookmas.display.watch.board import shown
from orchestrator.runs.folder import read_run


async def watching(
    folder: Path, apart: Apart | None = None, opening: str = "", *, stays: bool = True
) -> Run:
    """Go on with the run in a folder like `aresume`, and show it meanwhile.

    `opening` and `stays` are as in `shown`.
    """
    with shown(read_run(folder).world, opening, stays=stays) as listen:
        return await aresume(folder, listen, apart)
