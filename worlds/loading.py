"""Domains by what a person calls them: a name, or `package.module:Domain` for one from outside."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from episodes.errors import InputError

if TYPE_CHECKING:
    from worlds.domain import Domain


def load_domain(spec: str, named: Mapping[str, str] = MappingProxyType({})) -> Domain:
    """The domain that `spec` says: one of `named`, or where it is, a class or an instance of one.

    Raises InputError if there is none.
    """
    where = f"world {spec!r}"
    module_name, _, attribute = named.get(spec, spec).partition(":")
    if module_name[:1] in ("", ".") or not attribute:
        raise InputError(where, f"expected {', '.join((*named, 'package.module:Domain'))}")
    try:
        found: Any = getattr(importlib.import_module(module_name), attribute)
    except ImportError as error:
        raise InputError(where, f"cannot be imported ({error})") from None
    except AttributeError:
        raise InputError(where, f"module {module_name} has no {attribute}") from None
    domain: Domain = found() if isinstance(found, type) else found
    if not isinstance(getattr(domain, "name", None), str) or not hasattr(domain, "scenario"):
        raise InputError(where, "is no domain: it has no name, or no scenarios")
    return domain
