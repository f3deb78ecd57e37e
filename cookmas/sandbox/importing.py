"""Import and construction of user-supplied code that is named as `package.module:Name`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any, TypeVar

from cookmas.episodes.failure import FailedError, boundary, failure_of
from cookmas.files.errors import InputError

Made = TypeVar("Made")

FORMER_ROOTS = {
    "episodes",
    "evals",
    "files",
    "kitchen",
    "mailboxes",
    "modelserver",
    "orchestrator",
    "sandbox",
    "scenarios",
    "workers",
    "worlds",
}
"""The packages of CookMAS that were imported without `cookmas.` in front."""


def import_named(spec: str, where: str, expected: str = "package.module:Class") -> Any:
    """Return the object that `spec` names.

    Raise InputError, which names `where`, if `spec` is malformed or names nothing. Raise
    FailedError if the import of the module fails. For a module that CookMAS had under another name,
    the error has the new name.
    """
    module_name, _, name = spec.partition(":")
    if module_name[:1] in ("", ".") or not name:
        raise InputError(where, f"expected {expected}")
    try:
        with boundary(spec, allowed=(ImportError,)):
            module = importlib.import_module(module_name)
    except ImportError as error:
        missing, former = error.name or "", error.name in FORMER_ROOTS
        if former and module_name.partition(".")[0] == missing and _exists(module_name):
            raise InputError(where, f"is now cookmas.{spec}") from None
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{missing}."):
            raise InputError(where, f"cannot be imported ({error})") from None
        failed = failure_of(error)
        if former:
            failed = FailedError(f"{failed}; {missing} is now cookmas.{missing}", failed.traceback)
        raise failed from error
    try:
        return getattr(module, name)
    except AttributeError:
        raise InputError(where, f"module {module_name} has no {name}") from None


def _exists(module: str) -> bool:
    """Return whether CookMAS has a module that was imported as `module` before."""
    try:
        return find_spec(f"cookmas.{module}") is not None
    except ModuleNotFoundError:
        return False


def construct(
    factory: Any, given: Mapping[str, Any], where: str, checked: Callable[[Any, str], Made]
) -> Made:
    """Call a user-supplied class or function with the given arguments, and check the result.

    `checked` returns the valid result or raises InputError. Also raise InputError, which names
    `where`, if the class or function does not take these arguments. Raise FailedError if the user's
    code fails.
    """
    try:
        inspect.signature(factory).bind(**given)
    except TypeError as error:
        raise InputError(where, f"cannot be made without arguments ({error})") from None
    except ValueError:
        pass
    with boundary(getattr(factory, "__init__", factory)):
        return checked(factory(**given), where)
