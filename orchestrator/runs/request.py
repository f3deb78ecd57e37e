"""The request of a run: an immutable record, which every front end constructs."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SkipValidation

from cookmas.episodes.scenario import Scenario
from cookmas.files.errors import InputError
from cookmas.files.option_models import Options, field_in
from cookmas.mailboxes.redis.address import REMEMBERED, split_address, without_secrets
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.member import Policy, Team
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.options import (
    ADDRESS,
    CheckpointFields,
    OpenFields,
    RunFields,
    WorkFields,
)
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.naming import text_of
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


class RedisPlace(BaseModel):
    """The place of a run's episode in Redis."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    """URL of the server."""
    episode: str
    """Name of the episode on the server."""
    run: str = Field(default_factory=lambda: uuid.uuid4().hex)
    """Identifier of the run that the episode belongs to."""
    remembered: int = REMEMBERED
    """Number of answers that Redis keeps for each sender.

    A message that is sent again after its answer has been dropped counts as new.
    """

    @classmethod
    def at(cls, address: str, remembered: int = REMEMBERED) -> Self:
        """Return the place for an address: a URL, `#`, and the name of the episode."""
        url, episode = split_address(address)
        return cls(url=url, episode=episode, remembered=remembered)

    def without_password(self) -> Self:
        """Return the place without user and password, for `run.json`."""
        return self.model_copy(update={"url": without_secrets(self.url)})

    def reachable(self) -> str:
        """Return the URL to connect to: that of the environment variable ADDRESS if it is set."""
        return split_address(os.environ[ADDRESS])[0] if ADDRESS in os.environ else self.url

    def address(self) -> str:
        """Return the address by which senders reach the episode."""
        return f"{self.reachable()}#{self.episode}"


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
