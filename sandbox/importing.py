"""What a person names in code: `package.module:Name`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from episodes.failure import failed
from files.errors import CookMASError, InputError

Made = TypeVar("Made")


def imported(spec: str, where: str, expected: str = "package.module:Class") -> Any:
    """What `spec` names, imported.

    Raises InputError at `where` if it is malformed or missing, FailedError if its module fails.
    """
    module_name, _, name = spec.partition(":")
    if module_name[:1] in ("", ".") or not name:
        raise InputError(where, f"expected {expected}")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if f"{module_name}.".startswith(f"{error.name}."):
            raise InputError(where, f"cannot be imported ({error})") from None
        raise failed(error) from error
    except (Exception, SystemExit) as error:
        raise failed(error) from error
    try:
        return getattr(module, name)
    except AttributeError:
        raise InputError(where, f"module {module_name} has no {name}") from None


def made(
    factory: Any, given: Mapping[str, Any], where: str, checked: Callable[[Any, str], Made]
) -> Made:
    """What a class or function makes of the arguments given, checked.

    Raises InputError at `where` if it takes others, FailedError if it fails.
    """
    try:
        inspect.signature(factory).bind(**given)
    except TypeError as error:
        raise InputError(where, f"cannot be made without arguments ({error})") from None
    except ValueError:
        pass
    try:
        return checked(factory(**given), where)
    except CookMASError:
        raise
    except (Exception, SystemExit) as error:
        raise failed(error, getattr(factory, "__init__", factory)) from error
