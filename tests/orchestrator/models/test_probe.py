"""What the probe finds out about an endpoint: with each feature, and without it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models import probe as probing
from cookmas.orchestrator.models.openai_model import DEADLINE, QUICK_RETRIES
from cookmas.orchestrator.models.probe import (
    CUT_OFF,
    LONGEST_ANSWER,
    LONGEST_PROMPT,
    MOST_REQUESTS,
    USUAL_PROMPT,
    Finding,
    describe_probe,
    list_models,
    probe,
)
from tests.orchestrator.models.endpoint import Server, fails, says

pytestmark = pytest.mark.usefixtures("no_backoff")

Change = Callable[[dict[str, Any], dict[str, Any]], None]
"""Changes a message and its completion."""

FOLLOWS = '{"colour": "green", "legs": 4}'
PLAIN_USAGE = {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42}


class Endpoint:
    """An endpoint that can do everything, but for what it refuses, and how it changes answers."""

    def __init__(
        self,
        refuses: Callable[[Mapping[str, Any]], str | None] = lambda body: None,
        change: Change = lambda message, whole: None,
        *,
        status: int = 400,
        ends: bool = True,
    ) -> None:
        self.refuses, self.change, self.status, self.ends = refuses, change, status, ends

    async def __call__(self, exchange: Any) -> None:
        body = exchange.body
        if complaint := self.refuses(body):
            await exchange.send(self.status, {"error": {"message": complaint}})
            return
        message: dict[str, Any] = {"role": "assistant", "content": "Green and four."}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        whole: dict[str, Any] = {"model": "stub", "choices": [choice], "usage": PLAIN_USAGE}
        limit = body.get("max_tokens") or body.get("max_completion_tokens")
        if limit == CUT_OFF:
            message["content"] = "one, two, three, four"
            choice["finish_reason"] = "length" if self.ends else "stop"
            whole["usage"] = {**PLAIN_USAGE, "completion_tokens": CUT_OFF, "total_tokens": 38}
        elif body.get("response_format"):
            message["content"] = FOLLOWS
        elif body.get("tools") and body["messages"][-1]["role"] != "tool":
            message["content"] = None
            function = {"name": "look_up_colour", "arguments": '{"plant": "grass"}'}
            message["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
        if len(json.dumps(body)) > USUAL_PROMPT:
            whole["usage"] = {"prompt_tokens": USUAL_PROMPT, "completion_tokens": CUT_OFF}
        self.change(message, whole)
        if body.get("stream"):
            events = [{"choices": [{"index": 0, "delta": message}]}, {"choices": [], **whole}]
            events[1]["choices"] = [{"index": 0, "delta": {}, "finish_reason": "stop"}]
            raw = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
            await exchange.send(200, f"{raw}data: [DONE]\n\n".encode())
        else:
            await exchange.send(200, whole)


async def find(server: Server, behaviour: Any, deadline: float = DEADLINE) -> dict[str, Finding]:
    server.default = behaviour
    found = [each async for each in probe("stub", server.url, None, deadline)]
    assert len({each.about for each in found}) == len(found)
    return {each.about: each for each in found}


def refuse(word: str, complaint: str) -> Callable[[Mapping[str, Any]], str | None]:
    """Return the refusal of requests with a word in them."""
    return lambda body: complaint if f'"{word}"' in json.dumps(body) else None


def replace_text(text: str | None, **more: Any) -> Change:
    """Return a change of every text, for the answers that have one."""

    def change(message: dict[str, Any], whole: dict[str, Any]) -> None:
        if message["content"] is not None:
            message.update(content=text if text is not None else message["content"], **more)

    return change


def cut_off(_: dict[str, Any], whole: dict[str, Any]) -> None:
    whole["choices"][0].update(finish_reason="length")


def cut_off_without_calls(message: dict[str, Any], whole: dict[str, Any]) -> None:
    cut_off(message, whole)
    if message.pop("tool_calls", None):
        message["content"] = "Let me think."


def prefix_names(message: dict[str, Any], _: dict[str, Any]) -> None:
    for call in message.get("tool_calls", []):
        call["function"].update(name="functions.look_up_colour")


def recount(usage: Mapping[str, Any] | None) -> Change:
    return lambda message, whole: whole.update(usage=usage)


async def test_an_endpoint_that_can_everything(server: Server) -> None:
    found = await find(server, Endpoint())
    latency = found.pop("latency")
    assert latency.found.endswith(" s for 12 tokens")
    assert {about: each.found for about, each in found.items()} == {
        "answer": "ends with 'stop'",
        "streaming": "not needed",
        "system role": "yes",
        "limit's name": "max_tokens, which is used",
        "thinking": "none seen",
        "usage": "prompt_tokens, completion_tokens, total_tokens",
        "schema": "yes",
        "tools": "yes",
        "tool's result": "taken",
        "length": "yes: the answer is cut off, and the endpoint says so",
        "own limit": "none seen",
        "context": "a prompt of 5000 tokens is taken; nothing to do",
        "requests": "7 sent",
    }
    assert not any(each.options for each in found.values())


def _without_system(body: Mapping[str, Any]) -> str | None:
    roles = [message["role"] for message in body["messages"]]
    return "System role not supported" if "system" in roles else None


def _only_streams(body: Mapping[str, Any]) -> str | None:
    return None if body.get("stream") else "This model only supports streaming"


def _count_written(message: dict[str, Any], whole: dict[str, Any]) -> None:
    whole["usage"] = {**PLAIN_USAGE, "completion_tokens": 900, "total_tokens": 930}
    whole["choices"][0]["finish_reason"] = "stop"


THINKING = {
    "prompt_tokens": 30,
    "completion_tokens": 72,
    "completion_tokens_details": {"reasoning_tokens": 60},
}
LOOSE = "taken, but the answer does not follow it; a run reads it all the same, if it can"
LONG = "This model's maximum context length is 4096 tokens."
NEWER = "Unsupported parameter: use 'max_completion_tokens' instead"

LACKING: list[tuple[str, Endpoint, str]] = [
    ("answer", Endpoint(change=lambda message, _: message.update(
        content=None, reasoning_content="Green."
     )),
     "ends with 'stop'; found by leniency: in_thoughts"),
    ("answer", Endpoint(change=lambda _, whole: whole["choices"][0].update(finish_reason="done")),
     "ends with 'done'"),
    ("streaming", Endpoint(_only_streams), "the endpoint only streams, which is done"),
    ("system role", Endpoint(_without_system), "refused; its text is put before the user's"),
    ("limit's name", Endpoint(refuse("max_tokens", NEWER)), "max_completion_tokens, which is used"),
    ("own limit", Endpoint(change=cut_off),
     "answers are cut off at 12 tokens unless a limit is sent"),
    ("context", Endpoint(lambda body: LONG if len(json.dumps(body)) > 9000 else None),
     f"a prompt of {USUAL_PROMPT} tokens is too long; start the server with a larger one"),
    ("context", Endpoint(change=recount({"prompt_tokens": 2051, "completion_tokens": 3})),
     f"of {USUAL_PROMPT} tokens 2051 were read; start it with a larger one"),
    ("thinking", Endpoint(change=replace_text(None, reasoning_content="Hm.")),
     "yes (not counted; in reasoning_content)"),
    ("thinking", Endpoint(change=recount(THINKING)), "yes (60 tokens; in no field)"),
    ("thinking", Endpoint(change=replace_text("<think>Hm.</think>Green.")),
     "yes (not counted; in the text, in <think>)"),
    ("usage", Endpoint(change=recount(None)), "nothing is counted: tokens and cost are estimates"),
    ("usage", Endpoint(change=recount({"total_tokens": 42})),
     "total_tokens; not usable, so tokens are estimates"),
    ("usage", Endpoint(change=recount(THINKING)),
     "prompt_tokens, completion_tokens, completion_tokens_details.reasoning_tokens"),
    ("schema", Endpoint(refuse("response_format", "response_format is not supported")),
     "refused; answers are asked for in words"),
    ("schema", Endpoint(refuse("response_format", "I do not like this")),
     "refused; answers are asked for in words"),
    ("schema", Endpoint(refuse("strict", "unknown field: strict")), "yes; sent without strict"),
    ("schema", Endpoint(refuse("additionalProperties", "Unknown name additionalProperties")),
     "yes; sent without additionalProperties"),
    ("schema", Endpoint(change=replace_text("Green, and four legs.")),
     LOOSE),
    ("schema", Endpoint(change=replace_text('{"colour": "red", "legs": 4}')), LOOSE),
    ("schema", Endpoint(change=cut_off),
     f"not found out: the answer was cut off at {LONGEST_ANSWER} tokens"),
    ("tools", Endpoint(change=cut_off_without_calls),
     f"not found out: the answer was cut off at {LONGEST_ANSWER} tokens"),
    ("tools", Endpoint(refuse("tools", "stub does not support tools")),
     "refused: status 400: stub does not support tools; without tools, give the texts with the "
     "prompt (--recipes given)"),
    ("tools", Endpoint(change=lambda message, _: message.pop("tool_calls", None)
     and message.update(content="Let me see.")), "taken, but the tool was not called"),
    ("tools", Endpoint(change=prefix_names), "yes; found by leniency: prefixed_name"),
    ("tool's result", Endpoint(refuse("tool_call_id", "no such role: tool")),
     "refused: status 400: no such role: tool (2 tries); without tools, give the texts with "
     "the prompt (--recipes given)"),
    ("tool's result", Endpoint(refuse("reasoning_content", "unknown field reasoning_content"),
     lambda message, _: message.update(reasoning_content="Hm.")),
     "taken; thoughts are not taken back"),
    ("length", Endpoint(change=_count_written),
     f"ignored: 900 tokens came for a limit of {CUT_OFF}"),
    ("length", Endpoint(ends=False), "cut off, but the answer ends with 'stop'"),
    ("length", Endpoint(change=lambda _, whole: whole.update(
        usage={**PLAIN_USAGE, "completion_tokens": 3, "total_tokens": 33}
     ), ends=False), "not found out: the answer was short"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("about", "endpoint", "expected"),
    LACKING,
    ids=[f"{number}-{about}" for number, (about, _, _) in enumerate(LACKING)],
)
async def test_an_endpoint_that_differs(
    server: Server, about: str, endpoint: Endpoint, expected: str
) -> None:
    assert (await find(server, endpoint))[about].found == expected


@pytest.mark.parametrize(
    "endpoint", [endpoint for about, endpoint, _ in LACKING if about.startswith("tool")]
)
async def test_an_endpoint_without_tools_gets_the_texts_in_the_prompt(
    server: Server, endpoint: Endpoint
) -> None:
    found = await find(server, endpoint)
    works = found["tools"].found.startswith("yes") and "taken" in found["tool's result"].found
    found.pop("latency")
    options = [option for each in found.values() for option in each.options]
    cut = "not found out" in found["tools"].found
    assert ("--recipes given" in options) is not (works or cut)


async def test_a_slow_endpoint_needs_a_longer_deadline(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probing, "QUICK", 0.1)
    monkeypatch.setattr(probing, "USUAL_ANSWER", 400)
    endpoint = Endpoint()

    async def slow(exchange: Any) -> None:
        if not exchange.body.get("tools"):
            await says("Green and four.", after=0.3, usage=PLAIN_USAGE)(exchange)
        else:
            await endpoint(exchange)

    (option,) = (await find(server, slow, deadline=10.0))["latency"].options
    flag, seconds = option.split()
    assert flag == "--deadline"
    assert 2 * 400 / 12 * 0.3 <= float(seconds) < 600


async def test_no_more_is_sent_than_is_said(server: Server) -> None:
    server.default = fails(503, {"message": "Loading model"})
    with pytest.raises(InfrastructureError, match="Loading model"):
        await find(server, server.default)
    assert len(server.seen) == 1 + QUICK_RETRIES
    server.seen.clear()
    await find(server, Endpoint())
    for number in (MOST_REQUESTS, LONGEST_ANSWER, LONGEST_PROMPT, USUAL_PROMPT):
        assert str(number) in describe_probe()
    *usual, counting, long = [x for x in server.seen if not x.path.endswith("/models")]
    assert "max_tokens" not in counting.body
    assert long.body["max_tokens"] == CUT_OFF
    assert 16 * USUAL_PROMPT < 4 * len(json.dumps(long.body["messages"])) < 24 * USUAL_PROMPT
    for exchange in usual:
        assert exchange.body["max_tokens"] <= LONGEST_ANSWER
        asked = [exchange.body.get(name) for name in ("messages", "response_format", "tools")]
        assert len(json.dumps(asked)) < 8 * LONGEST_PROMPT


async def test_the_context_is_read_from_the_list_of_models(server: Server) -> None:
    endpoint = Endpoint()

    async def listing(exchange: Any) -> None:
        if exchange.path.endswith("/models"):
            await exchange.send(200, {"data": [{"id": "stub", "max_model_len": 4096}]})
        else:
            await endpoint(exchange)

    found = await find(server, listing)
    assert found["context"].found.startswith("4096 tokens, and a prompt with its answer needs")
    assert await list_models(server.url, None) == ["stub"]


async def test_an_endpoint_without_any_answer_is_an_error(server: Server) -> None:
    server.default = fails(401, {"message": "no"})
    with pytest.raises(InfrastructureError, match="the key is not accepted"):
        await find(server, server.default)
    assert len(server.seen) == 1
