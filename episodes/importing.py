"""What a person names in code: `package.module:Name`."""

from __future__ import annotations

import importlib
from typing import Any

from episodes.errors import InputError


def imported(spec: str, where: str, expected: str = "package.module:Class") -> Any:
    """What `spec` names, imported. Raises InputError at `where` if it is malformed or missing."""
    module_name, _, name = spec.partition(":")
    if module_name[:1] in ("", ".") or not name:
        raise InputError(where, f"expected {expected}")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise InputError(where, f"cannot be imported ({error})") from None
    try:
        return getattr(module, name)
    except AttributeError:
        raise InputError(where, f"module {module_name} has no {name}") from None
