"""The context that all calls of a model about one observation share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cookmas.episodes.conversation import Message
from cookmas.orchestrator.dialogue.calls import Calls
from cookmas.orchestrator.dialogue.dialogue import Dialogue
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.render import Legal, PromptMemory, find_legal
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.orchestrator.models.message import Schema
from cookmas.orchestrator.options import Sampling
from cookmas.orchestrator.planner import Observation


@dataclass(frozen=True, kw_only=True)
class DecisionContext:
    """An observation, and all that the dialogues about it have in common."""

    observation: Observation[Any]
    """The observation."""
    voice: Voice
    """The world's prompt adapter."""
    ways: Prompting
    """The prompting options of the decision."""
    templates: Templates
    """The prompt files."""
    sampling: Sampling
    """The sampling parameters of all calls."""
    kept: PromptMemory
    """The part of the planner's memory that goes into the prompts."""
    calls: Calls
    """The record of the calls."""

    @cached_property
    def legal(self) -> Legal | None:
        """The legal actions that the prompts list; None if they list none."""
        return find_legal(self.observation, self.ways)

    def open_dialogue(
        self,
        messages: Sequence[Message],
        schema: Schema | None,
        call: Mapping[str, Any],
        again: Callable[[], str] | None = None,
    ) -> Dialogue:
        """Return a dialogue that begins with `messages`; the arguments are as in `Dialogue`."""
        return Dialogue(
            self.calls,
            messages,
            schema,
            call,
            templates=self.templates,
            retries=self.ways.retries,
            sampling=self.sampling,
            look_up=self.voice.look_up,
            fetch=self.observation.look_up if self.ways.looks_up else None,
            again=again,
        )
