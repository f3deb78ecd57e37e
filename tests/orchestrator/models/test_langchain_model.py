"""Chat models of LangChain's, by langchain-core's own fakes."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from langchain_core.exceptions import OutputParserException
from langchain_core.language_models import BaseChatModel, FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import SecretStr

from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models.budget import Prices
from cookmas.orchestrator.models.langchain_model import ChatModel
from cookmas.orchestrator.models.message import Message, Request, ToolCall, ToolSpec, Usage
from tests.orchestrator.models.endpoint import question


class Provider(BaseChatModel):
    """A provider that keeps what it was given."""

    reply: AIMessage
    model_name: str = "provider-1"
    key: SecretStr = SecretStr("sk-marker-lc")
    seen: list[Any]
    fault: Exception | None = None
    seconds: float = 0.0

    @property
    def _llm_type(self) -> str:
        return "provider"

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self.bind(tools=tools)

    def _generate(self, *given: Any, **more: Any) -> ChatResult:
        raise AssertionError("should be asked asynchronously")

    async def _agenerate(
        self, messages: Any, stop: Any = None, run_manager: Any = None, **more: Any
    ) -> ChatResult:
        await asyncio.sleep(self.seconds)
        self.seen.append((messages, more))
        if self.fault:
            raise self.fault
        return ChatResult(generations=[ChatGeneration(message=self.reply)])


def provider(content: Any = "Soup.", **more: Any) -> Provider:
    chat = {name: more.pop(name) for name in ("fault", "seconds") if name in more}
    return Provider(reply=AIMessage(content, **more), seen=[], **chat)


@pytest.mark.parametrize(
    "chat",
    [
        FakeListChatModel(responses=["Soup."]),
        GenericFakeChatModel(messages=iter([AIMessage("Soup.")])),
    ],
)
async def test_fakes_answer(chat: Any) -> None:
    answer, measured = await ChatModel(chat).answer(question())
    assert (answer.text, answer.finish_reason) == ("Soup.", "stop")
    assert answer.usage == Usage(prompt=7, completion=2, estimated=True)
    assert measured.cost is None


async def test_tokens_reasons_and_cost() -> None:
    used = {
        "input_tokens": 100,
        "output_tokens": 50,
        "total_tokens": 150,
        "input_token_details": {"cache_read": 40},
        "output_token_details": {"reasoning": 30},
    }
    chat = provider(usage_metadata=used, response_metadata={"stop_reason": "max_tokens"})
    model = ChatModel(chat, prices=Prices(input=1.0, output=2.0, cached=0.0))
    answer, measured = await model.answer(question(temperature=0.2))
    assert answer.usage == Usage(prompt=100, completion=50, cached=40, reasoning=30)
    assert (answer.finish_reason, model.name) == ("length", "provider-1")
    assert measured.cost == pytest.approx(160 / 1e6)
    assert chat.seen[0][1]["temperature"] == 0.2


async def test_tools_go_there_and_back() -> None:
    wished = [{"id": "c1", "name": "look_up", "args": {"item": "Soup"}}]
    chat = provider("", tool_calls=wished)
    calls = (
        ToolCall(id="a", name="look_up", arguments='{"item": "Tea"}'),
        ToolCall(id="b", name="look_up", arguments="{broken"),
    )
    request = Request(
        messages=(
            Message(role="system", content="s"),
            Message(role="user", content="u"),
            Message(role="assistant", content="", tool_calls=calls),
            Message(role="tool", content="Hot.", tool_call_id="a"),
        ),
        tools=(ToolSpec(name="look_up", description="d", parameters={"type": "object"}),),
    )
    answer, _ = await ChatModel(chat).answer(request)
    assert answer.tool_calls == (ToolCall(id="c1", name="look_up", arguments='{"item": "Soup"}'),)
    assert answer.finish_reason == "tool_calls"
    messages, more = chat.seen[0]
    assert [message.type for message in messages] == ["system", "human", "ai", "tool"]
    assert messages[2].tool_calls[0]["args"] == {"item": "Tea"}
    assert messages[2].invalid_tool_calls[0]["args"] == "{broken"
    assert more["tools"][0]["function"]["name"] == "look_up"


async def test_content_in_blocks_and_refusals() -> None:
    blocks = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Soup."}]
    answer, _ = await ChatModel(provider(blocks)).answer(question())
    assert answer.text == "Soup."
    chat = provider("", additional_kwargs={"refusal": "I won't."})
    answer, _ = await ChatModel(chat).answer(question())
    assert (answer.finish_reason, answer.refusal) == ("refusal", "I won't.")


async def test_what_a_provider_could_not_parse_is_the_answer() -> None:
    chat = provider("", fault=OutputParserException("no JSON", llm_output="Soup, of course."))
    answer, _ = await ChatModel(chat).answer(question())
    assert answer.text == "Soup, of course."


async def test_what_a_provider_raises_is_an_infrastructure_error_without_its_key() -> None:
    chat = provider("", fault=RuntimeError("no such\nkey sk-marker-lc"))
    with pytest.raises(InfrastructureError, match=r"RuntimeError: no such key \[key\]") as caught:
        await ChatModel(chat).answer(question())
    assert "marker" not in str(caught.value)


async def test_the_deadline_holds() -> None:
    began = time.perf_counter()
    with pytest.raises(InfrastructureError, match=r"within 0\.2 seconds"):
        await ChatModel(provider(seconds=600.0), deadline=0.2).answer(question())
    assert time.perf_counter() - began < 60


async def test_a_model_without_tools_is_told_apart() -> None:
    tool = ToolSpec(name="look_up", description="d", parameters={"type": "object"})
    request = Request(messages=(Message(role="user", content="u"),), tools=(tool,))
    with pytest.raises(InfrastructureError, match="takes no tools; give the texts"):
        await ChatModel(FakeListChatModel(responses=["Soup."])).answer(request)


async def test_a_reply_that_is_no_message_is_an_infrastructure_error() -> None:
    class Odd:
        async def ainvoke(self, *given: Any, **more: Any) -> str:
            return "Soup."

    with pytest.raises(InfrastructureError, match="AttributeError"):
        await ChatModel(Odd()).answer(question())  # type: ignore[arg-type]
