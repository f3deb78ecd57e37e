"""The request of a run: an immutable record, which every front end constructs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, SkipValidation

from cookmas.episodes.scenario import Scenario
from cookmas.files.errors import InputError
from cookmas.files.option_models import Options, field_in
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.member import Policy, Team
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.options import CheckpointFields, OpenFields, RunFields, WorkFields
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.naming import text_of
from cookmas.orchestrator.runs.redis_place import RedisPlace
from cookmas.sandbox.child import Limits
from cookmas.workers.hiring import split_workers

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


class RunRequest(Options, CheckpointFields, WorkFields, RunFields, frozen=True):
    """The settings of a run: its scenario, its planner, its model, and the place of its data.

    The constructor raises InputError for the first invalid field.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    scenario: Annotated[str | Scenario, SkipValidation] = Field(
        description="The scenario: its name, a file, or the object."
    )
    settings: Annotated[Mapping[str, Any], BeforeValidator(settings_as_text)] = Field(
        default={}, description="Settings of the scenario, such as its number of workers."
    )
    planner: Annotated[Player | Mapping[str, Player], SkipValidation, BeforeValidator(_as_text)] = (
        Field(
            default="embedded",
            description="The planner: a name, a `package.module:Class`, a schedule file, a "
            "line-up, the object, or one of these for each seat.",
        )
    )
    fallback: str | None = field_in(OpenFields, "fallback")
    model: ModelOptions | None = Field(
        default=None, description="The model that the planner calls, and its budget."
    )
    asking: AskingOptions | None = Field(default=None, description="The prompting options.")
    limits: Limits = Field(
        default=Limits(), description="Time, memory and environment of user-supplied code."
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
    pace: float | None = field_in(OpenFields, "pace")
    clock: Literal["simulated", "wall"] = field_in(OpenFields, "clock")
    remote: tuple[str, ...] = field_in(OpenFields, "remote")
    worker_deadline: float = field_in(OpenFields, "worker_deadline")
    redis: RedisPlace | None = field_in(OpenFields, "redis")

    def model_post_init(self, _: Any) -> None:
        """Raise InputError if a worker is invalid, or is remote though the run is not open."""
        split_workers(self.worker)
        if self.remote and self.pace is None:
            raise InputError("--remote", "needs an open run: give it a pace")
