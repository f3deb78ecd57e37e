"""Models behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import time
from collections.abc import AsyncGenerator
from email.utils import parsedate_to_datetime

import openai
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
    wait_random_exponential,
)

from cookmas.episodes.secrets import harmless
from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models.budget import Prices
from cookmas.orchestrator.models.keys import PASSING, PLACEHOLDER, api_key, check_url, secrets_of
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.orchestrator.models.wire import Dialect, estimate_usage, from_wire, to_wire

DEADLINE = 600.0
"""Greatest number of seconds of a call, including all attempts."""

RETRIES = 6
"""Greatest number of attempts after the first."""

_CONNECT_SECONDS = 10.0
_LONGEST_TEXT = 300
_TOO_LONG = re.compile(r"context.*(length|size|window)|(length|size|window).*context", re.DOTALL)
_WRITTEN_BADLY = ("tool_use_failed", "json_validate_failed")
"""Error codes by which endpoints report that the model called a tool wrongly, or wrote bad JSON."""

_LIMIT = re.compile(r"max_(completion_)?tokens")
_log = logging.getLogger(__name__)
_backoff = wait_random_exponential(multiplier=0.5, max=30)


class _GarbledError(Exception):
    """A response that is not a chat completion."""


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint.

    `base_url` is by default the value of the environment variable OPENAI_BASE_URL, or else the URL
    of OpenAI. The key comes from an environment variable: `key_from`, if it is given.

    A call is repeated after the statuses 408, 409, 429 and 5xx, a lost connection, an unreadable
    response, and an attempt that takes longer than half of `deadline`. `deadline` is the hard limit
    of a call with all its attempts, in seconds.

    One client serves many episodes; it is closed with its event loop, or by `close`. The
    constructor raises MissingError or InputError if the key or the URL is missing or invalid.
    """

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        *,
        key_from: str | None = None,
        prices: Prices | None = None,
        deadline: float = DEADLINE,
        retries: int = RETRIES,
    ) -> None:
        self.name = name
        base_url = base_url or os.environ.get("OPENAI_BASE_URL")
        self._key = api_key(base_url, key_from)
        self._secrets = secrets_of(self._key)
        self._url = check_url(base_url or "https://api.openai.com/v1")
        self._prices = prices
        self._deadline = deadline
        self._retries = retries
        self._dialect = Dialect()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opened: AsyncGenerator[openai.AsyncOpenAI, None] | None = None
        self._client: openai.AsyncOpenAI | None = None

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        """Return the answer to a request and its measurements.

        Raise InfrastructureError if the endpoint cannot be used.
        """
        began, tries = time.perf_counter(), _Tries()
        retrying = AsyncRetrying(
            retry=retry_if_exception(_may_pass),
            wait=_wait,
            stop=stop_after_attempt(1 + self._retries) | stop_before_delay(self._deadline),
            before=tries.begin,
            after=tries.fail,
            reraise=True,
        )
        try:
            async with asyncio.timeout(self._deadline):
                answer: ModelAnswer = await retrying(self._try, request)
        except (openai.APIError, _GarbledError, TimeoutError) as error:
            raise InfrastructureError(self._hide(self._describe_failure(error, tries))) from None
        cost = self._prices.cost(answer.usage) if self._prices else None
        seconds = time.perf_counter() - began
        return answer, CallMeasurements(seconds=seconds, retries=tries.begun - 1, cost=cost)

    async def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        if self._opened and self._loop is asyncio.get_running_loop():
            await self._opened.aclose()
        self._opened = self._client = self._loop = None

    async def _try(self, request: Request) -> ModelAnswer:
        async with asyncio.timeout(self._deadline / 2):
            dialect = self._dialect
            while True:
                try:
                    answer = await self._send(request, dialect)
                except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                    if value := self._value(error, request):
                        return value
                    simpler = dialect.simplify(request, error.message)
                    if simpler is None:
                        raise
                    dialect = simpler
                    continue
                if dialect != self._dialect:
                    _log.info("%s does not take everything, from now on: %s", self._url, dialect)
                    self._dialect = dialect
                return answer

    async def _send(self, request: Request, dialect: Dialect) -> ModelAnswer:
        client = await self._connect()
        response = await client.chat.completions.with_raw_response.create(
            model=self.name, **to_wire(request, dialect)
        )
        body = response.content
        try:
            return from_wire(harmless(json.loads(body), self._secrets), request, self.name)
        except (ValueError, RecursionError):
            shown = body.decode("utf-8", "replace")
            raise _GarbledError(f"the response is not a chat completion: {shown}") from None

    def _value(self, error: openai.APIStatusError, request: Request) -> ModelAnswer | None:
        """Return an answer if the model or the prompt caused the rejection of a request, else None.

        Such causes are badly written output, a prompt that is too long, and a content filter.
        """
        text = f"{error.code} {error.type} {error.message}".lower()
        reason: str | None = None
        if error.code in _WRITTEN_BADLY:
            body = error.body if isinstance(error.body, dict) else {}
            written = harmless(str(body.get("failed_generation") or ""), self._secrets)
            return ModelAnswer(
                text=written,
                finish_reason="stop",
                model=self.name,
                usage=estimate_usage(request, written),
            )
        ours = request.max_tokens is not None and _LIMIT.search(text)
        if not ours and _TOO_LONG.search(text):
            reason = "context_length"
        elif error.code == "content_filter":
            reason = "refusal"
        if reason is None:
            return None
        return ModelAnswer(
            text="",
            finish_reason=reason,
            refusal=self._hide(error.message) if reason == "refusal" else None,
            model=self.name,
            usage=estimate_usage(request, ""),
        )

    async def _connect(self) -> openai.AsyncOpenAI:
        """Return the client of the running event loop."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._opened = _open(self._url, self._key)
            self._client = await anext(self._opened)
            self._loop = loop
        return self._client

    def _describe_failure(self, error: Exception, tries: _Tries) -> str:
        if not isinstance(error, TimeoutError):
            unkeyed = self._key == PLACEHOLDER and isinstance(error, openai.AuthenticationError)
            no_key = f"; none is set, and {PASSING}" if unkeyed else ""
            return f"{self._url}: {_describe(error)}{tries}{no_key}"
        before = f"; before that: {_describe(tries.error)}" if tries.error else ""
        return (
            f"{self._url}: {self.name} gave no answer within {self._deadline:g} seconds"
            f"{tries}{before}"
        )

    def _hide(self, text: str) -> str:
        return " ".join(harmless(text, self._secrets).split())[:_LONGEST_TEXT]


async def _open(url: str, key: str) -> AsyncGenerator[openai.AsyncOpenAI, None]:
    """Yield a client, and close it when the generator is closed.

    An event loop closes its generators when it ends.
    """
    async with openai.AsyncOpenAI(
        api_key=key,
        base_url=url,
        max_retries=0,
        timeout=openai.Timeout(None, connect=_CONNECT_SECONDS),
    ) as client:
        yield client


class _Tries:
    """The attempts of one call: their number, and the last error."""

    def __init__(self) -> None:
        self.begun = 0
        self.error: BaseException | None = None

    def begin(self, state: RetryCallState) -> None:
        self.begun = state.attempt_number

    def fail(self, state: RetryCallState) -> None:
        self.error = state.outcome.exception() if state.outcome else None
        _log.info("try %d of a call failed: %s", self.begun, type(self.error).__name__)

    def __str__(self) -> str:
        return f" ({self.begun} tries)" if self.begun > 1 else ""


def _may_pass(error: BaseException) -> bool:
    """Return whether another attempt may succeed after an error."""
    if isinstance(error, openai.APIStatusError):
        spent = error.code == "insufficient_quota" or error.type == "insufficient_quota"
        return not spent and (error.status_code in (408, 409, 429) or error.status_code >= 500)
    return isinstance(error, openai.APIConnectionError | _GarbledError | TimeoutError)


def _wait(state: RetryCallState) -> float:
    """Return the seconds until the next attempt, at least the number that the endpoint demands."""
    error = state.outcome.exception() if state.outcome else None
    asked = _retry_after(error) if isinstance(error, openai.APIStatusError) else 0.0
    return max(asked, _backoff(state))


def _retry_after(error: openai.APIStatusError) -> float:
    header = error.response.headers.get("retry-after", "")
    try:
        return float(header)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(header).timestamp() - time.time()
    except ValueError:
        return 0.0


def _describe(error: BaseException) -> str:
    """Return a description of an error for the user."""
    match error:
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            return f"the key is not accepted: {error.message}"
        case openai.NotFoundError():
            return f"there is no such model or endpoint: {error.message}"
        case openai.APITimeoutError():
            return "there is no connection: it takes too long"
        case openai.APIConnectionError():
            cause = error.__cause__
            header = str(cause) or type(cause).__name__
            return f"there is no connection: {header if cause else error.message}"
        case TimeoutError():
            return "a try took too long"
    return str(error)
