"""The requests of a page to a person's place: a long poll, and routes that take what it sends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.routing import Route

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


def poll(
    where: str, wait_past: Callable[[str], Awaitable[object]], tell: Callable[[], Mapping[str, Any]]
) -> Route:
    """Return the route of a long poll: a page asks there for news, and gets what `tell` returns.

    `wait_past` waits until there is something else than the page has `seen`; after PATIENCE seconds
    the page is answered without news.
    """

    async def handle(request: Request) -> HarmlessResponse:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await wait_past(request.query_params.get("seen", ""))
        return HarmlessResponse(tell())

    return Route(where, handle, methods=["GET"])


def receive(
    where: str,
    form: type[Form],
    longest: int,
    take: Callable[[Form], Awaitable[Mapping[str, Any]]],
) -> Route:
    """Return a route that answers with what `take` returns for what a page sends there.

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

    return Route(where, handle, methods=["POST"])
