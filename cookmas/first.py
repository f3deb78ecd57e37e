"""The first request that a planner would send to a model, without a model."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from pydantic import PrivateAttr

from cookmas.loading import NO_SETTINGS, load_planner, load_scenario
from episodes.errors import InfrastructureError, InputError
from orchestrator.dialogue.options import AskingOptions
from orchestrator.episode import episode_of
from orchestrator.models.message import Answer, Measured, Model, Request
from orchestrator.models.options import ModelOptions


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
    scenario: str,
    planner: str = "llm",
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> Request:
    """What the first call of an episode sends. Raises InputError if no model is called."""
    options = _Listening()
    loaded = load_scenario(scenario, world, settings)
    asked = load_planner(planner, loaded, options, asking, world)
    asyncio.run(episode_of(loaded, asked).run())
    if options.heard is None:
        raise InputError(f"planner {planner!r}", "calls no model")
    return options.heard
