"""Domains by what a person calls them: a name, or `package.module:Domain` for one from outside."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from files.errors import InputError
from sandbox.importing import imported, made
from worlds.domain import MEMBERS, METHODS

if TYPE_CHECKING:
    from worlds.domain import Domain


def load_domain(spec: str, named: Mapping[str, str] = MappingProxyType({})) -> Domain:
    """Return the domain that `spec` names: one of `named`, or a class or an instance in a module.

    Raises InputError if there is none, FailedError if its module or class fails.
    """
    where = f"world {spec!r}"
    expected = ", ".join((*named, "package.module:Domain"))
    found = imported(named.get(spec, spec), where, expected)
    return made(found, {}, where, _checked) if isinstance(found, type) else _checked(found, where)


def _has(domain: Any, name: str) -> bool:
    """Return whether a domain has a member, without asking it for what it imports late."""
    found = inspect.getattr_static(domain, name, None)
    return found is not None and (name not in METHODS or callable(getattr(domain, name)))


def _checked(domain: Any, where: str) -> Domain:
    """Return a domain as one. Raises InputError if it is none, with what it lacks."""
    missing = [name for name in MEMBERS if not _has(domain, name)]
    if missing:
        raise InputError(where, f"is no domain: it has no {', '.join(missing)}")
    if not isinstance(domain.name, str):
        raise InputError(where, "is no domain: its name is no text")
    checked: Domain = domain
    return checked
