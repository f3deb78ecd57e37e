"""Loading of domains: by a name, or by `package.module:Domain` for a world from outside."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from files.errors import InputError
from sandbox.importing import construct, import_named
from worlds.domain import MEMBERS, METHODS

if TYPE_CHECKING:
    from worlds.domain import Domain


def load_domain(spec: str, named: Mapping[str, str] = MappingProxyType({})) -> Domain:
    """Return the domain that `spec` names: one of `named`, or a class or an instance in a module.

    Raise InputError if there is none, FailedError if its module or class fails.
    """
    where = f"world {spec!r}"
    expected = ", ".join((*named, "package.module:Domain"))
    found = import_named(named.get(spec, spec), where, expected)
    return construct(found, {}, where, _check) if isinstance(found, type) else _check(found, where)


def _has(domain: Any, name: str) -> bool:
    """Return whether a domain has a member, without calling a property that imports modules."""
    found = inspect.getattr_static(domain, name, None)
    return found is not None and (name not in METHODS or callable(getattr(domain, name)))


def _check(domain: Any, where: str) -> Domain:
    """Return the object as a domain. Raise InputError with the members that it lacks."""
    missing = [name for name in MEMBERS if not _has(domain, name)]
    if missing:
        raise InputError(where, f"is not a domain: it has no {', '.join(missing)}")
    if not isinstance(domain.name, str):
        raise InputError(where, "is not a domain: its name is not a text")
    checked: Domain = domain
    return checked
