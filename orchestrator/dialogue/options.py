"""Asking options: the user's choice of how a planner asks its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from cookmas.files.option_models import Options
from cookmas.files.options import options_of
from cookmas.orchestrator.dialogue.prompting import PromptFields, Prompting, preset
from cookmas.orchestrator.dialogue.voice import Templates, Voice
from cookmas.orchestrator.options import Sampling


class AskingOptions(Options, Sampling, Prompting, PromptFields, frozen=True, partial=True):
    """A preset, the prompting options that differ from it, and the sampling of answers.

    An option that is None has the preset's value. The options of `cookmas run` have the same names.
    """

    seats: dict[str, AskingOptions] = Field(default_factory=dict)
    """Options by seat; for its seat, an entry replaces all options of this object."""

    def of_seat(self, seat: str) -> AskingOptions:
        """Return the options of one seat."""
        return self.seats.get(seat) or self.model_copy(update={"seats": {}})

    def set_options(self) -> dict[str, Any]:
        """Return the options that a user has set, by name."""
        return self.model_dump(exclude_none=True, exclude={"seats"})

    def ways(self) -> frozenset[str]:
        """Return the names of the prompting options that a user has set, including `preset`."""
        return frozenset(self.set_options().keys() & {"preset", *options_of(Prompting)})

    def prompting(self, base: Prompting, own: Mapping[str, Prompting]) -> Prompting:
        """Return the prompting options: those of the preset, changed by the options that are set.

        Without a preset they begin from `base`, the planner's own options. `own` are the presets
        that the world defines differently. Raise InputError for an unknown preset.
        """
        base = preset(self.preset, own) if self.preset else base
        changes = self.set_options()
        return replace(base, **{n: changes[n] for n in options_of(Prompting) if n in changes})

    def label(self, world_prompts: Path) -> str:
        """Return the label for the planner's results: the preset and the options that are set."""
        options = {name.replace("_", "-"): value for name, value in self.set_options().items()}
        ways = [
            name if value is True else f"no-{name}" if value is False else f"{name}={value}"
            for name, value in options.items()
            if name not in ("preset", "prompts", "model-seed")
        ]
        if self.prompts:
            ways.append(
                f"prompts={self.prompts.name}@{Templates(world_prompts, self.prompts).digest()}"
            )
        return ",".join(([self.preset] if self.preset else []) + ways)

    def make_arguments(self, base: Prompting, voice: Voice) -> dict[str, Any]:
        """Return the arguments of a planner's constructor.

        `base` are the planner's own prompting options, `voice` is its prompt adapter. Raise
        InputError for an invalid option or prompt file, MissingError for a missing prompt folder.
        """
        return {
            "prompting": self.prompting(base, voice.presets),
            "templates": Templates(voice.prompts, self.prompts),
            "sampling": Sampling(**{name: getattr(self, name) for name in options_of(Sampling)}),
        }

    def with_absolute_paths(self) -> AskingOptions:
        """Return the options with absolute paths, so that another folder can resume the run."""
        prompts = self.prompts.resolve() if self.prompts else None
        seats = {seat: own.with_absolute_paths() for seat, own in self.seats.items()}
        return self.model_copy(update={"prompts": prompts, "seats": seats})
