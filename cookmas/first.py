"""The first request that a planner would send to a model, without a model."""

from __future__ import annotations

import asyncio

from pydantic import PrivateAttr

from cookmas.api import default_horizon
from episodes.errors import InfrastructureError, InputError
from orchestrator.models.message import Answer, Measured, Model, Request
from orchestrator.models.options import ModelOptions
from orchestrator.planners.load import load_planner
from orchestrator.planners.options import AskingOptions
from orchestrator.restaurant import restaurant_episode
from scenarios.scenario import load_scenario


class _Listener:
    """A model that hears the first request and answers nothing."""

    name = "nobody"

    def __init__(self) -> None:
        self.heard: Request | None = None

    async def answer(self, request: Request) -> tuple[Answer, Measured]:
        self.heard = self.heard or request
        raise InfrastructureError("nobody answers")


class _Listening(ModelOptions):
    """Options of which the listener is made, whatever they say."""

    _listener: _Listener = PrivateAttr(default_factory=_Listener)

    def make(self) -> Model:
        return self._listener

    @property
    def heard(self) -> Request | None:
        return self._listener.heard


def first_request(
    scenario: str, planner: str = "llm", asking: AskingOptions | None = None
) -> Request:
    """What the first call of an episode sends. Raises InputError if no model is called."""
    options = _Listening()
    loaded = load_scenario(scenario)
    asked = load_planner(planner, loaded.kitchen, options, asking)
    horizon = default_horizon(loaded)
    asyncio.run(restaurant_episode(loaded, asked, horizon=horizon).run())
    if options.heard is None:
        raise InputError(f"planner {planner!r}", "calls no model")
    return options.heard
