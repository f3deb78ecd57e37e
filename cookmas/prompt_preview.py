"""The first request that a planner would send to a model. No model is called."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cookmas.files.errors import InfrastructureError, InputError
from cookmas.loading import NO_SETTINGS, load_planner, load_scenario
from cookmas.orchestrator.dialogue.blocks import to_json
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.message import Answered, Request, Wrapped, estimate_tokens
from cookmas.orchestrator.planners.naming import is_lineup
from cookmas.orchestrator.planners.seats import refuse_central


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSize:
    """The estimated tokens of a call."""

    parts: Mapping[str, int]
    """Tokens of the request: of each role of its messages, and of its schema and its tools."""
    answer: int | None
    """Maximum tokens of the answer; None if the request limits nothing."""

    @classmethod
    def of(cls, request: Request) -> CallSize:
        """Return the size of a call with this request."""
        parts = Counter[str]()
        for message in request.messages:
            parts[message.role] += estimate_tokens(message.content)
        parts.update({name: estimate_tokens(text) for name, text in attachments(request).items()})
        return cls(parts=parts, answer=request.max_tokens)

    @property
    def prompt(self) -> int:
        """Tokens of the request."""
        return sum(self.parts.values())

    @property
    def needed(self) -> int:
        """Tokens for which the context and the limits of an endpoint must have room."""
        return self.prompt + (self.answer or 0)

    def __str__(self) -> str:
        """Return what a call needs, in words."""
        if self.answer is None:
            return f"a call needs {self.prompt} and its answer, which --max-tokens limits"
        return f"with {self.answer} for the answer, a call needs {self.needed}"


def attachments(request: Request) -> dict[str, str]:
    """Return the texts that are sent beside the messages: of the schema and of the tools."""
    schema = to_json(request.schema.schema) if request.schema else ""
    tools = "\n".join(to_json(asdict(tool)) for tool in request.tools)
    return {name: text for name, text in (("schema", schema), ("tools", tools)) if text}


class UncalledError(InputError):
    """An episode calls no model, such as an open one that begins without anything to do."""


def first_requests(
    scenario: str,
    planner: str = "llm",
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> dict[str | None, Request]:
    """Return the first request of an episode, or of each seat of a line-up that calls a model.

    The keys are the seats; without a line-up the only key is None. Raises UncalledError if no
    model is called.
    """
    loaded = load_scenario(scenario, world, settings)
    played = loaded.world()

    def make_request(seat: str | None = None) -> Request | None:
        heard: list[Request] = []

        async def listen(request: Request) -> Answered:
            heard.append(request)
            raise InfrastructureError("nobody answers")

        listener = Wrapped("nobody", listen)
        asked = load_planner(planner, loaded, None, asking, world, make_model=lambda *_: listener)
        refuse_central(asked, played, planner)
        if seat is not None:
            assert isinstance(asked, Team)
            members = {seat: asked.members[seat]}
            asked = Team(
                name=seat,
                planner_class=asked.planner_class,
                members=members,
                rounds=asked.rounds,
                seats=asked.seats,
            )
        asyncio.run(episode_of(loaded, asked).run())
        return next(iter(heard), None)

    seats = played.workers if is_lineup(planner) else (None,)
    found = {seat: request for seat in seats if (request := make_request(seat))}
    if not found:
        raise UncalledError(f"planner {planner!r}", "calls no model")
    return found


def first_request(
    scenario: str,
    planner: str = "llm",
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> Request:
    """Return the very first request of an episode. Raises InputError if no model is called."""
    return next(iter(first_requests(scenario, planner, asking, world, settings).values()))
