"""The page of the members of worlds and domains, made from their protocols."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from docs.pages import as_page, as_table, in_cell
from episodes import capabilities as world_capabilities
from episodes.scenario import Drawn, Scenario
from episodes.world import World
from orchestrator.dialogue.voice import Voice
from worlds import capabilities
from worlds.domain import Domain
from worlds.plain.world import PlainWorld
from worlds.script import Script
from worlds.training import Training
from worlds.viewing import Viewing

WRITTEN = Path(__file__).parent / "parts" / "worlds.txt"
"""The part of the page that is not made from the code."""


def worlds_page() -> str:
    """The members of worlds and domains, and what holds where one is missing."""
    return as_page(
        "Members of a world",
        "What a world consists of, member by member. "
        "[What a world can be](../explanation/worlds.md) says what for, and "
        "[how to make one](../how-to/new-world.md) where to begin. A capability "
        "belongs to every class that has its members: nothing is registered.",
        "## World",
        "The rules (`episodes/world.py`). Every world has all of these; `PlainWorld` has most.",
        _members(World),
        "## Capabilities of a world",
        "`episodes/capabilities.py`.",
        *_capabilities(world_capabilities),
        "## PlainWorld",
        "What a plain world (`worlds/plain/world.py`) writes itself or can write otherwise.",
        _members(PlainWorld, set(vars(World))),
        "## Domain",
        "What binds a world to its scenarios, planners and judges (`worlds/domain.py`). "
        "`PlainDomain` has all of them.",
        _members(Domain),
        "## Capabilities of a domain",
        "`worlds/capabilities.py`.",
        *_capabilities(capabilities),
        "## Scenario",
        "`episodes/scenario.py`.",
        _members(Scenario),
        _members(Drawn),
        "## Viewing",
        "Words and drawing, on the terminal and on the page (`worlds/viewing.py`); `PlainViewing` "
        "has a default for each.",
        _members(Viewing),
        "## Voice",
        "What a model is told (`orchestrator/dialogue/voice.py`).",
        _members(Voice),
        "## Script",
        "What the scripted model answers (`worlds/script.py`).",
        _members(Script),
        "## Training",
        "A world in numbers (`worlds/training.py`).",
        _members(Training),
        WRITTEN.read_text(encoding="utf-8").strip(),
    )


def _capabilities(module: ModuleType) -> Iterator[str]:
    """A section for each protocol of a module, with what holds for those who lack it."""
    for name, found in vars(module).items():
        if not getattr(found, "_is_runtime_protocol", False) or found.__module__ != module.__name__:
            continue
        yield f"### {name}"
        yield _members(found)
        names = [each for m in vars(found) for each in (m, f"has_{m}_planner")]
        lacking = [found for each in names if inspect.isfunction(found := vars(module).get(each))]
        yield from (f"For all, `{each.__name__}`: {_doc(each)}" for each in lacking)


def _members(owner: type, without: Collection[str] = ()) -> str:
    """The members of a class with what each gives."""
    rows = [
        (f"`{name}{_parameters(member)}`", in_cell(_doc(member)))
        for name, member in vars(owner).items()
        if not name.startswith("_") and name not in without and _is_member(member)
    ]
    return "\n\n".join([_doc(owner), as_table(("member", "is"), rows)] if rows else [_doc(owner)])


def _is_member(member: Any) -> bool:
    return isinstance(member, property) or inspect.isfunction(member)


def _parameters(member: Any) -> str:
    if isinstance(member, property):
        return ""
    names = [name for name in inspect.signature(member).parameters if name != "self"]
    return f"({', '.join(names)})"


def _doc(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "").replace("\n\n", " ").replace("\n", " ")
