"""Loading of domains, by a known name or as `package.module:Domain`."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from cookmas.episodes.base import Completed
from cookmas.episodes.failure import FailedError
from cookmas.files.errors import CookMASError, InputError
from cookmas.files.wording import suggest_name
from cookmas.sandbox.importing import construct, import_named
from cookmas.worlds.base.any_domain import AnyDomain
from cookmas.worlds.base.domain import Domain

METHODS = ("names", "scenario", "rebuild", "world")
"""The methods that every domain has."""

MEMBERS = ("name", "planners", *METHODS, "judging")
"""The members that every domain has."""

LONGEST_IMPORT = 60.0
"""Maximum seconds for the import of a user-supplied world."""


class _CompletedDomain(Completed, Domain):
    """A domain that inherits nothing, with the defaults of `Domain` for what it lacks."""


def complete_domain(domain: AnyDomain) -> Domain:
    """Return the domain with all members of `Domain`; one that inherits from it is unchanged."""
    return domain if isinstance(domain, Domain) else _CompletedDomain(domain)


def load_domain(spec: str, named: Mapping[str, str] = MappingProxyType({})) -> Domain:
    """Return the domain that `spec` names.

    `spec` is a name in `named`, which has import paths by name, or itself an import path
    `package.module:Domain` of a class or an instance. Raise InputError if there is no such domain,
    FailedError if its module or class fails.
    """
    where = f"world {spec!r}"
    expected = f"{', '.join((*named, 'package.module:Domain'))}{suggest_name(spec, named)}"
    found = import_named(named.get(spec, spec), where, expected)
    if isinstance(found, type):
        return construct(found, {}, where, _check)
    return _check(found, where)


def _has(domain: Any, name: str) -> bool:
    """Return whether a domain has a member, without calling a property that imports modules."""
    found = inspect.getattr_static(domain, name, None)
    return found is not None and (name not in METHODS or callable(getattr(domain, name)))


def _check(domain: Any, where: str) -> Domain:
    """Return `domain`, completed. Raise InputError that names what a domain needs and it lacks."""
    missing = [name for name in MEMBERS if not _has(domain, name)]
    if missing:
        raise InputError(where, f"is not a domain: it has no {', '.join(missing)}")
    if not isinstance(domain.name, str):
        raise InputError(where, "is not a domain: its name is not a text")
    return complete_domain(domain)


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
