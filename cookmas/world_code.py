"""The digest of the code of a user-supplied world, by which a continued run notices changes."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from cookmas.world_names import WORLDS, domain_of


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
