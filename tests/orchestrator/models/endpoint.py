"""An HTTP server on 127.0.0.1 that answers chat completions as scripted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from cookmas.orchestrator.models.faults import Response
from cookmas.orchestrator.models.message import Message, ModelAnswer, Request
from cookmas.orchestrator.models.outcome import judge

Behaviour = Callable[["Exchange"], Awaitable[None]]


@dataclass
class Exchange:
    """One request, and the methods to answer it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.head(status, len(raw), headers)
        self.writer.write(raw)
        await self.writer.drain()

    def head(self, status: int, length: int, headers: dict[str, str] | None = None) -> None:
        lines = [f"HTTP/1.1 {status} Some", "content-type: application/json"]
        lines += [f"content-length: {length}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def reset(self) -> None:
        """Reset the connection."""
        self.writer.transport.abort()


def completion(text: Any = "Hello", **more: Any) -> dict[str, Any]:
    """Return a chat completion; `more` has usage, model, finish_reason and message fields."""
    usage = more.pop("usage", {"prompt_tokens": 100, "completion_tokens": 20})
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": more.pop("model", "stub-2026"),
        "choices": [
            {
                "index": 0,
                "finish_reason": more.pop("finish_reason", "stop"),
                "message": {"role": "assistant", "content": text, **more},
            }
        ],
        **({"usage": usage} if usage else {}),
    }


def says(text: Any = "Hello", after: float = 0.0, **more: Any) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        await asyncio.sleep(after)
        await exchange.send(200, completion(text, **more))

    return behave


def fails(status: int, error: Any = None, headers: dict[str, str] | None = None) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        body = error if isinstance(error, bytes) else {"error": error or {"message": "no"}}
        await exchange.send(status, body, headers)

    return behave


async def resets(exchange: Exchange) -> None:
    exchange.reset()


async def stalls(exchange: Exchange) -> None:
    """Send half of an answer, and wait for the client to disconnect."""
    raw = json.dumps(completion()).encode()
    exchange.head(200, len(raw))
    exchange.writer.write(raw[:40])
    await exchange.writer.drain()
    await exchange.reader.read()


async def breaks_off(exchange: Exchange) -> None:
    raw = json.dumps(completion()).encode()
    exchange.head(200, len(raw))
    exchange.writer.write(raw[:40])
    await exchange.writer.drain()
    exchange.reset()


@dataclass
class Server:
    """Answers requests by the behaviours in `script`, in order, then by `default`."""

    url: str = ""
    script: list[Behaviour] = field(default_factory=list)
    default: Behaviour = field(default_factory=says)
    seen: list[Exchange] = field(default_factory=list)
    open: int = 0
    most_open: int = 0

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.most_open = max(self.open, self.most_open)
        try:
            while exchange := await _read(reader, writer):
                self.seen.append(exchange)
                await (self.script.pop(0) if self.script else self.default)(exchange)
        except ConnectionError:
            pass
        finally:
            self.open -= 1
            writer.close()

    async def left(self) -> None:
        """Wait until no client is connected."""
        async with asyncio.timeout(60):
            while self.open:
                await asyncio.sleep(0.01)

    async def quiet(self) -> None:
        """Wait until no more clients disconnect: a dropped model takes some time to do so."""
        before = -1
        while before != self.open:
            before = self.open
            await asyncio.sleep(0.01)


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Exchange | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    except asyncio.IncompleteReadError:
        return None
    headers = {
        name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])
    }
    body = await reader.readexactly(int(headers.get("content-length", 0))) or b"{}"
    return Exchange(head[0].split()[1], headers, json.loads(body), reader, writer)


@asynccontextmanager
async def serving() -> AsyncIterator[Server]:
    served = Server()
    listening = await asyncio.start_server(served.connected, "127.0.0.1", 0, backlog=200)
    served.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
    try:
        yield served
    finally:
        listening.close()
        await served.quiet()
        for exchange in served.seen:
            exchange.writer.close()
        await asyncio.sleep(0.01)


def question(text: str = "What is for dinner?", **more: Any) -> Request:
    messages = (Message(role="system", content="Be brief."), Message(role="user", content=text))
    return Request(messages=messages, **more)


ASKED = Request(messages=(Message(role="user", content="x" * 4000),))
"""A request of 1,000 tokens."""


def judged(status: int, body: Any, request: Request = ASKED) -> ModelAnswer:
    """Return the answer in a response, as each kind of client has it judged."""
    return judge(Response(status=status, body=body), request, "stub")
