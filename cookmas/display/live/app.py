"""The web application of a run: its page, the stream of its entries, and messages of guests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from cookmas.display.live.guard import Guard
from cookmas.display.live.messages import Counter
from cookmas.display.live.metrics import Health
from cookmas.display.live.stream import Stream
from cookmas.display.live.visitors import Visitors
from cookmas.display.page.document import document
from cookmas.episodes.messages import MessageForm
from cookmas.evals.verdict import Judged
from cookmas.mailboxes.protocol import Letterbox
from cookmas.orchestrator.runs.folder import TRACE
from cookmas.worlds.base.viewing import Viewing


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRun:
    """A run that the page shows."""

    folder: Path
    """Folder of the run."""
    world: str
    """Name of the world, or `package.module:Domain` of a user-supplied one."""
    title: str
    """Title of the page."""
    viewing: Viewing
    """The words and drawings in which the world is shown."""
    judge: Callable[[], Judged]
    """Returns the run with its verdict, once the run has ended."""
    box: Letterbox | None
    """The letterbox for messages of guests; None if the run takes no messages."""
    messages: Sequence[MessageForm]
    """The kinds of messages that guests may send."""


EVENTS, MESSAGES = "/events", "/messages"

NOTHING: Mapping[str, Any] = {}


def live_app(
    run: ShownRun,
    names: Collection[str],
    token: str,
    routes: Sequence[BaseRoute] = (),
    offers: Mapping[str, Any] = NOTHING,
    worker: str | None = None,
    *,
    house: bool = False,
    suggestions: bool = True,
) -> Starlette:
    """Return the application that serves the page of a run. Any process may play the run.

    `names` and `token` are those of `Guard`. `routes` are further routes. `offers` tells the page's
    scripts what else the server offers, in their mapping `server`. If a `worker` is given, the page
    gets only what that worker may know. Without `suggestions` the page gets no plans. With `house`,
    all messages are sent in the name of the episode's owner; otherwise each visitor sends under a
    name of their own.
    """
    stream = Stream(run.folder / TRACE, run.judge, run.world, worker, suggestions=suggestions)
    server = {"events": EVENTS, **offers}
    own: list[BaseRoute] = [Route(EVENTS, _events(stream))]
    box = run.box
    if box is not None:
        counter = Counter(box, run.messages, house=house)
        own.append(Route(MESSAGES, counter.take, methods=["POST"]))
        server["messages"] = MESSAGES
        own += Health(run.folder).routes()
    page = document(f"CookMAS: {run.title}", [run.viewing], server=server)

    async def show(request: Request) -> Response:
        return HTMLResponse(page)

    @asynccontextmanager
    async def read_while_serving(app: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(stream.read())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        if box:
            await box.leave()

    return Starlette(
        routes=[Route("/", show), *own, *routes],
        middleware=[Middleware(Guard, names=names, token=token), Middleware(Visitors)],
        lifespan=read_while_serving,
    )


def _events(stream: Stream) -> Any:
    async def events(request: Request) -> Response:
        last = request.headers.get("last-event-id")
        part = request.query_params.get("part", "")
        number = int(part) if part.isdecimal() and len(part) < 10 else None
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(
            stream.events(last, number), media_type="text/event-stream", headers=headers
        )

    return events
