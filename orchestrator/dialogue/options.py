"""Asking options: the user's choice of how a planner asks its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PositiveInt

from cookmas.orchestrator.bounds import HOTTEST
from cookmas.orchestrator.dialogue.prompting import (
    Demonstration,
    Layout,
    Prompting,
    Recipes,
    Remembered,
    preset,
)
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.orchestrator.models.message import Sampling
from cookmas.orchestrator.models.options import Options

BESIDE = frozenset({"preset", "prompts", "temperature", "max_tokens", "model_seed"})
"""Names of the asking options that are not prompting options, which are in `Prompting`."""


Few = Annotated[int, Field(ge=0, le=99)]
"""A number from 0 to 99."""


class AskingOptions(Options):
    """A preset, the prompting options that differ from it, and the sampling of answers.

    An option that is None has the preset's value. The options of `cookmas run` have the same names.
    """

    preset: str | None = None
    """Name of the preset; None stands for the planner's own options."""
    form: Layout | None = None
    """Layout of a schedule; see `Prompting` for this and the following options."""
    chain_of_thought: bool | None = None
    per_step: bool | None = None
    look_ahead: Few | None = None
    feedback: bool | None = None
    hints: bool | None = None
    helper: bool | None = None
    words: bool | None = None
    demonstration: Demonstration | None = None
    demonstration_workers: Annotated[int, Field(ge=1, le=6)] | None = None
    legal_actions: bool | None = None
    last_step: bool | None = None
    memory: Few | None = None
    memory_of: Remembered | None = None
    lessons: bool | None = None
    recipes: Recipes | None = None
    queue: bool | None = None
    talk: Few | None = None
    theory_of_mind: bool | None = None
    verify: Few | None = None
    retries: Few | None = None
    prompts: Path | None = None
    """Folder of edited prompt files."""
    temperature: Annotated[float, Field(ge=0, le=HOTTEST, allow_inf_nan=False)] | None = None
    """Sampling temperature; None leaves it to the endpoint."""
    max_tokens: PositiveInt | None = None
    """Greatest length of an answer, in tokens; None leaves it to the endpoint."""
    model_seed: int | None = None
    """Seed of the sampling; None leaves it to the endpoint."""
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
        chosen = {"preset"} if self.preset else set()
        return frozenset(self.set_options().keys() - BESIDE | chosen)

    def prompting(self, base: Prompting, own: Mapping[str, Prompting]) -> Prompting:
        """Return the prompting options: those of the preset, changed by the options that are set.

        Without a preset they begin from `base`, the planner's own options. `own` are the presets
        that the world defines differently. Raise InputError for an unknown preset.
        """
        base = preset(self.preset, own) if self.preset else base
        changes = {name: value for name, value in self.set_options().items() if name not in BESIDE}
        return replace(base, **changes)

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
            "sampling": Sampling(
                temperature=self.temperature, max_tokens=self.max_tokens, seed=self.model_seed
            ),
        }

    def with_absolute_paths(self) -> AskingOptions:
        """Return the options with absolute paths, so that another folder can resume the run."""
        prompts = self.prompts.resolve() if self.prompts else None
        seats = {seat: own.with_absolute_paths() for seat, own in self.seats.items()}
        return self.model_copy(update={"prompts": prompts, "seats": seats})
