"""What a prompt has of a planner's memory: decisions, lessons and the scratch pad."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cookmas.orchestrator.dialogue.blocks import block
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.scratch_pad import LONGEST_BELIEF, SCRATCH_PAD
from cookmas.orchestrator.dialogue.templates import Templates

MEMORY, LESSONS = "MEMORY", "LESSONS"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMemory:
    """The part of a planner's memory that goes into the prompt."""

    decisions: Sequence[Mapping[str, Any]] = ()
    """The last decisions, oldest first."""
    lessons: Sequence[Mapping[str, Any]] = ()
    """The lessons, oldest first."""
    meant: str = ""
    """The reasoning for the active schedule."""
    notes: Sequence[Mapping[str, Any]] = ()
    """The earlier reasoning of which a part of the schedule is still active, oldest first."""
    left: Sequence[str] = ()
    """The rest of an agent's queue."""
    partners: Mapping[str, str] = field(default_factory=dict)
    """The agent's inference about its partners; empty if it has made none."""
    pad: Mapping[str, Any] = field(default_factory=dict)
    """The scratch pad; empty if there is none."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """The state at the last decision, if the prompt tells what has changed since."""


NOTHING_KEPT = PromptMemory()


def blocks_of_memory(kept: PromptMemory) -> Iterator[str]:
    """Yield the blocks of the last decisions, of the lessons and of the scratch pad."""
    if kept.decisions:
        yield block(MEMORY, list(kept.decisions))
    if kept.lessons:
        yield block(LESSONS, list(kept.lessons))
    if kept.pad:
        yield block(SCRATCH_PAD, dict(kept.pad))


def texts_about_memory(prompting: Prompting) -> Iterator[str]:
    """Yield the names of the prompt files that describe these blocks."""
    if prompting.memory and prompting.memory_of == "decisions":
        yield "given_memory"
    elif prompting.memory:
        yield "given_memory_actions" if prompting.feedback else "given_memory_chosen"
    if prompting.lessons:
        yield "given_lessons"
    if prompting.scratch_pad:
        yield "given_scratch_pad"


def ask_for_notes(prompting: Prompting, templates: Templates) -> str:
    """Return the text that asks the model for what its later calls are given."""
    lessons = [templates.fill("lessons")] if prompting.lessons else []
    slots = {"longest": str(LONGEST_BELIEF)}
    pads = [templates.fill("scratch_pad", slots)] if prompting.scratch_pad else []
    return "\n\n".join([*lessons, *pads])
