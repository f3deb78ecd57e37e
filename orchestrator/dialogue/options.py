"""What a person says about the way a model is asked, and what planners are made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PositiveInt

from orchestrator.bounds import HOTTEST
from orchestrator.dialogue.prompting import Demonstration, Layout, Prompting, Recipes, preset
from orchestrator.dialogue.templates import Templates
from orchestrator.dialogue.voice import Voice
from orchestrator.models.message import Sampling
from orchestrator.options import Options

BESIDE = frozenset({"preset", "prompts", "temperature", "max_tokens", "model_seed"})
"""Options that are not ways of prompting."""


Few = Annotated[int, Field(ge=0, le=99)]


class AskingOptions(Options):
    """A preset, the ways of prompting that differ from it, and how answers are drawn.

    None leaves a way as the preset has it. `prompts` is a folder of edited prompt files. The
    options of `cookmas run` have the same names. `seats` are the options of single seats, in the
    place of these.
    """

    preset: str | None = None
    form: Layout | None = None
    chain_of_thought: bool | None = None
    per_step: bool | None = None
    look_ahead: Few | None = None
    feedback: bool | None = None
    hints: bool | None = None
    demonstration: Demonstration | None = None
    demonstration_workers: Annotated[int, Field(ge=1, le=6)] | None = None
    legal_actions: bool | None = None
    last_step: bool | None = None
    memory: Few | None = None
    lessons: bool | None = None
    recipes: Recipes | None = None
    talk: Few | None = None
    retries: Few | None = None
    prompts: Path | None = None
    temperature: Annotated[float, Field(ge=0, le=HOTTEST, allow_inf_nan=False)] | None = None
    max_tokens: PositiveInt | None = None
    model_seed: int | None = None
    seats: dict[str, AskingOptions] = Field(default_factory=dict)

    def of_seat(self, seat: str) -> AskingOptions:
        """Return the options of one seat."""
        return self.seats.get(seat) or self.model_copy(update={"seats": {}})

    def said(self) -> dict[str, Any]:
        """What a person said, by the name of the option."""
        return self.model_dump(exclude_none=True, exclude={"seats"})

    def ways(self) -> frozenset[str]:
        """The ways of prompting that a person has said something about, the preset's among them."""
        chosen = {"preset"} if self.preset else set()
        return frozenset(self.said().keys() - BESIDE | chosen)

    def prompting(self, base: Prompting, own: Mapping[str, Prompting]) -> Prompting:
        """The ways of prompting; `base` are those of the planner where no preset is named.

        `own` are the presets that a world has otherwise. Raises InputError.
        """
        base = preset(self.preset, own) if self.preset else base
        changes = {name: value for name, value in self.said().items() if name not in BESIDE}
        return replace(base, **changes)

    def label(self, world_prompts: Path) -> str:
        """What distinguishes the planner's results: the preset and the ways that differ from it."""
        said = {name.replace("_", "-"): value for name, value in self.said().items()}
        ways = [
            name if value is True else f"no-{name}" if value is False else f"{name}={value}"
            for name, value in said.items()
            if name not in ("preset", "prompts", "model-seed")
        ]
        if self.prompts:
            ways.append(
                f"prompts={self.prompts.name}@{Templates(world_prompts, self.prompts).digest()}"
            )
        return ",".join(([self.preset] if self.preset else []) + ways)

    def given(self, base: Prompting, voice: Voice) -> dict[str, Any]:
        """The arguments of a planner's constructor. Raises InputError or MissingError."""
        return {
            "prompting": self.prompting(base, voice.presets),
            "templates": Templates(voice.prompts, self.prompts),
            "sampling": Sampling(
                temperature=self.temperature, max_tokens=self.max_tokens, seed=self.model_seed
            ),
        }

    def lasting(self) -> AskingOptions:
        """With an absolute path, for a run that goes on from another folder."""
        prompts = self.prompts.resolve() if self.prompts else None
        seats = {seat: own.lasting() for seat, own in self.seats.items()}
        return self.model_copy(update={"prompts": prompts, "seats": seats})
