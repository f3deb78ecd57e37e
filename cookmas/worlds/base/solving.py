"""Load parts of `cookmas.solving`, which has the planners and proofs of worlds.

A world never imports it: what is asked for is loaded then. Without it a world is still played,
prompted, shown and judged by its rules; what needs a proof is unscored.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from cookmas.files.errors import UnsolvedError
from cookmas.sandbox.importing import import_named


def is_there(package: str) -> bool:
    """Return whether a package of solving is installed."""
    try:
        return bool(package) and find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def import_solving(package: str, name: str) -> Any:
    """Return what a package of solving has by a name, such as `search:find_best`; load it now.

    Raise UnsolvedError if the package is not there.
    """
    if not is_there(package):
        raise UnsolvedError(
            f"{package or 'its solving'} is not there; its rules alone judge a world"
        )
    return import_named(f"{package}.{name}", package)
