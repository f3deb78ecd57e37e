"""Probe of an endpoint: a few tiny calls that show what it can do.

The calls go through the same client, dialect and judgement as those of an episode.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models.dialect import Dialect
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    Message,
    ModelAnswer,
    Request,
    Schema,
    ToolSpec,
)
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.models.outcome import EndpointFault, Response
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
    """The feature."""
    found: str
    """What was found, in a few words."""
    options: tuple[str, ...] = ()
    """Options of the command line that the finding suggests, in the order of a command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """The last response of an endpoint."""

    seconds: float = 0.0
    """Time from the request to the end of the response."""
    usage: Mapping[str, Any] = field(default_factory=dict)
    """The counts of tokens, with the endpoint's own names."""


class _ProbedModel(OpenAIModel):
    """A model that counts and limits its requests, and measures the last one."""

    sent = 0
    dialect = Dialect()
    measured = _Measured()

    def describe(self, error: Exception) -> str:
        """Return the message of an error without the address."""
        return str(error).removeprefix(f"{self._url}: ")

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        with check_quickly():
            return await super().answer(request)

    async def _fetch(self, request: Request, dialect: Dialect) -> Response:
        if self.sent == MOST_REQUESTS:
            raise EndpointFault("lasting", f"the probe ends after {MOST_REQUESTS} requests")
        self.sent += 1
        self.dialect = dialect
        began = time.perf_counter()
        response = await super()._fetch(request, dialect)
        usage = response.body.get("usage") if isinstance(response.body, Mapping) else None
        counted = usage if isinstance(usage, Mapping) else {}
        self.measured = _Measured(seconds=time.perf_counter() - began, usage=counted)
        return response


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
    model = _ProbedModel(name, base_url, key_from=key_from, deadline=deadline, retries=RETRIES)
    try:
        answer, _ = await model.answer(Request(messages=_MESSAGES, max_tokens=LONGEST_ANSWER))
        for finding in _read_plain(model, answer, deadline):
            yield finding
        yield await _try_schema(model)
        async for finding in _try_tools(model):
            yield finding
        yield await _try_limit(model)
        yield await _try_default_limit(model)
        yield await _try_context(model)
        yield Finding(about="requests", found=f"{model.sent} sent")
    finally:
        await model.close()


async def list_models(base_url: str | None, key_from: str | None) -> list[str]:
    """Return the names of the models that an endpoint lists."""
    model = OpenAIModel("", base_url, key_from=key_from)
    try:
        return [str(each["id"]) for each in await model.list_models() if "id" in each]
    finally:
        await model.close()


def _read_plain(model: _ProbedModel, answer: ModelAnswer, deadline: float) -> tuple[Finding, ...]:
    """Return what a plain answer shows."""
    dialect, measured, usage = model.dialect, model.measured, answer.usage
    needed = 2 * USUAL_ANSWER * measured.seconds / max(usage.completion, 1)
    slow = measured.seconds > QUICK and needed > deadline
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
            found=f"{measured.seconds:.1f} s for {usage.completion} tokens",
            options=(f"--deadline {needed:.0f}",) if slow else (),
        ),
        Finding(about="streaming", found=stream),
        Finding(about="system role", found=system),
        Finding(about="limit's name", found=f"{dialect.limit}, which is used"),
        Finding(about="thinking", found=_describe_thoughts(answer)),
        Finding(about="usage", found=_describe_usage(measured.usage, answer)),
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


async def _try_schema(model: _ProbedModel) -> Finding:
    """Return whether an endpoint takes a schema, and whether its model's answer follows it."""
    request = Request(messages=_MESSAGES, schema=_SCHEMA, max_tokens=LONGEST_ANSWER)
    return Finding(about="schema", found=await _describe_schema(model, request))


async def _describe_schema(model: _ProbedModel, request: Request) -> str:
    try:
        answer, _ = await model.answer(request)
    except InfrastructureError as error:
        return f"failed: {model.describe(error)}"
    if "schema" in answer.simplified:
        return "refused; answers are asked for in words"
    if answer.finish_reason == "length":
        found = f"not found out: the answer was cut off at {LONGEST_ANSWER} tokens"
    else:
        loose = "taken, but the answer does not follow it; a run reads it all the same, if it can"
        found = "yes" if _follows(answer.text) else loose
    without = ", ".join(part for part in answer.simplified if part != "system role")
    left_out = f"; sent without {without}" if without else ""
    return f"{found}{left_out}{_describe_place(answer)}"


def _describe_place(answer: ModelAnswer) -> str:
    """Return where an answer was found, as a part of a line; empty for its usual place."""
    return f"; found by leniency: {', '.join(answer.lenient)}" if answer.lenient else ""


def _follows(text: str) -> bool:
    """Return whether a text is JSON that follows the schema of the probe."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    wanted = {"colour", "legs"}
    if not isinstance(data, Mapping) or data.keys() != wanted:
        return False
    return data["colour"] in ("green", "blue") and type(data["legs"]) is int


async def _try_tools(model: _ProbedModel) -> AsyncIterator[Finding]:
    """Yield whether a model calls a tool, and whether its endpoint takes the tool's result."""
    asked = (*_MESSAGES, Message(role="user", content="Look the colour up with the tool."))
    request = Request(messages=asked, tools=(_TOOL,), max_tokens=LONGEST_ANSWER)
    try:
        answer, _ = await model.answer(request)
    except InfrastructureError as error:
        yield Finding(
            about="tools", found=f"refused: {model.describe(error)}", options=("--recipes given",)
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
        answer, _ = await model.answer(followed)
    except InfrastructureError as error:
        found = f"refused: {model.describe(error)}"
        yield Finding(about="tool's result", found=found, options=("--recipes given",))
        return
    bare = "; thoughts are not taken back" if "thoughts" in answer.simplified else ""
    yield Finding(about="tool's result", found=f"taken{bare}")


async def _try_limit(model: _ProbedModel) -> Finding:
    """Return whether an endpoint keeps the limit of an answer, and says that it was cut off."""
    request = Request(messages=(_MESSAGES[0], _COUNTING), max_tokens=CUT_OFF)
    try:
        answer, _ = await model.answer(request)
    except InfrastructureError as error:
        return Finding(about="length", found=f"failed: {model.describe(error)}")
    written = answer.usage.completion
    if answer.finish_reason == "length":
        found = "yes: the answer is cut off, and the endpoint says so"
    elif written > CUT_OFF and not answer.usage.estimated:
        found = f"ignored: {written} tokens came for a limit of {CUT_OFF}"
    elif written < CUT_OFF:
        found = "not found out: the answer was short"
    else:
        found = f"cut off, but the answer ends with {answer.finish_reason!r}"
    return Finding(about="length", found=found)


async def _try_default_limit(model: _ProbedModel) -> Finding:
    """Return whether an endpoint cuts answers off if a request sets no limit."""
    about = "own limit"
    request = Request(messages=(_MESSAGES[0], _COUNTING))
    try:
        answer, _ = await model.answer(request)
    except InfrastructureError as error:
        return Finding(about=about, found=f"failed: {model.describe(error)}")
    written = answer.usage.completion
    if answer.finish_reason == "length" and written < SHORT_LIMIT:
        found = f"answers are cut off at {written} tokens unless a limit is sent"
        return Finding(about=about, found=found, options=(f"--max-tokens {USUAL_ANSWER}",))
    return Finding(about=about, found="none seen")


async def _try_context(model: _ProbedModel) -> Finding:
    """Return whether the context of a model has room for a usual prompt and its answer."""
    about, needed = "context", USUAL_PROMPT + USUAL_ANSWER
    listed = next((x for x in await model.list_models() if x.get("id") == model.name), {})
    sizes = [size for name in CONTEXT if isinstance(size := listed.get(name), int)]
    if sizes and sizes[0] < needed:
        small = f"{sizes[0]} tokens, and a prompt with its answer needs about {needed}"
        return Finding(about=about, found=f"{small}; start the server with a larger one")
    long = Message(role="user", content="one two three four five " * (USUAL_PROMPT // 5))
    try:
        request = Request(messages=(_MESSAGES[0], long), max_tokens=CUT_OFF)
        answer, _ = await model.answer(request)
    except InfrastructureError as error:
        return Finding(about=about, found=f"failed: {model.describe(error)}")
    if answer.finish_reason == "context_length":
        found = f"a prompt of {USUAL_PROMPT} tokens is too long; start the server with a larger one"
    elif not answer.usage.estimated and answer.usage.prompt < USUAL_PROMPT // 2:
        found = (
            f"of {USUAL_PROMPT} tokens {answer.usage.prompt} were read; start it with a larger one"
        )
    else:
        size = f"{sizes[0]} tokens" if sizes else f"a prompt of {USUAL_PROMPT} tokens is taken"
        found = f"{size}; nothing to do"
    return Finding(about=about, found=found)
