"""Loading of domains, by a known name or as `package.module:Domain`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cookmas.files.errors import InputError
from cookmas.sandbox.importing import construct, import_named
from cookmas.worlds.domain import MEMBERS, METHODS

if TYPE_CHECKING:
    from cookmas.worlds.domain import AnyDomain


def load_domain(spec: str, named: Mapping[str, str] = MappingProxyType({})) -> AnyDomain:
    """Return the domain that `spec` names.

    `spec` is a name in `named`, which has import paths by name, or itself an import path
    `package.module:Domain` of a class or an instance. Raise InputError if there is no such domain,
    FailedError if its module or class fails.
    """
    where = f"world {spec!r}"
    expected = ", ".join((*named, "package.module:Domain"))
    found = import_named(named.get(spec, spec), where, expected)
    return construct(found, {}, where, _check) if isinstance(found, type) else _check(found, where)


def _has(domain: Any, name: str) -> bool:
    """Return whether a domain has a member, without calling a property that imports modules."""
    found = inspect.getattr_static(domain, name, None)
    return found is not None and (name not in METHODS or callable(getattr(domain, name)))


def _check(domain: Any, where: str) -> AnyDomain:
    """Return `domain` if it is a domain; else raise InputError that names the missing members."""
    missing = [name for name in MEMBERS if not _has(domain, name)]
    if missing:
        raise InputError(where, f"is not a domain: it has no {', '.join(missing)}")
    if not isinstance(domain.name, str):
        raise InputError(where, "is not a domain: its name is not a text")
    checked: AnyDomain = domain
    return checked
