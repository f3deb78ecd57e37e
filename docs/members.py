"""The page of the members of worlds and domains, generated from their protocols."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from cookmas.episodes import capabilities as world_capabilities
from cookmas.episodes.scenario import Drawn, Scenario
from cookmas.episodes.world import AnyWorld
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.worlds import authoring, capabilities
from cookmas.worlds.domain import AnyDomain
from cookmas.worlds.plain.world import PlainWorld
from cookmas.worlds.script import Script
from cookmas.worlds.training import Training
from cookmas.worlds.viewing import KeyedViewing, Viewing
from docs.pages import as_page, as_table, field_docs, in_cell

WRITTEN = Path(__file__).parent / "parts" / "worlds.txt"
"""The part of the page that is not made from the code."""


def worlds_page() -> str:
    """Return the page of the members of worlds and domains, with the defaults of missing ones."""
    return as_page(
        "Members of a world",
        "The members of a world and of its domain. "
        "[What a world can be](../explanation/worlds.md) explains their purpose, and "
        "[how to make one](../how-to/new-world.md) where to begin. An object has a capability if "
        "it has the capability's members: nothing is registered.",
        "## World",
        "The rules (`cookmas/episodes/world.py`). Every world has all of these; `PlainWorld` has "
        "most.",
        _members(AnyWorld),
        "## Capabilities of a world",
        "`cookmas/episodes/capabilities.py`.",
        *_capabilities(world_capabilities),
        "## PlainWorld",
        "The members that a plain world (`cookmas/worlds/plain/world.py`) must define or may "
        "override.",
        _members(PlainWorld, set(vars(AnyWorld))),
        "## Domain",
        "The link between a world and its scenarios, planners and evaluators "
        "(`cookmas/worlds/domain.py`). `PlainDomain` has all of them.",
        _members(AnyDomain),
        "## Capabilities of a domain",
        "`cookmas/worlds/capabilities.py`.",
        *_capabilities(capabilities),
        "## Capabilities for writers of scenarios",
        "`cookmas/worlds/authoring.py`.",
        *_capabilities(authoring),
        "## Scenario",
        "`cookmas/episodes/scenario.py`.",
        _members(Scenario),
        _members(Drawn),
        "## Viewing",
        "Words and drawing, on the terminal and on the page (`cookmas/worlds/viewing.py`); "
        "`PlainViewing` has a default for each.",
        _members(Viewing),
        "## KeyedViewing",
        "A viewing can also name keys, by which people play on the page.",
        _members(KeyedViewing),
        "## Voice",
        "The texts for a model (`orchestrator/dialogue/voice.py`).",
        _members(Voice),
        "## Script",
        "The answers of the scripted model (`cookmas/worlds/script.py`).",
        _members(Script),
        "## Training",
        "The world as arrays for training (`cookmas/worlds/training.py`).",
        _members(Training),
        WRITTEN.read_text(encoding="utf-8").strip(),
    )


def _capabilities(module: ModuleType) -> Iterator[str]:
    """Yield a section for each protocol of a module, with the defaults for objects that lack it."""
    for name, found in vars(module).items():
        if not getattr(found, "_is_runtime_protocol", False) or found.__module__ != module.__name__:
            continue
        yield f"### {name}"
        yield _members(found)
        names = [each for m in vars(found) for each in (m, f"has_{m}_planner")]
        lacking = [found for each in names if inspect.isfunction(found := vars(module).get(each))]
        yield from (f"For every object, `{each.__name__}`: {_doc(each)}" for each in lacking)


def _members(owner: type, without: Collection[str] = ()) -> str:
    """Return a table of the attributes and methods of a class with their meanings."""
    meanings = field_docs(owner)
    own = inspect.get_annotations(owner)
    rows = [(f"`{name}`", in_cell(meanings[name])) for name in own if name in meanings]
    rows += [
        (f"`{name}{_parameters(member)}`", in_cell(_doc(member)))
        for name, member in vars(owner).items()
        if not name.startswith("_") and name not in without and _is_member(member)
    ]
    return "\n\n".join(
        [_doc(owner), as_table(("member", "meaning"), rows)] if rows else [_doc(owner)]
    )


def _is_member(member: Any) -> bool:
    return isinstance(member, property) or inspect.isfunction(member)


def _parameters(member: Any) -> str:
    if isinstance(member, property):
        return ""
    names = [name for name in inspect.signature(member).parameters if name != "self"]
    return f"({', '.join(names)})"


def _doc(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "").replace("\n\n", " ").replace("\n", " ")
