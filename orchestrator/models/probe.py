"""Probe of an endpoint: a few tiny calls that show what it can do.

The calls go through the same client, dialect and judgement as those of an episode.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models.dialect import Dialect, as_mapping
from cookmas.orchestrator.models.faults import EndpointFault, Response
from cookmas.orchestrator.models.message import (
    Message,
    ModelAnswer,
    Request,
    Schema,
    ToolSpec,
)
from cookmas.orchestrator.models.openai_model import Fetch, OpenAIModel
from cookmas.orchestrator.models.patience import check_quickly
from cookmas.orchestrator.models.providers import THOUGHT_TEXTS

MOST_REQUESTS = 20
"""Greatest number of requests of a probe, with those that are repeated in a simpler form."""

LONGEST_ANSWER = 512
"""Greatest number of tokens of an answer; thinking needs most of them."""

LONGEST_PROMPT = 150
"""Number of tokens that no prompt of the probe reaches, with its schema and its tools."""

CUT_OFF = 8
"""Greatest number of tokens of the answer that is to be cut off."""

RETRIES = 2
"""Greatest number of attempts after the first, except at an endpoint that is only busy."""

USUAL_ANSWER = 4000
"""Number of tokens of a long schedule with its reasoning."""

USUAL_PROMPT = 5000
"""Number of tokens of a prompt with two or three recipes in it."""

SHORT_LIMIT = 1000
"""Number of tokens below which a limit that the endpoint sets cuts off schedules."""

CONTEXT = ("max_model_len", "context_length", "max_context_length", "loaded_context_length",
           "context_window", "n_ctx")  # fmt: skip
"""Names of the size of a model's context in an endpoint's list of models."""

THINKING_ANSWER = 16_000
"""Number of tokens of an answer of a model that thinks for long."""

QUICK = 5.0
"""Seconds within which a short answer says nothing about the pace of a long one."""

_MESSAGES = (
    Message(role="system", content="You are brief."),
    Message(role="user", content="What is the colour of grass, and how many legs has a cow?"),
)
_COUNTING = Message(role="user", content="Count from one to three hundred, in words.")
_SCHEMA = Schema(
    name="facts",
    schema={
        "type": "object",
        "properties": {
            "colour": {"type": "string", "enum": ["green", "blue"]},
            "legs": {"type": "integer"},
        },
        "required": ["colour", "legs"],
        "additionalProperties": False,
    },
)
_TOOL = ToolSpec(
    name="look_up_colour",
    description="Return the colour of a plant.",
    parameters={
        "type": "object",
        "properties": {"plant": {"type": "string", "enum": ["grass"]}},
        "required": ["plant"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that the probe found out."""

    about: str
    found: str
    options: tuple[str, ...] = ()
    """Options of the command line that the finding suggests, in the order of a command."""


_Found = tuple[str, tuple[str, ...]]
"""A result of the probe and the options that it suggests, as in a `Finding`."""


class _Probe:
    """The calls of a probe: it counts and limits the requests, and measures the last response."""

    def __init__(
        self, name: str, base_url: str | None, key_from: str | None, deadline: float
    ) -> None:
        self.model = OpenAIModel(
            name,
            base_url,
            key_from=key_from,
            deadline=deadline,
            retries=RETRIES,
            around=self._measure,
        )
        self.deadline = deadline
        self.sent = 0
        self.dialect = Dialect()
        self.seconds = 0.0
        """Time from the last request to the end of its response."""
        self.usage: Mapping[str, Any] = {}
        """The counts of tokens in the last response, with the endpoint's own names."""

    async def ask(self, request: Request) -> ModelAnswer:
        with check_quickly():
            answer, _ = await self.model.answer(request)
        return answer

    async def _measure(self, fetch: Fetch, request: Request, dialect: Dialect) -> Response:
        if self.sent == MOST_REQUESTS:
            raise EndpointFault("lasting", f"the probe ends after {MOST_REQUESTS} requests")
        self.sent += 1
        self.dialect = dialect
        began = time.perf_counter()
        response = await fetch(request, dialect)
        self.usage = as_mapping(as_mapping(response.body).get("usage"))
        self.seconds = time.perf_counter() - began
        return response

    def describe(self, error: Exception) -> str:
        """Return the message of an error without the address."""
        return str(error).removeprefix(f"{self.model.address}: ")


def describe_probe() -> str:
    """Return the sentence that says what a probe sends at most."""
    return (
        f"at most {MOST_REQUESTS} requests with fewer than {LONGEST_PROMPT} tokens and an answer "
        f"of at most {LONGEST_ANSWER}, but one of {USUAL_PROMPT} and one whose answer counts to 300"
    )


async def probe(
    name: str, base_url: str | None, key_from: str | None, deadline: float
) -> AsyncIterator[Finding]:
    """Yield what is found out about a model behind an endpoint, one after another.

    `deadline` is the limit of each call in seconds. Raise the errors of OpenAIModel if the endpoint
    does not give a plain answer.
    """
    probing = _Probe(name, base_url, key_from, deadline)
    try:
        answer = await probing.ask(Request(messages=_MESSAGES, max_tokens=LONGEST_ANSWER))
        for finding in _read_plain(probing, answer):
            yield finding
        yield await _find(probing, "schema", _try_schema)
        async for finding in _try_tools(probing):
            yield finding
        yield await _find(probing, "length", _try_limit)
        yield await _find(probing, "own limit", _try_default_limit)
        yield await _find(probing, "context", _try_context)
        yield Finding(about="requests", found=f"{probing.sent} sent")
    finally:
        await probing.model.close()


async def _find(
    probing: _Probe, about: str, attempt: Callable[[_Probe], Awaitable[_Found]]
) -> Finding:
    try:
        found, options = await attempt(probing)
    except InfrastructureError as error:
        return Finding(about=about, found=f"failed: {probing.describe(error)}")
    return Finding(about=about, found=found, options=options)


async def list_models(base_url: str | None, key_from: str | None) -> list[str]:
    """Return the names of the models that an endpoint lists."""
    model = OpenAIModel("", base_url, key_from=key_from)
    try:
        return [str(each["id"]) for each in await model.list_models() if "id" in each]
    finally:
        await model.close()


def _read_plain(probing: _Probe, answer: ModelAnswer) -> tuple[Finding, ...]:
    dialect, seconds, usage = probing.dialect, probing.seconds, answer.usage
    needed = 2 * USUAL_ANSWER * seconds / max(usage.completion, 1)
    slow = seconds > QUICK and needed > probing.deadline
    stream = "the endpoint only streams, which is done" if dialect.streaming else "not needed"
    system = "yes" if dialect.system else "refused; its text is put before the user's"
    thought = answer.finish_reason == "length" and not answer.text.strip()
    cut = f"; the model thought for all of its {LONGEST_ANSWER} tokens" if thought else ""
    return (
        Finding(
            about="answer",
            found=f"ends with {answer.finish_reason!r}{_describe_place(answer)}{cut}",
            options=(f"--max-tokens {THINKING_ANSWER}",) if thought else (),
        ),
        Finding(
            about="latency",
            found=f"{seconds:.1f} s for {usage.completion} tokens",
            options=(f"--deadline {needed:.0f}",) if slow else (),
        ),
        Finding(about="streaming", found=stream),
        Finding(about="system role", found=system),
        Finding(about="limit's name", found=f"{dialect.limit}, which is used"),
        Finding(about="thinking", found=_describe_thoughts(answer)),
        Finding(about="usage", found=_describe_usage(probing.usage, answer)),
    )


def _describe_thoughts(answer: ModelAnswer) -> str:
    fields = [name for name in THOUGHT_TEXTS if answer.extra.get(name)]
    places = [*fields, *(["the text, in <think>"] if "<think>" in answer.text else [])]
    if not (places or answer.usage.reasoning):
        return "none seen"
    counted = f"{answer.usage.reasoning} tokens" if answer.usage.reasoning else "not counted"
    return f"yes ({counted}; in {', '.join(places) or 'no field'})"


def _describe_usage(counted: Mapping[str, Any], answer: ModelAnswer) -> str:
    """Return which tokens an endpoint counts, and whether the counts can be used."""
    if not counted:
        return "nothing is counted: tokens and cost are estimates"
    inner = [
        f"{name}.{part}"
        for name, value in counted.items()
        for part in (value if isinstance(value, Mapping) else ())
    ]
    names = [name for name, value in counted.items() if isinstance(value, int)]
    sure = "; not usable, so tokens are estimates" if answer.usage.estimated else ""
    return f"{', '.join([*names, *inner])}{sure}"


async def _try_schema(probing: _Probe) -> _Found:
    request = Request(messages=_MESSAGES, schema=_SCHEMA, max_tokens=LONGEST_ANSWER)
    answer = await probing.ask(request)
    if "schema" in answer.simplified:
        return "refused; answers are asked for in words", ()
    if answer.finish_reason == "length":
        found = f"not found out: the answer was cut off at {LONGEST_ANSWER} tokens"
    else:
        loose = "taken, but the answer does not follow it; a run reads it all the same, if it can"
        found = "yes" if _follows(answer.text) else loose
    without = ", ".join(part for part in answer.simplified if part != "system role")
    left_out = f"; sent without {without}" if without else ""
    return f"{found}{left_out}{_describe_place(answer)}", ()


def _describe_place(answer: ModelAnswer) -> str:
    """Return where an answer was found, as a part of a line; empty for its usual place."""
    return f"; found by leniency: {', '.join(answer.lenient)}" if answer.lenient else ""


def _follows(text: str) -> bool:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    wanted = {"colour", "legs"}
    if not isinstance(data, Mapping) or data.keys() != wanted:
        return False
    return data["colour"] in ("green", "blue") and type(data["legs"]) is int


async def _try_tools(probing: _Probe) -> AsyncIterator[Finding]:
    """Yield whether a model calls a tool, and whether its endpoint takes the tool's result."""
    asked = (*_MESSAGES, Message(role="user", content="Look the colour up with the tool."))
    request = Request(messages=asked, tools=(_TOOL,), max_tokens=LONGEST_ANSWER)
    try:
        answer = await probing.ask(request)
    except InfrastructureError as error:
        yield Finding(
            about="tools", found=f"refused: {probing.describe(error)}", options=("--recipes given",)
        )
        return
    if not answer.tool_calls and answer.finish_reason == "length":
        found = f"not found out: the answer was cut off at {LONGEST_ANSWER} tokens"
        yield Finding(about="tools", found=found, options=(f"--max-tokens {THINKING_ANSWER}",))
        return
    if not answer.tool_calls:
        found = "taken, but the tool was not called"
        yield Finding(about="tools", found=found, options=("--recipes given",))
        return
    yield Finding(about="tools", found=f"yes{_describe_place(answer)}")
    called = Message(
        role="assistant", content=answer.text, tool_calls=answer.tool_calls, extra=answer.extra
    )
    results = [
        Message(role="tool", content='{"colour": "green"}', tool_call_id=call.id)
        for call in answer.tool_calls
    ]
    followed = Request(
        messages=(*asked, called, *results), tools=(_TOOL,), max_tokens=LONGEST_ANSWER
    )
    try:
        answer = await probing.ask(followed)
    except InfrastructureError as error:
        found = f"refused: {probing.describe(error)}"
        yield Finding(about="tool's result", found=found, options=("--recipes given",))
        return
    bare = "; thoughts are not taken back" if "thoughts" in answer.simplified else ""
    yield Finding(about="tool's result", found=f"taken{bare}")


async def _try_limit(probing: _Probe) -> _Found:
    """Return whether an endpoint keeps the limit of an answer, and says that it was cut off."""
    request = Request(messages=(_MESSAGES[0], _COUNTING), max_tokens=CUT_OFF)
    answer = await probing.ask(request)
    written = answer.usage.completion
    if answer.finish_reason == "length":
        return "yes: the answer is cut off, and the endpoint says so", ()
    if written > CUT_OFF and not answer.usage.estimated:
        return f"ignored: {written} tokens came for a limit of {CUT_OFF}", ()
    if written < CUT_OFF:
        return "not found out: the answer was short", ()
    return f"cut off, but the answer ends with {answer.finish_reason!r}", ()


async def _try_default_limit(probing: _Probe) -> _Found:
    """Return whether an endpoint cuts answers off if a request sets no limit."""
    answer = await probing.ask(Request(messages=(_MESSAGES[0], _COUNTING)))
    written = answer.usage.completion
    if answer.finish_reason == "length" and written < SHORT_LIMIT:
        found = f"answers are cut off at {written} tokens unless a limit is sent"
        return found, (f"--max-tokens {USUAL_ANSWER}",)
    return "none seen", ()


async def _try_context(probing: _Probe) -> _Found:
    """Return whether the context of a model has room for a usual prompt and its answer."""
    needed, larger = USUAL_PROMPT + USUAL_ANSWER, "start the server with a larger one"
    models = await probing.model.list_models()
    listed = next((x for x in models if x.get("id") == probing.model.name), {})
    sizes = [size for name in CONTEXT if isinstance(size := listed.get(name), int)]
    if sizes and sizes[0] < needed:
        small = f"{sizes[0]} tokens, and a prompt with its answer needs about {needed}"
        return f"{small}; {larger}", ()
    long = Message(role="user", content="one two three four five " * (USUAL_PROMPT // 5))
    answer = await probing.ask(Request(messages=(_MESSAGES[0], long), max_tokens=CUT_OFF))
    if answer.finish_reason == "context_length":
        return f"a prompt of {USUAL_PROMPT} tokens is too long; {larger}", ()
    read = answer.usage.prompt
    if not answer.usage.estimated and read < USUAL_PROMPT // 2:
        return f"of {USUAL_PROMPT} tokens {read} were read; start it with a larger one", ()
    size = f"{sizes[0]} tokens" if sizes else f"a prompt of {USUAL_PROMPT} tokens is taken"
    return f"{size}; nothing to do", ()
