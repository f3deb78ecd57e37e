"""`cookmas play --as head-chef`: a person tells the orchestrator what to do, while it cooks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cookmas.api import Run
    from orchestrator.dialogue.options import AskingOptions
    from orchestrator.models.options import ModelOptions


def prepare_head_chef(
    runs: Path,
    scenario: str,
    planner: str | None,
    options: ModelOptions,
    asking: AskingOptions,
    world: str | None,
    settings: Mapping[str, Any],
    limit: float | None,
) -> Path:
    """The folder of a new run with a head chef. Raises InputError where no planner is named."""
    from cookmas.api import create
    from episodes.errors import InputError

    if planner is None:
        raise InputError("--planner", "a head chef needs one that reads, such as llm")
    return create(
        runs,
        scenario,
        planner,
        options,
        asking,
        world,
        settings,
        limit=limit,
        head_chef=True,
        new=True,
    )


async def instruct(folder: Path) -> Run:
    """Play or go on with the run in a folder; the head chef sits at this terminal.

    Raises EOFError if the head chef leaves.
    """
    from cookmas.people.head_chef import at_terminal

    return await at_terminal(folder)
