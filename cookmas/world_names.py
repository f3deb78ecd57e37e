"""The worlds that come with CookMAS, and how users name a world."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cookmas.files.errors import CookMASError, InputError, MissingError, TraceError
from cookmas.files.naming import SUITE, is_in_file, is_in_suite, is_yaml, make_absolute
from cookmas.worlds.shipped import WORLDS as WORLDS

if TYPE_CHECKING:
    from cookmas.episodes.trace import Header, Trace
    from cookmas.worlds.base.domain import Domain

COMMANDS: Mapping[str, str] = {
    "read": "cookmas.worlds.restaurant.commands.read:read",
    "recipes": "cookmas.worlds.restaurant.commands.recipes:app",
}
"""The commands of worlds by name: `module:function`, or `module:app` of Typer."""


OWN_FILES: Mapping[str, str] = {".layout": "overcooked", SUITE: "questions"}
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
    """The scenario's name in its world, or its file; a scenario in a suite has both."""

    @property
    def is_file(self) -> bool:
        """True if the scenario is in a file of the user."""
        return is_in_file(self.name)

    @property
    def everywhere(self) -> str:
        """The name in the world, by which the scenario is found from every folder."""
        return make_absolute(self.name)

    @property
    def short(self) -> str:
        """The name in the world; of a file, its name without the folder and the ending.

        A question in a user's file of questions is named after both, as `mine/hanabi-mind-001`.
        """
        path = Path(self.name)
        if is_in_suite(self.name):
            return f"{path.parent.stem}/{path.name}"
        return path.stem if self.is_file else self.name

    @property
    def spelled(self) -> str:
        """The name with which `locate` finds the scenario again, if its world was not an option."""
        return self.name if self.is_file else self._spell(self.name)

    @property
    def shown(self) -> str:
        """The name in tables: the short one, after its world if that is not the restaurant."""
        return self._spell(self.short)

    def _spell(self, name: str) -> str:
        shipped = self.world in WORLDS and self.world != USUAL
        return f"{self.world}/{name}" if shipped else name


def locate(name: str, world: str | None = None) -> ScenarioPlace:
    """Return the place of the scenario with a name.

    A name that ends like a file is a file, whatever it begins with. Another name may begin with
    its world, as `cuisineworld/level_3`. `world` is the user's option and takes precedence; without
    it, a file names its world in its field `world`, and the default is the restaurant.
    """
    own = OWN_FILES.get(SUITE if is_in_suite(name) else Path(name).suffix)
    if own and world in (None, *WORLDS):
        if world not in (None, own):
            raise InputError(
                name, f"{world} reads .yaml files; {own} reads this one: use --world {own}"
            )
        lost = is_in_suite(name) and not os.path.isfile(os.path.dirname(name))
        return ScenarioPlace(own, _cut_world(own, name) if lost else name)
    if is_yaml(name):
        return ScenarioPlace(world or _read_world(Path(name)) or USUAL, name)
    spec = world or name.partition("/")[0]
    rest = _cut_world(spec, name)
    if rest == name or spec not in WORLDS:
        return ScenarioPlace(world or USUAL, name)
    return ScenarioPlace(spec, name if os.path.isfile(name) and not _knows(spec, rest) else rest)


def locate_all(name: str, world: str | None = None) -> list[ScenarioPlace]:
    """Return the places of the scenarios of a name: one, or all of a group or a world.

    Raises CookMASError.
    """
    spec, rest = (name, None) if is_whole(name, world) else locate(name, world)
    try:
        return [ScenarioPlace(spec, each) for each in domain_of(spec).names(rest)]
    except MissingError:
        return [ScenarioPlace(spec, rest or name)]


def is_whole(name: str, world: str | None = None) -> bool:
    """Return whether a name stands for all scenarios of a world; `world` is the user's option."""
    return name in WORLDS and world in (None, name)


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


def digest_code(spec: str) -> str | None:
    """Return the digest of the code of a world; None for a world that comes with CookMAS.

    It covers the modules in the folder of the module that `spec` names, and in all folders below.
    A module beside its own package, such as a script, is covered alone.
    """
    if spec in WORLDS:
        return None
    domain_of(spec)
    module = sys.modules[spec.partition(":")[0]]
    if module.__file__ is None:
        return None
    file = Path(module.__file__)
    package = bool(module.__package__)
    content = hashlib.sha256()
    for path in sorted(file.parent.rglob("*.py")) if package else [file]:
        content.update(path.relative_to(file.parent).as_posix().encode() + b"\0")
        content.update(path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


def describe_change(spec: str, before: str | None) -> str | None:
    """Return a sentence if the code of a world no longer has the digest `before`."""
    if before is None or digest_code(spec) == before:
        return None
    return (
        f"the code of {spec} has changed since the run began; if its rules have, the trace no "
        "longer replays, and the run cannot be judged"
    )


def _cut_world(world: str, name: str) -> str:
    """Return a name without the world before it, if something is left."""
    return name.removeprefix(f"{world}/") or name


def _knows(world: str, name: str) -> bool:
    """Return whether a world that comes with CookMAS has a scenario or a group of a name."""
    domain = domain_of(world)
    try:
        return name in domain.groups() or bool(domain.scenario(name, {}))
    except CookMASError:
        return False


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
