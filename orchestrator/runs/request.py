"""What is to be run: one frozen record, from whoever asks for a run to the engine that plays it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, SkipValidation

from episodes.scenario import Scenario
from orchestrator.dialogue.options import AskingOptions
from orchestrator.graph.context import MAX_STALLED
from orchestrator.member import Policy, Team
from orchestrator.models.options import ModelOptions, Options
from orchestrator.planner import Planner
from orchestrator.planners.lineup import text_of
from orchestrator.runs.redis_place import RedisPlace
from sandbox.child import Limits

Player = str | Planner | Team | Policy
"""A planner: its name, or the object."""


def settings_as_text(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return settings as they are kept: what a person said of each, as text."""
    return {name: str(value) for name, value in settings.items()}


def _as_text(planner: Any) -> Any:
    """Return a planner for each seat as one text, where all of them are named."""
    if isinstance(planner, Mapping) and all(isinstance(each, str) for each in planner.values()):
        return text_of(planner)
    return planner


class RunRequest(Options):
    """What is to be run, by whom, how, and where it is kept.

    Raises InputError with the first field that is no good.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    world: str | None = Field(
        default=None,
        description="The world, by its name or as `package.module:Domain`; None where the scenario "
        "says it.",
    )
    scenario: Annotated[str | Scenario, SkipValidation] = Field(
        description="The scenario: its name, a file, or the object."
    )
    settings: Annotated[Mapping[str, Any], BeforeValidator(settings_as_text)] = Field(
        default={}, description="What is said of the scenario beside its name."
    )
    seed: int | None = Field(
        default=None, description="Draws what the scenario leaves to chance; None: its own seed."
    )
    planner: Annotated[Player | Mapping[str, Player], SkipValidation, BeforeValidator(_as_text)] = (
        Field(
            default="embedded",
            description="Who plans: a name, a `package.module:Class`, a schedule file, a line-up, "
            "the object, or one of these for each seat.",
        )
    )
    planner_seed: int | None = Field(default=None, description="The seed of a planner that draws.")
    model: ModelOptions | None = Field(
        default=None, description="The model that a planner asks, and its budget."
    )
    asking: AskingOptions | None = Field(default=None, description="How the model is asked.")
    limits: Limits = Field(
        default=Limits(),
        description="Time, memory and environment of code that a person wrote.",
    )
    max_stalled: int = Field(
        default=MAX_STALLED,
        ge=1,
        description="Calls of the planner in a row that may pass without progress.",
    )
    people: tuple[str, ...] = Field(default=(), description="The workers whom people play.")
    suggestions: bool | None = Field(
        default=None,
        description="Whether these people are told what is planned for them; None: as far as no "
        "model is asked for that alone.",
    )
    supervisor: bool = Field(
        default=False, description="Whether a person instructs the orchestrator."
    )
    limit: float | None = Field(
        default=None, description="Seconds that a person has for an answer; None: any time."
    )
    pace: float | None = Field(
        default=None,
        description="Seconds a timestep of an open run, which takes messages until it is closed "
        "(0: as fast as possible); None: the run is not open.",
    )
    redis: RedisPlace | None = Field(
        default=None, description="Where an open run is in Redis; None: in its folder."
    )
    checkpoints: str | None = Field(
        default=None,
        description="The URL of a PostgreSQL database with the checkpoints; None: in the folder.",
    )
    keep_checkpoints: int | None = Field(
        default=None,
        ge=1,
        description="How many checkpoints are kept; None: the last 1000 of an open run, all of "
        "another one.",
    )
