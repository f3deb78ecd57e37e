"""The consent to code of users that the folder of a run names.

A user consents to import the code that another user's run names by naming it on the command line.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from cookmas.files.errors import InputError
from cookmas.files.naming import is_code
from cookmas.orchestrator.planners.naming import planners_in
from cookmas.orchestrator.runs.folder import RUN, RunFile
from cookmas.workers.http_worker import is_url


def find_named_code(file: RunFile) -> dict[str, str]:
    """Return the names of the user-supplied code that a continued run imports.

    The keys are the command-line options that take these names.
    """
    named = {}
    if _is_imported(file.world):
        named["--world"] = file.world
    if any(map(is_code, planners_in(file.planner))):
        named["--planner"] = file.planner
    if own := [text for text in file.worker if not is_url(text.partition("=")[2])]:
        named["--worker"] = ", ".join(own)
    return named


def check_consent(
    folder: Path, named: Mapping[str, str], said: Collection[str | None] = ()
) -> None:
    """Raise InputError if a folder belongs to another user and names code that is not in `said`.

    `named` has the names in the folder by option, and `said` those on the command line.
    """
    asked = [(option, spec) for option, spec in named.items() if spec not in said]
    if asked and any(path.stat().st_uid != os.geteuid() for path in (folder, folder / RUN)):
        option, spec = asked[0]
        raise InputError(
            str(folder),
            f"is another user's and names {spec}, which is imported only with {option} {spec}",
        )


def check_world(folder: Path, file: RunFile, world: str | None = None) -> None:
    """Raise InputError if another user's folder names a user-supplied world other than `world`.

    `world` is the world that the user has named; None if the user named none.
    """
    if _is_imported(file.world):
        check_consent(folder, {"--world": file.world}, (world,))


def _is_imported(world: str) -> bool:
    """Return whether a world is imported, as every name with a colon is, also one like a file's."""
    return ":" in world
