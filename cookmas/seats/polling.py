"""What a page asks of a person's place, and what it sends: a long poll, and answers in JSON."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse

from cookmas.display.live.guard import body_of
from cookmas.episodes.secrets import harmless, hide_known, secrets_of
from cookmas.files.errors import InputError
from cookmas.files.wording import describe_error

PATIENCE = 20.0
"""Seconds after which a page that waits for news gets an answer even without any."""


class Sent(BaseModel):
    """What a page sends; a subclass has its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Form = TypeVar("Form", bound=Sent)


class HarmlessResponse(JSONResponse):
    """An answer to a page, without the secrets of this process."""

    def render(self, content: Any) -> bytes:
        """Return plain data as JSON."""
        return super().render(harmless(content, secrets_of(os.environ)))


async def wait_for_news(news: Awaitable[object]) -> None:
    """Wait until there is something new for a page, at most PATIENCE seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await news


def receive_as(
    form: type[Form], longest: int, take: Callable[[Form], Awaitable[Mapping[str, Any]]]
) -> Callable[[Request], Awaitable[JSONResponse]]:
    """Return a handler of requests that answers with what `take` returns for what the page sends.

    It answers with the reason and status 400 if that is an invalid `form`, and with the reason and
    409 if it has more than `longest` bytes or if `take` refuses it with InputError.
    """

    async def handle(request: Request) -> JSONResponse:
        try:
            sent = form.model_validate_json(await body_of(request, longest))
            return HarmlessResponse(await take(sent))
        except ValidationError as error:
            return HarmlessResponse({"why": hide_known(describe_error(error, form))}, 400)
        except InputError as error:
            return HarmlessResponse({"why": hide_known(str(error))}, 409)

    return handle
