"""The page of the members of worlds and domains, generated from their protocols."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.level import Level
from cookmas.episodes.messages import MessageField, MessageForm
from cookmas.episodes.scenario import FileScenario
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.script import Script
from cookmas.worlds.base.training import Training
from cookmas.worlds.base.viewing import Viewing
from docs.pages import as_page, as_table, field_docs, in_cell

MACHINERY = "# The machinery."
"""The line of a class behind which no member need be overridden."""

WRITTEN = Path(__file__).parent / "parts" / "worlds.txt"
"""The part of the page that is not made from the code."""


def worlds_page() -> str:
    """Return the page of the members of worlds and domains."""
    return as_page(
        "Members of a world",
        "The members that a world and its domain override, with the sentence that their "
        "descriptions begin with; `.venv/bin/python -m pydoc cookmas.episodes.base.World` prints "
        "the rest. [What a world can be](../explanation/worlds.md) "
        "explains their purpose, and [how to make one](../how-to/new-world.md) where to begin. "
        "Commands say in one line what a world does not override. Every world inherits from "
        "`World`, and every domain from `Domain`; others are refused.",
        "## World",
        "The rules (`cookmas/episodes/base.py`).",
        _members(World),
        "## Domain",
        "The link between a world and its scenarios, planners and evaluators "
        "(`cookmas/worlds/base/domain.py`).",
        _members(Domain),
        "## Level",
        "The content of a scenario's file (`cookmas/episodes/level.py`).",
        _members(Level),
        "## Messages",
        "What senders may send to an open episode: the field `messages` of a world. The desk, "
        "`cookmas send`, the client and the page use these declarations "
        "(`cookmas/episodes/messages.py`).",
        _members(MessageForm),
        "Each field:",
        _members(MessageField),
        "## FileScenario",
        "A scenario, made from a file's content (`cookmas/episodes/scenario.py`).",
        _members(FileScenario),
        "## Viewing",
        "Words and drawing, on the terminal and on the page (`cookmas/worlds/base/viewing.py`).",
        _members(Viewing),
        "## Voice",
        "The texts for a model (`orchestrator/dialogue/voice.py`).",
        _members(Voice),
        "## Script",
        "The answers of the scripted model (`cookmas/worlds/base/script.py`).",
        _members(Script),
        "## Training",
        "The world as arrays for training (`cookmas/worlds/base/training.py`).",
        _members(Training),
        WRITTEN.read_text(encoding="utf-8").strip(),
    )


def _members(owner: type) -> str:
    """Return a table of the attributes and methods of a class with their meanings.

    The machinery, which stands last in a class and is seldom overridden, is left out.
    """
    meanings = field_docs(owner)
    own = inspect.get_annotations(owner)
    _, _, machinery = inspect.getsource(owner).partition(MACHINERY)
    rows = [(f"`{name}`", _begin(meanings[name])) for name in own if name in meanings]
    for name, member in vars(owner).items():
        if not name.startswith("_") and _is_member(member):
            called = f"`{name}{_parameters(member)}`"
            if f"def {name}(" not in machinery:
                rows.append((called, _begin(_result(_doc(member)))))
    return "\n\n".join([_doc(owner), *([as_table(("member", "meaning"), rows)] if rows else [])])


def _is_member(member: Any) -> bool:
    return isinstance(member, property) or inspect.isfunction(member)


def _parameters(member: Any) -> str:
    if isinstance(member, property):
        return ""
    names = [name for name in inspect.signature(member).parameters if name != "self"]
    return f"({', '.join(names)})"


def _begin(text: str) -> str:
    """Return the first sentence of a description."""
    return in_cell(re.split(r"(?<=\.) (?=[A-Z`])", text, maxsplit=1)[0])


def _result(text: str) -> str:
    """Return a description without the words that it returns something."""
    told = text.removeprefix("Return ")
    return f"{told[:1].upper()}{told[1:]}"


def _doc(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "").replace("\n\n", " ").replace("\n", " ")
