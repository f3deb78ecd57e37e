"""The HTTP application: it serves chat completions, made or recorded, and makes faults of endpoints
and networks.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from cookmas.episodes.parts import SCRIPTED
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.modelserver import wire
from cookmas.modelserver.answers import Scripted
from cookmas.modelserver.endpoint_faults import ENDPOINT_FAULTS, MOVED, Reaction, WireFault
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.listening import RESET

COMPLETIONS = "/v1/chat/completions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The durations of the server, in seconds."""

    latency: float = 0.0
    """Least time from a request to its answer."""
    slow: float = 5.0
    """Additional time if the fault `slow` occurs."""
    retry_after: float = 1.0
    """Time that a response with status 429 asks the client to wait."""


class Endpoint:
    """The two routes of the server: the list of models, and chat completions."""

    def __init__(
        self, scripted: Scripted, faults: Faults, timing: Timing, recorded: AnswerFile | None = None
    ) -> None:
        self._scripted = scripted
        self._faults = faults
        self._timing = timing
        self._kept = recorded
        self._attempts: Counter[str] = Counter()

    def app(self) -> Starlette:
        """Return the application with the two routes: the list of models, and completions."""
        return Starlette(
            routes=[
                Route("/v1/models", self.models),
                Route(COMPLETIONS, self.completions, methods=["POST"]),
                Route(MOVED, self.completions, methods=["POST"]),
            ]
        )

    async def models(self, request: Request) -> Response:
        """Return the list of models."""
        model = {"id": SCRIPTED, "object": "model", "created": 0, "owned_by": "cookmas"}
        return JSONResponse({"object": "list", "data": [model]})

    async def completions(self, request: Request) -> Response:
        """Return the answer to a request, or make a drawn fault, such as a reset connection."""
        began = asyncio.get_running_loop().time()
        try:
            body = json.loads(await request.body())
            problem = wire.problem_with(body)
        except (ValueError, RecursionError):
            problem = "the request is no JSON"
        if problem:
            return JSONResponse(wire.error(problem), 400)
        digest = wire.request_digest(body)
        self._attempts[digest] += 1
        attempt = (digest, self._attempts[digest])
        if failure := self._failure(attempt):
            return failure
        if self._faults.strikes("reset", *attempt):
            request.scope[RESET]()
            return Response(status_code=500)
        struck = self._strike(body, attempt)
        if reaction := self._choose_reaction(struck, moved=request.url.path == MOVED):
            return _send_reaction(reaction)
        try:
            answer = await self._answer(body, digest)
        except InfrastructureError as error:
            return JSONResponse(wire.error(str(error), "server_error"), 500)
        for fault in struck:
            answer = fault.change(answer) if fault.change else answer
        late = self._timing.slow if self._faults.strikes("slow", *attempt) else 0.0
        due = began + self._timing.latency + late
        await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))
        stalls = self._faults.strikes("stall", *attempt)
        return _response(answer, body, stalls)

    def _failure(self, attempt: tuple[str, int]) -> Response | None:
        if self._faults.strikes("status_429", *attempt):
            wait = {"retry-after": f"{self._timing.retry_after:g}"}
            return JSONResponse(wire.error("Too many requests.", "rate_limit"), 429, wait)
        if self._faults.strikes("status_500", *attempt):
            return JSONResponse(wire.error("Something went wrong.", "server_error"), 500)
        return None

    def _strike(self, body: Mapping[str, Any], attempt: tuple[str, int]) -> list[WireFault]:
        return [
            fault
            for fault in ENDPOINT_FAULTS
            if fault.concerns(body)
            and self._faults.strikes(fault.name, *(attempt if fault.passes else attempt[:1]))
        ]

    def _choose_reaction(self, struck: Sequence[WireFault], *, moved: bool) -> Reaction | None:
        """Return the first response in place of an answer; a `moved` request moves no further."""
        made = (fault.respond(self._timing.retry_after) for fault in struck if fault.respond)
        return next(
            (reaction for reaction in made if not (moved and 300 <= reaction.status < 400)), None
        )

    async def _answer(self, body: dict[str, Any], digest: str) -> dict[str, Any]:
        if self._kept is None:
            return await self._scripted.answer(body, digest)
        answer = self._kept.get(digest)
        if answer is None:
            answer = await self._scripted.answer(body, digest)
            self._kept.add(digest, answer)
        return answer


def _send_reaction(reaction: Reaction) -> Response:
    if isinstance(reaction.body, str):
        headers = {"content-type": "text/html", **reaction.headers}
        return Response(reaction.body, reaction.status, headers)
    return JSONResponse(reaction.body, reaction.status, reaction.headers)


def _response(answer: dict[str, Any], body: dict[str, Any], stalls: bool) -> Response:
    if body.get("stream"):
        options = body.get("stream_options") or {}
        pieces = list(wire.chunks(answer, bool(options.get("include_usage"))))
        media_type = "text/event-stream"
    else:
        whole = json.dumps(answer, ensure_ascii=False).encode()
        if not stalls:
            return Response(whole, media_type="application/json")
        pieces = [whole[: len(whole) // 2], whole[len(whole) // 2 :]]
        media_type = "application/json"
    return StreamingResponse(_send(pieces, stalls), media_type=media_type)


async def _send(pieces: list[bytes], stalls: bool) -> AsyncIterator[bytes]:
    for number, piece in enumerate(pieces):
        if stalls and number == len(pieces) // 2:
            await asyncio.Event().wait()
        yield piece


class AnswerFile:
    """A file of answers, so that a repeated request needs no computation.

    The first line records the faults with which the answers were made; each other line is one
    answer. If the file is missing or empty, the constructor writes the first line. It raises
    InputError if the file is not such a file, or was made with other faults.
    """

    def __init__(self, path: Path, faults: Faults) -> None:
        self._answers: dict[str, dict[str, Any]] = {}
        if path.exists() and not path.is_file():
            raise InputError(str(path), "is not a regular file; name a file for the answers")
        made_with = {"seed": faults.seed, "rates": dict(sorted(faults.rates.items()))}
        if path.exists() and path.stat().st_size:
            self._read(path, made_with)
        else:
            path.write_text(json.dumps(made_with) + "\n", encoding="utf-8")
        self._file = path.open("a", encoding="utf-8", newline="\n")

    def _read(self, path: Path, made_with: dict[str, Any]) -> None:
        with path.open("rb") as lines:
            for line_number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    raise InputError(f"{path}, line {line_number}", "breaks off; delete this line")
                try:
                    data = json.loads(line.decode())
                    if line_number == 1:
                        first = data
                    else:
                        self._answers[str(data["request"])] = dict(data["answer"])
                except (ValueError, KeyError, TypeError, RecursionError):
                    raise InputError(
                        f"{path}, line {line_number}", "is not a recorded answer; delete this line"
                    ) from None
        if first != made_with:
            raise InputError(str(path), f"was made with {first}, not with {made_with}")

    def get(self, digest: str) -> dict[str, Any] | None:
        """Return the recorded answer to the request with this digest; None if there is none."""
        return self._answers.get(digest)

    def add(self, digest: str, answer: dict[str, Any]) -> None:
        """Record the answer to the request with this digest."""
        self._answers[digest] = answer
        line = json.dumps({"request": digest, "answer": answer}, ensure_ascii=False)
        self._file.write(line + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
