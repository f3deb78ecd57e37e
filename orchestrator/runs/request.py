"""The request of a run: an immutable record, which every front end constructs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, SkipValidation

from cookmas.episodes.scenario import Scenario
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.graph.context import MAX_STALLED
from cookmas.orchestrator.member import Policy, Team
from cookmas.orchestrator.models.options import ModelOptions, Options
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.lineup import text_of
from cookmas.orchestrator.runs.redis_place import RedisPlace
from cookmas.sandbox.child import Limits

Player = str | Planner | Team | Policy
"""A planner: its name, or the planner object itself."""


def settings_as_text(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return settings in the form of `run.json`, in which each value is text."""
    return {name: str(value) for name, value in settings.items()}


def _as_text(planner: Any) -> Any:
    """Return the planners of seats as a line-up (`SEAT=PLANNER,...`) if all are given by name.

    Return any other argument unchanged.
    """
    if isinstance(planner, Mapping) and all(isinstance(each, str) for each in planner.values()):
        return text_of(planner)
    return planner


class RunRequest(Options):
    """The settings of a run: its scenario, its planner, its model, and the place of its data.

    The constructor raises InputError for the first invalid field.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    world: str | None = Field(
        default=None,
        description="The world, by its name or as `package.module:Domain`; None: the scenario's.",
    )
    scenario: Annotated[str | Scenario, SkipValidation] = Field(
        description="The scenario: its name, a file, or the object."
    )
    settings: Annotated[Mapping[str, Any], BeforeValidator(settings_as_text)] = Field(
        default={}, description="Settings of the scenario, such as its number of workers."
    )
    seed: int | None = Field(
        default=None, description="Seed of the scenario's chance; None: its own seed."
    )
    planner: Annotated[Player | Mapping[str, Player], SkipValidation, BeforeValidator(_as_text)] = (
        Field(
            default="embedded",
            description="The planner: a name, a `package.module:Class`, a schedule file, a "
            "line-up, the object, or one of these for each seat.",
        )
    )
    planner_seed: int | None = Field(default=None, description="Seed of a planner that takes one.")
    model: ModelOptions | None = Field(
        default=None, description="The model that the planner calls, and its budget."
    )
    asking: AskingOptions | None = Field(default=None, description="The prompting options.")
    limits: Limits = Field(
        default=Limits(), description="Time, memory and environment of user-supplied code."
    )
    max_stalled: int = Field(
        default=MAX_STALLED,
        ge=1,
        description="Calls of the planner in a row that may pass without progress.",
    )
    langsmith: bool = Field(
        default=False,
        description="Whether LangSmith gets what the graph runs, with all orders and plans.",
    )
    people: tuple[str, ...] = Field(default=(), description="The workers whom people play.")
    suggestions: bool | None = Field(
        default=None,
        description="Whether these people see the planned actions; None: only if this needs no "
        "model.",
    )
    supervisor: bool = Field(
        default=False, description="Whether a person instructs the orchestrator."
    )
    limit: float | None = Field(
        default=None, description="Seconds that a person has for an answer; None: no limit."
    )
    pace: float | None = Field(
        default=None,
        description="Seconds between timesteps of an open run (0: as fast as possible); None: the "
        "run is not open.",
    )
    redis: RedisPlace | None = Field(
        default=None, description="Place of an open run in Redis; None: it is in its folder."
    )
    checkpoints: str | None = Field(
        default=None,
        description="URL of a PostgreSQL database with the checkpoints; None: in the folder.",
    )
    keep_checkpoints: int | None = Field(
        default=None,
        ge=1,
        description="Number of checkpoints that are kept; None: the last 1000 of an open run, all "
        "of any other.",
    )
