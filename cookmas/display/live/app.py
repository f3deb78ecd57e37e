"""The web application of a run: its page, the stream of its entries, and messages of guests."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from cookmas.display.live.guard import (
    Guard,
    HarmlessResponse,
    Visitors,
    body_of,
    is_forwarded,
)
from cookmas.display.live.metrics import Health
from cookmas.display.live.stream import Stream
from cookmas.display.page.document import document
from cookmas.episodes.instruction import INSTRUCT
from cookmas.episodes.messages import MessageField, MessageForm, message_of
from cookmas.episodes.secrets import hide_known
from cookmas.episodes.trace_file import check_format
from cookmas.evals.verdict import Judged
from cookmas.files.errors import CookMASError, InputError
from cookmas.mailboxes.protocol import OPERATOR, Letterbox
from cookmas.mailboxes.sending import NoAnswerError, Sender
from cookmas.orchestrator.runs.addresses import letterbox
from cookmas.orchestrator.runs.consent import check_world
from cookmas.orchestrator.runs.folder import TRACE, RunFolder
from cookmas.world_names import domain_of
from cookmas.worlds.base.viewing import Viewing


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRun:
    """A run that the page shows."""

    folder: Path
    world: str
    """Name of the world, or `package.module:Domain` of a user-supplied one."""
    title: str
    viewing: Viewing
    judge: Callable[[], Judged]
    """Returns the run with its verdict, once the run has ended."""
    box: Letterbox | None
    """The letterbox for messages of guests; None if the run takes no messages."""
    messages: Sequence[MessageForm]

    @classmethod
    def of(
        cls,
        run: Path | RunFolder,
        judge: Callable[[Path, str], Judged],
        world: str | None = None,
    ) -> ShownRun:
        """Return the run in a folder as the page shows it.

        `judge` returns the run of a trace's file with its verdict, and `world` is the user-supplied
        world that the user has named. Raises CookMASError if the run cannot be shown.
        """
        run = RunFolder.of(run)
        folder, file = run.path, run.file
        check_world(folder, file, world)
        check_format(folder / TRACE)
        spec = world or file.world
        domain = domain_of(spec)
        where = file.redis.address() if file.redis else folder
        return cls(
            folder=folder,
            world=spec,
            title=file.scenario,
            viewing=domain.viewing,
            judge=partial(judge, folder / TRACE, spec),
            box=None if file.pace is None else letterbox(where),
            messages=domain.messages(),
        )


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
        part_number = int(part) if part.isdecimal() and len(part) < 10 else None
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(
            stream.events(last, part_number), media_type="text/event-stream", headers=headers
        )

    return events


LONGEST = 16_384
"""Maximum length of a message in bytes."""

LONGEST_FIELD = 2000
"""Maximum length of a field in characters."""

INSTRUCTION = MessageForm(
    kind=INSTRUCT,
    event=INSTRUCT,
    title="Instruct",
    fields=(MessageField(name="words", label="Words", example="the oldest one first, please"),),
)
"""The form of a supervisor's instruction, which is the same in all worlds."""


class Counter:
    """Posts the messages of guests to the episode, and returns its answers.

    `messages` are the world's kinds of messages. With `house`, messages are sent in the name of the
    episode's owner, unless a proxy has passed them on.
    """

    def __init__(self, box: Letterbox, messages: Sequence[MessageForm], *, house: bool) -> None:
        self._box = box
        self._messages = (*messages, INSTRUCTION)
        self._house = house

    async def take(self, request: Request) -> HarmlessResponse:
        """Post a message in JSON and answer with its outcome."""
        try:
            body = await body_of(request, LONGEST)
        except InputError as error:
            return _refuse(error.problem, 413)
        try:
            event = self._event(body)
        except InputError as error:
            return _refuse(str(error), 400)
        try:
            answer = await self._sender(request).send(event)
        except NoAnswerError as error:
            return HarmlessResponse({"status": "kept", "about": hide_known(str(error))}, 202)
        except CookMASError as error:
            return _refuse(str(error), 503)
        assert answer
        return HarmlessResponse(answer.model_dump(exclude_none=True))

    def _event(self, body: bytes) -> dict[str, Any]:
        """Return the event that a message in JSON describes. Raises InputError."""
        try:
            sent = json.loads(body)
        except (ValueError, RecursionError):
            raise InputError("message", "is no JSON") from None
        kind = sent.pop("kind", None) if isinstance(sent, dict) else None
        if not isinstance(kind, str):
            raise InputError("message", "expected a mapping with its kind")
        event = message_of(self._messages, kind).fill(named=sent)
        for name, value in event.items():
            if not 1 <= len(str(value)) <= LONGEST_FIELD:
                raise InputError(name, f"expected 1 to {LONGEST_FIELD} characters")
        return event

    def _sender(self, request: Request) -> Sender:
        if self._house and not is_forwarded(request):
            return Sender(self._box, OPERATOR)
        secret: str = request.state.visitor
        digest = hashlib.sha256(secret.encode()).hexdigest()
        return Sender(self._box, f"page-{digest[:16]}", token=secret)


def _refuse(why: str, code: int) -> HarmlessResponse:
    return HarmlessResponse({"status": "refused", "why": hide_known(why)}, code)
