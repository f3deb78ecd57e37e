"""Domains by what a person calls them: a name, or `package.module:Domain` for one from outside."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from episodes.errors import InputError
from episodes.importing import imported

if TYPE_CHECKING:
    from worlds.domain import Domain


def load_domain(spec: str, named: Mapping[str, str] = MappingProxyType({})) -> Domain:
    """The domain that `spec` says: one of `named`, or where it is, a class or an instance of one.

    Raises InputError if there is none.
    """
    where = f"world {spec!r}"
    expected = ", ".join((*named, "package.module:Domain"))
    found = imported(named.get(spec, spec), where, expected)
    domain: Domain = found() if isinstance(found, type) else found
    if not isinstance(getattr(domain, "name", None), str) or not hasattr(domain, "scenario"):
        raise InputError(where, "is no domain: it has no name, or no scenarios")
    return domain
