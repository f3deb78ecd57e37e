"""The request of a run: an immutable record, which every front end constructs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, SkipValidation, field_validator

from cookmas.episodes.scenario import Scenario
from cookmas.files.errors import InputError
from cookmas.files.option_models import Options
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.member import Policy, Team
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.options import CheckpointFields, RunFields, WorkFields
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.naming import text_of
from cookmas.orchestrator.runs.redis_place import RedisPlace
from cookmas.orchestrator.thinking import ThinkingPrice
from cookmas.sandbox.child import Limits
from cookmas.workers.hiring import split_workers
from cookmas.workers.remote import DEADLINE

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
    fallback: str | None = Field(
        default=None,
        description="The planner of an open run that plans while the endpoint of `planner` is "
        "away; None: nobody does.",
    )
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
    pace: float | None = Field(
        default=None,
        description="Seconds between timesteps of an open run (0: as fast as possible); None: the "
        "run is not open.",
    )
    clock: Literal["simulated", "wall"] = Field(
        default="simulated",
        description="The clock of an open run: whether its timesteps wait for planner and workers, "
        "or pass in real time.",
    )
    remote: tuple[str, ...] = Field(
        default=(), description="The workers of an open run that other processes play."
    )
    worker_deadline: float = Field(
        default=DEADLINE, description="Seconds that each of these workers has to report an action."
    )
    redis: RedisPlace | None = Field(
        default=None, description="Place of an open run in Redis; None: it is in its folder."
    )

    @field_validator("thinking")
    @classmethod
    def _check_price(cls, price: str | None) -> str | None:
        if price is not None:
            ThinkingPrice.parse(price)
        return price

    def model_post_init(self, _: Any) -> None:
        """Raise InputError if a worker is invalid, or is remote though the run is not open."""
        split_workers(self.worker)
        if self.remote and self.pace is None:
            raise InputError("--remote", "needs an open run: give it a pace")
