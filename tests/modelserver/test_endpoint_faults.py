"""Each fault of an endpoint, at the wire: what the project's own client makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from cookmas.files.errors import InfrastructureError, InputError
from cookmas.modelserver.answers import Scripted, ScriptedModel
from cookmas.modelserver.app import Endpoint, Timing
from cookmas.modelserver.endpoint_faults import ENDPOINT_FAULTS, WireFault
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.listening import PromptServer, listen
from cookmas.modelserver.scripts import Scripts
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.reading import Unusable, read_reply
from cookmas.orchestrator.models import openai_model
from cookmas.orchestrator.models.message import ModelAnswer, Request
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.studies.previewing import first_requests
from cookmas.world_names import WORLDS
from tests.orchestrator.dialogue.layouts import rows_layout

if TYPE_CHECKING:
    from tests.modelserver.conftest import Wire

pytestmark = pytest.mark.usefixtures("least_effort")

WAIT = 0.02
RETRIES = 2
SCRIPTED = {"restaurant": WORLDS["restaurant"]}


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What the client makes of a fault that always strikes."""

    error: str = ""
    """Words of the infrastructure error; empty if there is an answer."""
    tries: int = 1
    """Number of requests; 0 for any."""
    finish_reason: str = "stop"
    lenient: tuple[str, ...] = ()
    """Kinds of leniency with which the schedule was found."""
    simplified: tuple[str, ...] = ()
    unusable: str = ""
    """Why there is no schedule."""
    by_words: bool = False
    estimated: bool = False


def gone(words: str) -> Expected:
    """The endpoint failed: tried again, then an infrastructure error."""
    return Expected(error=words, tries=RETRIES + 1)


def busy(words: str) -> Expected:
    """The endpoint is busy: asked again until the deadline."""
    return Expected(error=words, tries=0)


def useless(finish_reason: str, unusable: str, **more: Any) -> Expected:
    """The model's own failure, which is not asked again."""
    return Expected(finish_reason=finish_reason, unusable=unusable, **more)


EXPECTED = {
    "finish_error": gone("Upstream is gone."),
    "finish_abort": gone("the answer ended with 'abort'"),
    "finish_network_error": gone("the answer ended with 'network_error'"),
    "finish_no_resource": gone("the answer ended with 'insufficient_system_resource'"),
    "error_in_body": gone("The provider returned an error."),
    "error_in_choice": gone("Upstream is gone."),
    "no_choices": gone("'choices': []"),
    "empty_answer": gone("the answer is empty and has no tokens"),
    "html_page": gone("an HTML page, '502 Bad Gateway'"),
    "key_in_body": Expected(error="No auth credentials found"),
    "quota": Expected(error="You exceeded your current quota."),
    "too_long_413": useless("context_length", "too_long", estimated=True, by_words=True),
    "too_long_code": useless("context_length", "too_long", estimated=True),
    "too_long_words": useless("context_length", "too_long", estimated=True, by_words=True),
    "filter_finish": useless("refusal", "refusal"),
    "filter_code": useless("refusal", "refusal", estimated=True),
    "filter_words": useless("refusal", "refusal", estimated=True, by_words=True),
    "cut_off_word": useless("length", "truncated"),
    "cut_off_thinking": useless("length", "truncated"),
    "loading_seconds": busy("Loading model"),
    "loading_milliseconds": busy("Loading model"),
    "loading_date": busy("Loading model"),
    "loading_body": busy("Model is loading"),
    "busy_body": busy("Resource has been exhausted."),
    "busy_nonsense": busy("Too many requests"),
    "schema_400": Expected(tries=2, simplified=("schema",)),
    "schema_422": Expected(tries=2, simplified=("schema",)),
    "schema_500": Expected(tries=2, simplified=("schema",)),
    "keyword_refused": Expected(tries=2, simplified=("additionalProperties",)),
    "strict_refused": Expected(tries=2, simplified=("strict",)),
    "newer_limit": Expected(tries=2),
    "system_refused": Expected(tries=2, simplified=("system role",)),
    "streaming_only": Expected(tries=2),
    "tools_refused": Expected(error="give the texts with the prompt (--recipes given)", tries=0),
    "redirect": Expected(tries=2),
    "redirect_host": Expected(error="it redirects to another address"),
    "trailing_comma": Expected(lenient=("trailing_comma",)),
    "comment": Expected(lenient=("comment",)),
    "python_literal": Expected(lenient=("python_literal",)),
    "raw_line_break": Expected(lenient=("raw_character",)),
    "missing_brace": Expected(lenient=("missing_bracket",)),
    "numbers_as_text": Expected(lenient=("number_as_text",)),
    "wrapper": Expected(lenient=("wrapper",)),
    "json_in_text": Expected(lenient=("encoded_twice",)),
    "thoughts_before": Expected(),
    "thoughts_after": Expected(lenient=("before_thoughts",)),
    "in_reasoning": Expected(lenient=("in_thoughts",)),
    "in_tool": Expected(finish_reason="tool_calls", lenient=("structured_tool",)),
    "call_as_text": Expected(finish_reason="tool_calls", lenient=("call_in_text",)),
    "call_encoded_twice": Expected(finish_reason="tool_calls", lenient=("encoded_twice",)),
    "call_prefixed": Expected(finish_reason="tool_calls", lenient=("prefixed_name",)),
    "usage_missing": Expected(estimated=True),
    "usage_zero": Expected(estimated=True),
    "usage_total": Expected(estimated=True),
    "usage_thinking": Expected(),
}


@cache
def scripts() -> Scripts:
    return Scripts(SCRIPTED)


class ScriptedServer:
    """Serves the scripted model in the event loop of a test, and counts its requests."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1)
        self.requests = 0

    @asynccontextmanager
    async def serve(self, faults: Faults) -> AsyncIterator[str]:
        scripted = Scripted(scripts(), faults, self._pool)
        app = Endpoint(scripted, faults, Timing(retry_after=WAIT)).app()

        async def count(scope: Any, receive: Any, send: Any) -> None:
            self.requests += 1
            await app(scope, receive, send)

        with listen("127.0.0.1", 0) as listener:
            config = uvicorn.Config(count, lifespan="off", log_level="error", ws="none")
            server = PromptServer(config)
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
            server.should_exit = True
            await serving

    def stop(self) -> None:
        self._pool.shutdown()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.setattr(openai_model, "_backoff", lambda state: 0.01)
    server = ScriptedServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def schedule_request() -> Request:
    asking = AskingOptions(max_tokens=9000)
    return first_requests("level1/03", "llm", asking)[None]


@pytest.fixture(scope="module")
def tool_request() -> Request:
    return first_requests("level1/03", "llm", AskingOptions(recipes="tool"))[None]


def always(fault: WireFault) -> Faults:
    return Faults(rates={fault.name: 1.0})


async def ask(url: str, request: Request, **more: Any) -> ModelAnswer:
    model = OpenAIModel("scripted", url, **{"retries": RETRIES, "deadline": 60.0, **more})
    try:
        return (await model.answer(request))[0]
    finally:
        await model.close()


def test_each_fault_has_an_expectation() -> None:
    assert list(EXPECTED) == [fault.name for fault in ENDPOINT_FAULTS]


@pytest.mark.parametrize("fault", ENDPOINT_FAULTS, ids=lambda fault: fault.name)
async def test_a_fault_has_the_right_outcome(
    fault: WireFault,
    server: ScriptedServer,
    schedule_request: Request,
    tool_request: Request,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = EXPECTED[fault.name]
    tools = fault.name.startswith(("call", "tools"))
    request = tool_request if tools else schedule_request
    until_late = fault.passes and not expected.tries
    limits = {"retries": 0} if until_late else {}
    if until_late:
        late = {2: 3600.0}
        monkeypatch.setattr(
            openai_model, "_backoff", lambda state: late.get(state.attempt_number, 0.01)
        )
    async with server.serve(always(fault)) as url:
        if expected.error:
            with pytest.raises(InfrastructureError, match=r"^http") as raised:
                await ask(url, request, **limits)
            assert expected.error in str(raised.value)
            assert "\n" not in str(raised.value)
        else:
            answer = await ask(url, request)
            check(answer, expected, tools=tools)
    if until_late:
        assert server.requests == 2, "a busy endpoint is asked until the deadline"
    else:
        assert server.requests == expected.tries or not expected.tries


def check(answer: ModelAnswer, expected: Expected, *, tools: bool) -> None:
    assert answer.finish_reason == expected.finish_reason
    assert answer.simplified == expected.simplified
    assert answer.by_words == expected.by_words
    assert answer.usage.estimated == expected.estimated
    lenient = set(answer.lenient)
    if tools:
        assert [call.name for call in answer.tool_calls] == ["look_up_recipe"]
    else:
        read = read_reply(answer, rows_layout())
        if expected.unusable:
            assert isinstance(read, Unusable)
            assert read.fault == expected.unusable
            return
        assert not isinstance(read, Unusable), read.problems
        assert read.value.rows
        lenient |= set(read.lenient)
    assert lenient == set(expected.lenient)


@pytest.mark.parametrize(
    "fault", [fault for fault in ENDPOINT_FAULTS if fault.passes], ids=lambda fault: fault.name
)
async def test_a_fault_that_passes_costs_no_answer(
    fault: WireFault, server: ScriptedServer, schedule_request: Request
) -> None:
    """With a rate of a half, another attempt has another draw."""
    async with server.serve(Faults(rates={fault.name: 0.5})) as url:
        answer = await ask(url, schedule_request, retries=30)
    read = read_reply(answer, rows_layout())
    assert not isinstance(read, Unusable)
    assert answer.lenient == read.lenient == ()


async def test_the_tokens_of_thinking_are_added(
    server: ScriptedServer, schedule_request: Request
) -> None:
    async with server.serve(Faults()) as url:
        right = await ask(url, schedule_request)
    async with server.serve(Faults(rates={"usage_thinking": 1.0})) as url:
        thinking = await ask(url, schedule_request)
    assert thinking.usage.completion == right.usage.completion + 100
    assert thinking.usage.reasoning == 100


async def test_faults_change_a_streamed_answer_too(
    server: ScriptedServer, schedule_request: Request
) -> None:
    rates = {"streaming_only": 1.0, "in_reasoning": 1.0, "trailing_comma": 1.0, "redirect": 1.0}
    async with server.serve(Faults(rates=rates)) as url:
        answer = await ask(url, schedule_request)
    assert answer.lenient == ("in_thoughts",)
    assert answer.text.endswith(",}")


def test_a_fault_of_an_endpoint_needs_a_network() -> None:
    for fault in ENDPOINT_FAULTS:
        with pytest.raises(InputError, match=f"fault '{fault.name}': expected one of illegal"):
            ScriptedModel(SCRIPTED, always(fault))


async def test_the_command_has_the_faults(wire: Wire) -> None:
    url = wire.server("--fault", "in_reasoning=1")
    choice = await wire.ask(url, wire.prompt("level1/03"))
    assert choice.message.content is None
    assert "worker_1" in choice.message.reasoning_content


@pytest.mark.parametrize(
    "fault", [fault for fault in ENDPOINT_FAULTS if fault.change], ids=lambda fault: fault.name
)
def test_an_answer_without_text_is_changed_too(fault: WireFault) -> None:
    """An answer that only asks a function has null for its text."""
    call = {"id": "a", "type": "function", "function": {"name": "recipe", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}
    answer = {"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": usage}
    assert fault.change
    assert fault.change(answer).keys() >= {"choices"}
