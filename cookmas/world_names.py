"""The worlds that come with CookMAS, and how users name a world."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

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


class ScenarioPlace(NamedTuple):
    """Where a scenario is. Nothing but this takes a scenario's name apart or puts it together."""

    world: str
    """The world: its name, or `package.module:Domain`."""
    name: str
    """The scenario's name in its world, or its file."""

    @property
    def is_file(self) -> bool:
        """True if the scenario is in a file of the user."""
        return _is_file(self.name) or Path(self.name).suffix in OWN_FILES

    @property
    def short(self) -> str:
        """The name in the world; of a file, its name without the folder and the ending.

        A question in a user's file of questions is named after both, as `mine/hanabi-mind-001`.
        """
        path = Path(self.name)
        if path.parent.suffix in OWN_FILES:
            return f"{path.parent.stem}/{path.name}"
        return path.stem if self.is_file else self.name

    @property
    def spelled(self) -> str:
        """The name with which `locate` finds the scenario again, if its world was not an option."""
        prefixed = self.world in WORLDS and self.world != USUAL and not self.is_file
        return f"{self.world}/{self.name}" if prefixed else self.name

    @property
    def shown(self) -> str:
        """The name in tables: the short one, after its world if that is not the restaurant."""
        shipped = self.world in WORLDS and self.world != USUAL
        return f"{self.world}/{self.short}" if shipped else self.short


def locate(name: str, world: str | None = None) -> ScenarioPlace:
    """Return the place of the scenario with a name.

    `world` is the user's option and takes precedence. A name such as `cuisineworld/level_3` begins
    with its world, and a file names its world in its field `world`. The default is the restaurant.
    """
    own = OWN_FILES.get(Path(name).suffix)
    if own and world in (None, *WORLDS):
        if world not in (None, own):
            raise InputError(
                name, f"{world} reads .yaml files; {own} reads this one: use --world {own}"
            )
        return ScenarioPlace(own, name)
    if world is not None:
        return ScenarioPlace(world, name)
    prefix, _, rest = name.partition("/")
    if prefix in WORLDS and rest and not _is_file(name):
        return ScenarioPlace(prefix, rest)
    return ScenarioPlace((_is_file(name) and _read_world(Path(name))) or USUAL, name)


def resolve_name(name: str, world: str | None = None) -> list[ScenarioPlace]:
    """Return the places of the scenarios of a name: one, or all of a group or a world.

    Raises CookMASError.
    """
    whole = name in WORLDS and world is None
    spec, rest = (name, None) if whole else locate(name, world)
    try:
        return [ScenarioPlace(spec, each) for each in domain_of(spec).names(rest)]
    except MissingError:
        return [ScenarioPlace(spec, rest or name)]


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
