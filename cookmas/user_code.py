"""Code of users that the folder of a run names: the consent to import it, and its changes.

A user consents to import the code that another user's run names by naming it on the command line.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

from cookmas.files.errors import InputError
from cookmas.files.naming import is_code
from cookmas.orchestrator.planners.naming import planners_in
from cookmas.orchestrator.runs.folder import RUN, RunFile
from cookmas.workers.http_worker import is_url
from cookmas.world_names import WORLDS, domain_of


def find_named_code(file: RunFile) -> dict[str, str]:
    """Return the names of the user-supplied code that a continued run imports.

    The keys are the command-line options that take these names.
    """
    named = {}
    if file.world not in WORLDS:
        named["--world"] = file.world
    if any(is_code(each) for each in planners_in(file.planner)):
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
    if file.world not in WORLDS:
        check_consent(folder, {"--world": file.world}, (world,))


def digest_code(spec: str) -> str | None:
    """Return the digest of the code of a world; None for a world that comes with CookMAS.

    It covers the modules in the folder of the module that `spec` names, and in all folders below.
    A module beside its own package, such as a script, is covered alone.
    """
    if spec in WORLDS:
        return None
    domain_of(spec)
    module = sys.modules[spec.partition(":")[0]]
    if module.__file__ is None:
        return None
    file = Path(module.__file__)
    package = bool(module.__package__)
    found = hashlib.sha256()
    for path in sorted(file.parent.rglob("*.py")) if package else [file]:
        found.update(path.relative_to(file.parent).as_posix().encode() + b"\0")
        found.update(path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def describe_change(spec: str, before: str | None) -> str | None:
    """Return a sentence if the code of a world no longer has the digest `before`."""
    if before is None or digest_code(spec) == before:
        return None
    return (
        f"the code of {spec} has changed since the run began; if its rules have, the trace no "
        "longer replays, and the run cannot be judged"
    )
