"""The worlds that come with CookMAS, and how users name a world."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cookmas.files.errors import CookMASError, InputError, MissingError, TraceError
from cookmas.worlds.shipped import WORLDS as WORLDS

if TYPE_CHECKING:
    from cookmas.episodes.trace import Header, Trace
    from cookmas.worlds.base.domain import Domain

COMMANDS: Mapping[str, str] = {
    "read": "cookmas.worlds.restaurant.commands.read:read",
    "recipes": "cookmas.worlds.restaurant.commands.recipes:app",
}
"""The commands of worlds by name: `module:function`, or `module:app` of Typer."""

OWN_FILES: Mapping[str, str] = {".layout": "overcooked", ".jsonl": "questions"}
"""The world of files other than YAML, by the ending of their names."""

USUAL = "restaurant"
"""The default world."""


def domain_of(spec: str) -> Domain:
    """Return the domain of a world. A user-supplied world is named as `package.module:Domain`.

    Raises InputError if there is no such world, and FailedError if its module or class fails.
    """
    from cookmas.worlds.base.loading import load_domain, load_in_child

    module, colon, _ = spec.partition(":")
    if colon and spec not in WORLDS and module not in sys.modules:
        load_in_child(spec, tuple(sys.path))
    return load_domain(spec, WORLDS)


def locate(name: str, world: str | None = None) -> tuple[str, str]:
    """Return a scenario's world and its name in that world.

    `world` is the user's option and takes precedence. A name such as `cuisineworld/level_3` begins
    with its world, and a file names its world in its field `world`. The default is the restaurant.
    """
    own = OWN_FILES.get(Path(name).suffix)
    if own and world in (None, *WORLDS):
        if world not in (None, own):
            raise InputError(
                name, f"{world} reads .yaml files; {own} reads this one: use --world {own}"
            )
        return own, name
    if world is not None:
        return world, name
    prefix, _, rest = name.partition("/")
    if prefix in WORLDS and rest and not _is_file(name):
        return prefix, rest
    return (_read_world(Path(name)) or USUAL, name) if _is_file(name) else (USUAL, name)


def resolve_name(name: str, world: str | None = None) -> tuple[str, list[str]]:
    """Return the world and the scenarios of a name: one scenario, or all of a group or a world.

    Raises CookMASError.
    """
    whole = name in WORLDS and world is None
    spec, rest = (name, None) if whole else locate(name, world)
    try:
        return spec, list(domain_of(spec).names(rest))
    except MissingError:
        return spec, [rest or name]


def is_at_hand(header: Header, world: str | None = None) -> bool:
    """Return whether the world of a trace is known: it comes with CookMAS, or `world` names it."""
    return world is not None or header.world in WORLDS


def world_of(trace: Trace, world: str | None = None) -> Domain:
    """Return the domain of the world in which a trace was made.

    A trace names no code to import, so the user must name a user-supplied `world` again. Raises
    TraceError if the trace was made in another world.
    """
    named = trace.header.world
    if not is_at_hand(trace.header, world):
        raise TraceError(
            f"the trace is of the user-supplied world {named!r}; add --world package.module:Domain"
        )
    domain = domain_of(world or named)
    if domain.name != named:
        raise TraceError(f"the trace is of {named}; expected one of {domain.name}")
    return domain


def _is_file(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def _read_world(path: Path) -> str | None:
    """Return the world that a file names; None if it names none or cannot be read.

    Raises InputError for a user-supplied world, which the user must name with an option.
    """
    from cookmas.files.reading import read_yaml

    try:
        data = read_yaml(path)
    except CookMASError:
        return None
    named = data.get("world") if isinstance(data, dict) else None
    if named is not None and not (isinstance(named, str) and named in WORLDS):
        raise InputError(
            f"{path}, world", f"expected {', '.join(WORLDS)}; or use --world package.module:Domain"
        )
    return named
