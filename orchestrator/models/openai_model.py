"""Models behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import time
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx2
import openai
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    wait_random_exponential,
)

from cookmas.episodes.secrets import Secrets, harmless
from cookmas.files.errors import EndpointAwayError, InfrastructureError
from cookmas.files.unpacking import TooLargeError, limit_body
from cookmas.orchestrator.models.access import (
    PASSING,
    PLACEHOLDER,
    api_key,
    check_machine,
    describe_certificate,
    describe_proxy,
    header_values,
    hide_keys,
    list_added,
    read_fields,
    read_headers,
    read_url,
)
from cookmas.orchestrator.models.budget import Prices
from cookmas.orchestrator.models.dialect import (
    BrokenStreamError,
    Dialect,
    names_schema,
    read_body,
    to_wire,
)
from cookmas.orchestrator.models.faults import PAGE, EndpointFault, Response, reading
from cookmas.orchestrator.models.message import (
    Answered,
    CallMeasurements,
    ModelAnswer,
    Request,
    Usage,
    estimate_usage,
)
from cookmas.orchestrator.models.outcome import judge
from cookmas.orchestrator.models.patience import is_hurried, tell_tries
from cookmas.orchestrator.models.providers import UNREACHABLE

DEADLINE = 600.0
"""Greatest number of seconds of a call, including all attempts."""

RETRIES = 6
"""Greatest number of attempts after the first, except at an endpoint that is only busy."""

UNKNOWN_RETRIES = 2
"""Greatest number of attempts after the first for a refusal of an unknown kind."""

QUICK_RETRIES = 1
"""Greatest number of attempts after the first if another planner stands ready."""

SHOWN_WAIT = 5.0
"""Seconds of a wait from which on the log tells it as a warning."""

MOST_REDIRECTS = 3
"""Greatest number of redirects that a request follows."""

MOST_BODY = 32 * 2**20
"""Maximum size of the unpacked body of a response, in bytes; long answers in pieces need a part."""

LEAST_READ = 2 / 3
"""Share of the estimated tokens of a request below which an endpoint's count is told."""

_CONNECT_SECONDS = 10.0
_PATH = "/chat/completions"
_MOVED = "it redirects to another address; write that one: "
_BY_STATUS = {
    401: "the key is not accepted: ",
    404: "there is no such model or endpoint: ",
    **dict.fromkeys((301, 302, 303, 307, 308), _MOVED),
}
_LOGIN = re.compile(r"log-?in|sign-?in|\bsso\b|oauth|authorize")
_log = logging.getLogger(__name__)
_backoff = wait_random_exponential(multiplier=0.5, max=30)


Fetch = Callable[[Request, Dialect], Awaitable[Response]]
"""Returns the response of the endpoint to a request in a dialect."""

Around = Callable[[Fetch, Request, Dialect], Awaitable[Response]]
"""Does what a `Fetch` does, with this one."""


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint.

    `base_url` is by default the value of the environment variable OPENAI_BASE_URL, or else the URL
    of OpenAI. The key comes from an environment variable: `key_from`, if it is given.

    A call is repeated after a fault that may pass: a lost connection, an unreadable or failed
    response, and an attempt that takes longer than half of `deadline`. An endpoint that is busy
    (statuses 429 and 503) is asked again until the deadline; any other is asked at most `retries`
    times more, after a refusal of an unknown kind at most twice. `deadline` is the hard limit of a
    call with all its attempts, in seconds.

    `extra` and `headers` are additions to each request (`access.py`). If `stream`, answers come
    piece by piece; else only if the endpoint demands it. Every request goes through `around`.

    One client serves many episodes; it is closed with its event loop, or by `close`. The
    constructor raises MissingError or InputError if the key, the URL or the settings of this
    machine are missing or invalid.
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
        extra: Sequence[str] = (),
        headers: Sequence[str] = (),
        stream: bool = False,
        around: Around | None = None,
    ) -> None:
        check_machine()
        self.name = name
        base_url = base_url or os.environ.get("OPENAI_BASE_URL")
        self._key = api_key(base_url, key_from)
        self._extra = read_fields(extra)
        self._headers = header_values(read_headers(headers))
        self._added = list_added(extra, headers)
        self._secrets = hide_keys(self._key, *self._headers.values())
        self._url, self._query = read_url(base_url or "https://api.openai.com/v1")
        self._prices = prices
        self._deadline = deadline
        self._retries = retries
        self._dialect = Dialect(streaming=stream)
        self._around = around
        self._schema_refused = False
        """True if the last request was accepted only without its schema, for no named reason."""
        self._told_wait = False
        """True if a wait was told since the last answer."""
        self._told_cut = False
        """True if it was told that the endpoint read less than was sent."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opened: AsyncGenerator[openai.AsyncOpenAI, None] | None = None
        self._client: openai.AsyncOpenAI | None = None

    async def answer(self, request: Request) -> Answered:
        """Return the answer to a request and its measurements.

        Raise InfrastructureError if the endpoint cannot be used, MachineError if this machine does
        not trust its certificate.
        """
        began = time.perf_counter()
        hurried = is_hurried()
        tries = _Tries(self._deadline, QUICK_RETRIES if hurried else self._retries, hurried)
        retrying = AsyncRetrying(
            retry=retry_if_exception(_may_pass),
            wait=_wait,
            stop=tries.is_enough,
            before=tries.begin,
            after=tries.fail,
            before_sleep=self._tell_wait,
            reraise=True,
        )
        try:
            async with asyncio.timeout(self._deadline):
                answer: ModelAnswer = await retrying(self._try, request)
        except (openai.APIConnectionError, EndpointFault, TimeoutError) as error:
            if distrusted := describe_certificate(error, self._url):
                raise distrusted from None
            why = self._describe_failure(error, tries)
            unreachable = _is_unreachable(error)
            known = not isinstance(error, EndpointFault) or error.kind != "unknown"
            if unreachable or (known and _may_pass(error)):
                raise EndpointAwayError(why, unreachable=unreachable) from None
            raise InfrastructureError(why) from None
        self._told_wait = False
        cost = self._prices.cost(answer.usage) if self._prices else None
        seconds = time.perf_counter() - began
        return answer, CallMeasurements(seconds=seconds, retries=tries.begun - 1, cost=cost)

    @property
    def address(self) -> str:
        return self._url

    async def list_models(self) -> Sequence[Mapping[str, Any]]:
        """Return what the endpoint says of its models; nothing if it does not list them."""
        client = await self._connect()
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                listed = await client.get("/models", cast_to=httpx2.Response)
            body = harmless(read_body(listed.content), self._secrets)
        except (openai.OpenAIError, TimeoutError, BrokenStreamError):
            return ()
        data = body.get("data") if isinstance(body, Mapping) else body
        return [x for x in data if isinstance(x, Mapping)] if isinstance(data, list) else ()

    async def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        if self._opened and self._loop is asyncio.get_running_loop():
            await self._opened.aclose()
        self._opened = self._client = self._loop = None

    async def _try(self, request: Request) -> ModelAnswer:
        """Return the answer to a request, simplified as far as the endpoint asks for it."""
        async with asyncio.timeout(self._deadline / 2):
            dialect, named, complaint = self._dialect, True, ""
            while True:
                try:
                    answer = await self._send(request, dialect)
                except EndpointFault as fault:
                    simpler = dialect.simplify(request, str(fault), fault.status)
                    if simpler is None:
                        fault.add_cause(complaint)
                        raise
                    named = named and (simpler.structured or names_schema(str(fault)))
                    dialect, complaint = simpler, complaint or str(fault)
                    continue
                self._remember(dialect, named=named)
                omitted = dialect.list_omitted(request)
                return replace(answer, simplified=omitted, added=self._added)

    def _remember(self, dialect: Dialect, *, named: bool) -> None:
        """Use a dialect from now on; after a refusal that named nothing, once it has come twice."""
        stray = dialect != self._dialect and not named
        if stray and not self._schema_refused:
            self._schema_refused = True
            return
        self._schema_refused = False
        if dialect != self._dialect:
            _log.info("%s does not take everything, from now on: %s", self._url, dialect)
            self._dialect = dialect

    async def _send(self, request: Request, dialect: Dialect) -> ModelAnswer:
        """Return the answer of the endpoint. Raise EndpointFault, or the client's own errors."""
        fetch = partial(self._around, self._fetch) if self._around else self._fetch
        answer = judge(await fetch(request, dialect), request, self.name)
        self._compare_length(request, answer.usage)
        return answer

    def _compare_length(self, request: Request, usage: Usage) -> None:
        if usage.estimated or self._told_cut:
            return
        sent = estimate_usage(request, "").prompt
        if usage.prompt >= LEAST_READ * sent:
            return
        self._told_cut = True
        _log.warning(
            "%s: the endpoint read less than was sent: %d tokens of about %d; its context may be "
            "too small",
            self._url,
            usage.prompt,
            sent,
        )

    async def _fetch(self, request: Request, dialect: Dialect) -> Response:
        """Return the response of the endpoint to a request in a dialect, without secrets."""
        body = {"model": self.name, **to_wire(request, dialect), **self._extra}
        response = await self._post(body)
        with reading():
            read = harmless(read_body(response.content), self._secrets)
        return Response(status=response.status_code, headers=dict(response.headers), body=read)

    async def _post(self, body: Mapping[str, Any]) -> httpx2.Response:
        """Return the response to a request; follow redirects on the same host with its body."""
        client, path = await self._connect(), _PATH
        for _ in range(1 + MOST_REDIRECTS):
            try:
                return await client.post(
                    path, cast_to=httpx2.Response, body=body, options={"follow_redirects": False}
                )
            except openai.APIStatusError as error:
                response = error.response
            except openai.APIConnectionError as error:
                if isinstance(error.__cause__, TooLargeError):
                    raise EndpointFault("lasting", str(error.__cause__)) from None
                raise
            path = urljoin(str(response.url), response.headers.get("location", ""))
            here = urlsplit(path).netloc == urlsplit(self._url).netloc
            if not (here and 300 <= response.status_code < 400):
                return response
        return response

    async def _connect(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._opened = _open(self._url, self._key, self._query, self._headers)
            self._client = await anext(self._opened)
            self._loop = loop
            weakref.finalize(self, _close_later, loop, self._opened).atexit = False
        return self._client

    def _tell_wait(self, state: RetryCallState) -> None:
        """Log the wait before the next attempt, as a warning if it is the first since an answer."""
        error = state.outcome.exception() if state.outcome else None
        shown = state.upcoming_sleep >= SHOWN_WAIT and not self._told_wait
        self._told_wait = self._told_wait or shown
        said = _hide(_describe(error), self._secrets) if error else ""
        level = logging.WARNING if shown else logging.INFO
        _log.log(level, "%s: waits %.0f s: %s", self._url, state.upcoming_sleep, said)

    def _describe_failure(self, error: Exception, tries: _Tries) -> str:
        if isinstance(error, TimeoutError):
            before = f"; before that: {_describe(tries.error)}" if tries.error else ""
            said = f"{self.name} gave no answer within {self._deadline:g} seconds{tries}{before}"
            said += "; give a longer --deadline, or --stream if a proxy cuts off long answers"
        else:
            said = f"{_describe(error)}{tries}{self._advise(error)}"
        return _hide(f"{self._url}: {said}", self._secrets)

    def _advise(self, error: Exception) -> str:
        """Return what the user can do about a fault; empty if nothing is known."""
        if isinstance(error, openai.APIConnectionError):
            return describe_proxy(self._url)
        if not isinstance(error, EndpointFault):
            return ""
        if error.wait and error.wait > self._deadline:
            return (
                f"; it asks to wait {error.wait:.0f} s, longer than --deadline {self._deadline:g}"
            )
        if error.status == 401 and self._key == PLACEHOLDER:
            return f"; none is set, and {PASSING}"
        said = str(error).lower()
        if error.status == 407:
            return describe_proxy(self._url)
        if 300 <= error.status < 400 and _LOGIN.search(said):
            return " (a login page; it needs a key or a session that you have not given)"
        if "v1/responses" in said:
            return "; the model speaks only the Responses API, which CookMAS does not"
        if error.status in (404, 405) or "unexpected endpoint" in said:
            ends = urlsplit(self._url).path.rstrip("/").rpartition("/")[2]
            return "" if ends[:1] == "v" and ends[1:2].isdigit() else "; most addresses end at /v1"
        if "tool" in said:
            return "; without tools, give the texts with the prompt (--recipes given)"
        return ""


async def _open(
    url: str, key: str, query: Mapping[str, str], headers: Mapping[str, str]
) -> AsyncGenerator[openai.AsyncOpenAI, None]:
    """Yield a client, and close it when the generator is closed.

    An event loop closes its generators when it ends.
    """
    async with openai.AsyncOpenAI(
        api_key=key,
        base_url=url,
        max_retries=0,
        timeout=openai.Timeout(None, connect=_CONNECT_SECONDS),
        default_query=dict(query),
        default_headers={**({"api-key": key} if query else {}), **headers},
        http_client=openai.DefaultAsyncHttpxClient(
            event_hooks={"response": [limit_body(MOST_BODY)]}
        ),
    ) as client:
        yield client


def _close_later(
    loop: asyncio.AbstractEventLoop, opened: AsyncGenerator[openai.AsyncOpenAI, None]
) -> None:
    """Close the client of a model that nobody holds any more, in its event loop."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(lambda: loop.create_task(opened.aclose()))


class _Tries:
    """The attempts of one call: their number, and the last error."""

    def __init__(self, deadline: float, retries: int, hurried: bool) -> None:
        self._deadline, self._retries, self._hurried = deadline, retries, hurried
        self.begun = 0
        self.error: BaseException | None = None

    def begin(self, state: RetryCallState) -> None:
        self.begun = state.attempt_number

    def fail(self, state: RetryCallState) -> None:
        self.error = state.outcome.exception() if state.outcome else None
        _log.info("try %d of a call failed: %s", self.begun, type(self.error).__name__)

    def is_enough(self, state: RetryCallState) -> bool:
        kind = self.error.kind if isinstance(self.error, EndpointFault) else "passing"
        late = (state.seconds_since_start or 0.0) + state.upcoming_sleep >= self._deadline
        waits = kind == "busy" and not self._hurried
        most = min(self._retries, UNKNOWN_RETRIES) if kind == "unknown" else self._retries
        return late or (not waits and state.attempt_number > most)

    def __str__(self) -> str:
        return tell_tries(self.begun)


def _hide(text: str, secrets: Secrets) -> str:
    return " ".join(harmless(text, secrets).split())


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, EndpointFault):
        return error.kind != "lasting"
    if isinstance(error, openai.APIConnectionError):
        return describe_certificate(error, "") is None
    return isinstance(error, TimeoutError)


def _is_unreachable(error: BaseException | None) -> bool:
    """Return whether an error shows that no call to the address can succeed."""
    if isinstance(error, EndpointFault):
        page = error.status < 400 and str(error).startswith(PAGE)
        return error.status in UNREACHABLE or 300 <= error.status < 400 or page
    return isinstance(error, openai.APIConnectionError)


def _wait(state: RetryCallState) -> float:
    """Return the seconds until the next attempt, at least the number that the endpoint demands."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.wait if isinstance(error, EndpointFault) else None
    return max(asked or 0.0, _backoff(state))


def _describe(error: BaseException) -> str:
    if isinstance(error, EndpointFault):
        known = str(error.status) in str(error) or error.status == 200
        told = str(error) if known else f"status {error.status}: {error}"
        return f"{_BY_STATUS.get(error.status, '')}{told}"
    if isinstance(error, openai.APITimeoutError):
        return "there is no connection: it takes too long"
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        return f"there is no connection: {str(cause) or type(cause).__name__ if cause else error}"
    return "a try took too long" if isinstance(error, TimeoutError) else str(error)
