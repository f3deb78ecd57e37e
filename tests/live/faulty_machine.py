"""A machine of the print shop that jams, crashes and hangs; its faults are drawn by assignment."""

from __future__ import annotations

import os
import time
import zlib
from pathlib import Path

from cookmas.workers.protocol import Assigned, Report
from examples.print_shop.machines import Machine, file_of

FOLDER = "PRINT_SHOP"
"""The environment variable with the folder of what the machines make."""

HANGS = "PRINT_SHOP_HANGS"
"""The environment variable that lets machines hang, until they are told to stop."""


class FaultyMachine(Machine):
    """A machine that fails at two of nine assignments, and may hang at a third one."""

    def __init__(self) -> None:
        super().__init__(Path(os.environ[FOLDER]))

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        """Fail as the id of the assignment says; otherwise do the stage."""
        made = Path(os.environ[FOLDER], file_of(assignment))
        fault = zlib.crc32(assignment.id.encode()) % 9 if assignment != "wait" else None
        if not made.exists():
            match fault:
                case 0:
                    raise RuntimeError("jam in the rollers")
                case 1:
                    os._exit(9)
                case 2 if HANGS in os.environ:
                    time.sleep(1000)
        return await super().act(timestep, worker, assignment)
