"""The requests of a page to a person's place: a long poll, and handlers that answer in JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request

from cookmas.display.live.guard import HarmlessResponse, body_of
from cookmas.episodes.secrets import hide_known
from cookmas.files.errors import InputError
from cookmas.files.wording import describe_error

PATIENCE = 20.0
"""Seconds after which a page that waits for news gets an answer even without any."""


class Sent(BaseModel):
    """The body of a request; a subclass has its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Form = TypeVar("Form", bound=Sent)


async def wait_for_news(news: Awaitable[object]) -> None:
    """Wait until there is something new for a page, at most PATIENCE seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await news


def receive_as(
    form: type[Form], longest: int, take: Callable[[Form], Awaitable[Mapping[str, Any]]]
) -> Callable[[Request], Awaitable[HarmlessResponse]]:
    """Return a handler of requests that answers with what `take` returns for what the page sends.

    It answers with the reason and status 400 if that is an invalid `form`, and with the reason and
    409 if it has more than `longest` bytes or if `take` refuses it with InputError.
    """

    async def handle(request: Request) -> HarmlessResponse:
        try:
            sent = form.model_validate_json(await body_of(request, longest))
            return HarmlessResponse(await take(sent))
        except ValidationError as error:
            return HarmlessResponse({"why": hide_known(describe_error(error, form))}, 400)
        except InputError as error:
            return HarmlessResponse({"why": hide_known(str(error))}, 409)

    return handle
