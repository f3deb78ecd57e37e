"""The adapter that makes a LangChain chat model a model of CookMAS."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from cookmas.episodes.secrets import Secrets, harmless
from cookmas.files.errors import EndpointAwayError, InfrastructureError
from cookmas.orchestrator.langsmith import langsmith_context
from cookmas.orchestrator.models.access import hide_keys
from cookmas.orchestrator.models.budget import Prices
from cookmas.orchestrator.models.dialect import sampling_parameters, tools_to_wire
from cookmas.orchestrator.models.faults import EndpointFault, Response
from cookmas.orchestrator.models.message import (
    Answered,
    CallMeasurements,
    Message,
    Request,
)
from cookmas.orchestrator.models.outcome import judge

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage


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

    async def answer(self, request: Request) -> Answered:
        """Return the answer to a request and its measurements.

        A text that the chat model cannot parse still counts as an answer. Raise InfrastructureError
        for any other error of the chat model.
        """
        from langchain_core.exceptions import OutputParserException

        began = time.perf_counter()
        try:
            async with asyncio.timeout(self._deadline):
                response = self._response(await self._ask(request))
        except TimeoutError:
            why = f"{self.name}: gave no answer within {self._deadline:g} seconds"
            raise EndpointAwayError(why) from None
        except OutputParserException as error:
            text = str(error.llm_output or "")
            response = Response(body={"choices": [{"message": {"content": text}}]})
        except Exception as error:
            if request.tools and isinstance(error, NotImplementedError):
                why = "takes no tools; give the texts with the prompt (--recipes given)"
                raise InfrastructureError(f"{self.name}: {why}") from None
            response = _error_response(error)
        try:
            response = replace(response, body=harmless(response.body, self._secrets()))
            answer = judge(response, request, self.name)
        except EndpointFault as fault:
            raise InfrastructureError(f"{self.name}: {fault}") from None
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

    def _response(self, reply: AIMessage) -> Response:
        explanation, extra = reply.response_metadata, reply.additional_kwargs
        called = [(c["id"], c["name"], json.dumps(c["args"])) for c in reply.tool_calls]
        called += [(c["id"], c["name"] or "", c["args"] or "") for c in reply.invalid_tool_calls]
        calls = [
            {"id": made, "function": {"name": name, "arguments": arguments}}
            for made, name, arguments in called
        ]
        reason = explanation.get("finish_reason") or explanation.get("stop_reason")
        message = {**extra, "content": str(reply.text), "tool_calls": calls}
        return Response(
            body={
                "model": explanation.get("model_name"),
                "choices": [{"finish_reason": reason, "message": message}],
                "usage": reply.usage_metadata,
            }
        )

    def _secrets(self) -> Secrets:
        values = [each for each in vars(self._chat).values() if isinstance(each, SecretStr)]
        return hide_keys(*(each.get_secret_value() for each in values))


def _error_response(error: Exception) -> Response:
    """Return an error of a chat model as the response that has caused it, as far as it tells."""
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    headers = getattr(getattr(error, "response", None), "headers", {})
    return Response(
        status=status if isinstance(status, int) and status >= 400 else 400,
        headers={str(name).lower(): str(value) for name, value in dict(headers).items()},
        body=getattr(error, "body", None) or f"{type(error).__name__}: {error}",
    )


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
    return AIMessage(
        message.content,
        tool_calls=good,
        invalid_tool_calls=bad,
        additional_kwargs=dict(message.extra),
    )
