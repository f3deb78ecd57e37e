"""The base of all planners that ask a model: it holds the model and the options for asking it."""

from __future__ import annotations

from dataclasses import fields

from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.orchestrator.models.budget import UNLIMITED, Budget
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.options import Sampling


class AskingPlanner:
    """A planner that asks a model with the options `prompting`; results report it under `name`.

    A world supplies its prompt adapter `voice`, as an attribute of the class or as an argument.
    """

    voice: Voice
    default_name: str
    default_prompting: Prompting
    ways: frozenset[str] = frozenset({"preset", *(field.name for field in fields(Prompting))})
    """The prompting options that this planner uses."""

    def __init__(
        self,
        model: Model,
        prompting: Prompting | None = None,
        *,
        name: str | None = None,
        voice: Voice | None = None,
        templates: Templates | None = None,
        sampling: Sampling | None = None,
        budget: Budget = UNLIMITED,
    ) -> None:
        if voice is not None:
            self.voice = voice
        self.name = name or self.default_name
        self.prompting = prompting or self.default_prompting
        self._model = model
        self._templates = templates or Templates(self.voice.prompts)
        self._sampling = sampling or Sampling()
        self._budget = budget

    @property
    def looks_up(self) -> bool:
        """True if the model looks up texts itself, with a tool."""
        return self.prompting.looks_up
