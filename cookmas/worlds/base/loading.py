"""Loading of domains, by a known name or as `package.module:Domain`."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from cookmas.episodes.base import World, check_base
from cookmas.episodes.failure import FailedError
from cookmas.files.errors import CookMASError, InputError
from cookmas.files.naming import suggest_name
from cookmas.sandbox.importing import construct, import_named
from cookmas.worlds.base.domain import Domain

LONGEST_IMPORT = 60.0
"""Maximum seconds for the import of a user-supplied world."""


def load_domain(spec: str, named: Mapping[str, str] = MappingProxyType({})) -> Domain:
    """Return the domain that `spec` names.

    `spec` is a name in `named`, which has import paths by name, or itself an import path
    `package.module:Domain` of a class or an instance. Raise InputError if there is no such domain,
    FailedError if its module or class fails.
    """
    where = f"world {spec!r}"
    expected = f"{', '.join((*named, 'package.module:Domain'))}{suggest_name(spec, named)}"
    domain = import_named(named.get(spec, spec), where, expected)
    if isinstance(domain, type):
        return construct(domain, {}, where, _check)
    return _check(domain, where)


def _check(domain: Any, where: str) -> Domain:
    """Return `domain`. Raise InputError if it or its world is none, or has no name."""
    check_base(type(domain), Domain, where)
    world_type = getattr(domain, "world_type", None)
    if not isinstance(world_type, type):
        raise InputError(where, "has no world_type; expected the class of its world")
    check_base(world_type, World, where)
    if not isinstance(getattr(domain, "name", None), str):
        raise InputError(where, "has no name, or one that is not a text")
    checked: Domain = domain
    return checked


@lru_cache(maxsize=8)
def load_in_child(spec: str, path: tuple[str, ...]) -> None:
    """Load a user-supplied domain in a child process, once for each import path.

    An import can end a process, so this comes before `load_domain`. Raise FailedError if loading
    ends the child or does not end.
    """
    from cookmas.sandbox.child import Child, Limits

    with contextlib.closing(Child(__name__, Limits(seconds=LONGEST_IMPORT))) as child:
        try:
            child.ask("load", spec)
        except FailedError as error:
            raise FailedError(f"world {spec!r}: {error}", error.traceback) from None


async def load(spec: str) -> None:
    """Load a domain in the child, and ignore a CookMASError, which the parent will raise."""
    with contextlib.suppress(CookMASError):
        load_domain(spec)
