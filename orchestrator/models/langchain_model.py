"""The adapter that makes a LangChain chat model a model of CookMAS."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from cookmas.episodes.secrets import hide
from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.langsmith import langsmith_context
from cookmas.orchestrator.models.budget import Prices
from cookmas.orchestrator.models.keys import secrets_of
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    Message,
    ModelAnswer,
    Request,
    ToolCall,
    Usage,
)
from cookmas.orchestrator.models.wire import estimate_usage, sampling_parameters, tools_to_wire

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage

_REASONS = {
    "STOP": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "MAX_TOKENS": "length",
    "max_tokens": "length",
    "tool_use": "tool_calls",
    "content_filter": "refusal",
}


class ChatModel:
    """A model that asks a `langchain_core` chat model, which has its own rules for retries.

    The request's schema is not sent, because chat models accept schemas in different ways.
    `deadline` is the greatest number of seconds of one call.
    """

    def __init__(
        self,
        chat: BaseChatModel,
        name: str | None = None,
        *,
        prices: Prices | None = None,
        deadline: float = 600.0,
    ) -> None:
        named = getattr(chat, "model_name", None) or getattr(chat, "model", None)
        self.name: str = name or str(named or type(chat).__name__)
        self._chat = chat
        self._prices = prices
        self._deadline = deadline

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        """Return the answer to a request and its measurements.

        A text that the chat model cannot parse still counts as an answer. Raise InfrastructureError
        for any other error of the chat model.
        """
        from langchain_core.exceptions import OutputParserException

        began = time.perf_counter()
        try:
            async with asyncio.timeout(self._deadline):
                reply = await self._ask(request)
            answer = self._answer(reply, request)
        except TimeoutError:
            why = f"{self.name}: gave no answer within {self._deadline:g} seconds"
            raise InfrastructureError(why) from None
        except OutputParserException as error:
            text = self._hide(str(error.llm_output or ""))
            answer = ModelAnswer(text=text, model=self.name, usage=estimate_usage(request, text))
        except Exception as error:
            explanation = " ".join(self._hide(f"{type(error).__name__}: {error}").split())
            if request.tools and isinstance(error, NotImplementedError):
                explanation = "takes no tools; give the texts with the prompt (--recipes given)"
            raise InfrastructureError(f"{self.name}: {explanation}") from None
        cost = self._prices.cost(answer.usage) if self._prices else None
        return answer, CallMeasurements(seconds=time.perf_counter() - began, cost=cost)

    async def _ask(self, request: Request) -> AIMessage:
        messages = [_message(message) for message in request.messages]
        chat: Any = self._chat
        if request.tools:
            chat = chat.bind_tools(tools_to_wire(request))
        with langsmith_context():
            reply: AIMessage = await chat.ainvoke(messages, **sampling_parameters(request))
        return reply

    def _answer(self, reply: AIMessage, request: Request) -> ModelAnswer:
        explanation = reply.response_metadata
        called = [(c["id"], c["name"], json.dumps(c["args"])) for c in reply.tool_calls]
        called += [(c["id"], c["name"] or "", c["args"] or "") for c in reply.invalid_tool_calls]
        calls = tuple(ToolCall(id=i or "", name=name, arguments=args) for i, name, args in called)
        text = self._hide(str(reply.text))
        refusal = reply.additional_kwargs.get("refusal")
        reason = str(explanation.get("finish_reason") or explanation.get("stop_reason") or "stop")
        reason = "refusal" if refusal else _REASONS.get(reason, reason)
        if reason == "refusal" and not refusal:
            refusal = "the endpoint's content filter withheld the answer"
        return ModelAnswer(
            text=text,
            tool_calls=calls,
            finish_reason="tool_calls" if calls and reason == "stop" else reason,
            refusal=refusal,
            model=str(explanation.get("model_name") or self.name),
            usage=_read_usage(reply) or estimate_usage(request, text, calls),
        )

    def _hide(self, text: str) -> str:
        """Return a text without the secrets of the chat model."""
        for value in vars(self._chat).values():
            if isinstance(value, SecretStr):
                text = hide(text, secrets_of(value.get_secret_value()))
        return text


def _message(message: Message) -> BaseMessage:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
    from langchain_core.messages.tool import invalid_tool_call, tool_call

    if message.role == "system":
        return SystemMessage(message.content)
    if message.role == "user":
        return HumanMessage(message.content)
    if message.role == "tool":
        return ToolMessage(message.content, tool_call_id=message.tool_call_id or "")
    good, bad = [], []
    for call in message.tool_calls:
        try:
            args = json.loads(call.arguments)
        except ValueError:
            args = None
        if isinstance(args, dict):
            good.append(tool_call(id=call.id, name=call.name, args=args))
        else:
            bad.append(
                invalid_tool_call(id=call.id, name=call.name, args=call.arguments, error=None)
            )
    return AIMessage(message.content, tool_calls=good, invalid_tool_calls=bad)


def _read_usage(reply: AIMessage) -> Usage | None:
    """Return the tokens that the provider counted; None if it did not count."""
    counted = reply.usage_metadata
    if not counted:
        return None
    return Usage(
        prompt=counted["input_tokens"],
        completion=counted["output_tokens"],
        cached=counted.get("input_token_details", {}).get("cache_read") or 0,
        reasoning=counted.get("output_token_details", {}).get("reasoning") or 0,
    )
