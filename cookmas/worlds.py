"""The worlds that come with CookMAS, and how a person names one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from files.errors import CookMASError, InputError, MissingError, TraceError

if TYPE_CHECKING:
    from episodes.trace import Trace
    from worlds.domain import Domain

WORLDS: Mapping[str, str] = {
    "restaurant": "worlds.restaurant.domain:DOMAIN",
    "cuisineworld": "worlds.cuisineworld.domain:DOMAIN",
    "corridor": "worlds.corridor.domain:DOMAIN",
}
"""Every world by its name: where its domain is, imported when it is asked for."""

COMMANDING = ("restaurant",)
"""The worlds that bring commands; no other is imported to know what commands there are."""

USUAL = "restaurant"
"""The world that is meant where none is named."""


def domain_of(spec: str) -> Domain:
    """Return the domain of a world by its name, or one from outside by `package.module:Domain`.

    Raises InputError if there is none, FailedError if its module or class fails.
    """
    if spec not in WORLDS and ":" in spec:
        from cookmas.trial import try_world

        try_world(spec)
    from worlds.loading import load_domain

    return load_domain(spec, WORLDS)


def commands_of_worlds() -> dict[str, Any]:
    """Return the commands that worlds bring, by name: functions, and apps of Typer."""
    from sandbox.importing import import_named
    from worlds.capabilities import commands

    specs = {name: spec for each in COMMANDING for name, spec in commands(domain_of(each)).items()}
    return {name: import_named(spec, f"command {name}") for name, spec in specs.items()}


def located(name: str, world: str | None = None) -> tuple[str, str]:
    """The world that a scenario belongs to, and its name there.

    `cuisineworld/level_3` names its world; of a file its field `world` does. `world` is what a
    person has said beside. Where nobody says, it is the restaurant's.
    """
    if world is not None:
        return world, name
    prefix, _, rest = name.partition("/")
    if prefix in WORLDS and rest and not _is_file(name):
        return prefix, rest
    return (_world_in(Path(name)) or USUAL, name) if _is_file(name) else (USUAL, name)


def named(name: str, world: str | None = None) -> tuple[str, list[str]]:
    """The world that a name belongs to, and the scenarios there: one, or those of a group.

    Raises CookMASError.
    """
    whole = name in WORLDS and world is None
    spec, rest = (name, None) if whole else located(name, world)
    try:
        return spec, list(domain_of(spec).names(rest))
    except MissingError:
        return spec, [rest or name]


def world_of(trace: Trace, world: str | None = None) -> Domain:
    """The domain in whose world a trace was made.

    A trace names no code to be imported: for a world from outside it must be said again. Raises
    TraceError if it was made in another one.
    """
    named = trace.header.world
    if world is None and named not in WORLDS:
        raise TraceError(
            f"the trace is of a world {named!r} from outside; say --world package.module:Domain"
        )
    domain = domain_of(world or named)
    if domain.name != named:
        raise TraceError(f"the trace is of {named}; expected one of {domain.name}")
    return domain


def _is_file(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def _world_in(path: Path) -> str | None:
    """The world that a file names; None if it names none, or is no such file.

    Raises InputError if it is one from outside, which has to be said beside.
    """
    from files.reading import read_yaml

    try:
        data = read_yaml(path)
    except CookMASError:
        return None
    named = data.get("world") if isinstance(data, dict) else None
    if named is not None and not (isinstance(named, str) and named in WORLDS):
        raise InputError(
            f"{path}, world", f"expected {', '.join(WORLDS)}; say --world package.module:Domain"
        )
    return named
