"""Conversion between Inspect and CookMAS: requests, answers, traces, and errors of user input."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalSample, read_eval_log
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    StopReason,
)
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolInfo, ToolParams
from inspect_ai.util import JSONSchema, StoreModel
from rich.markup import escape

from cookmas.episodes.conversation import Message, ToolCall, Usage
from cookmas.episodes.trace import Trace
from cookmas.episodes.trace_file import parse_trace
from cookmas.files.errors import CookMASError
from cookmas.files.writing import write_text
from cookmas.orchestrator.models.message import (
    ModelAnswer,
    Request,
    Schema,
    ToolSpec,
    estimate_usage,
)

_FINISHED: Mapping[StopReason, str] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "context_length",
    "tool_calls": "tool_calls",
    "content_filter": "refusal",
}
_NOTHING = ChatCompletionChoice(message=ChatMessageAssistant(content=""))
_STOPPED: Mapping[str, StopReason] = {reason: stop for stop, reason in _FINISHED.items()}


def to_inspect(request: Request) -> tuple[list[ChatMessage], list[ToolInfo], GenerateConfig]:
    """Return a request as the arguments of `inspect_ai.model.Model.generate`."""
    wanted = request.schema
    schema = (
        ResponseSchema(
            name=wanted.name, json_schema=JSONSchema.model_validate(wanted.schema), strict=True
        )
        if wanted
        else None
    )
    config = GenerateConfig(
        temperature=request.temperature,
        max_tokens=request.max_tokens,
        seed=request.seed,
        response_schema=schema,
    )
    tools = [
        ToolInfo(
            name=tool.name,
            description=tool.description,
            parameters=ToolParams.model_validate(tool.parameters),
        )
        for tool in request.tools
    ]
    return [_to_inspect(message) for message in request.messages], tools, config


def from_inspect(
    messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], config: GenerateConfig
) -> Request:
    """Return the arguments of an Inspect provider as a request."""
    wanted = config.response_schema
    return Request(
        messages=tuple(map(_from_inspect, messages)),
        schema=Schema(name=wanted.name, schema=_dump_schema(wanted.json_schema))
        if wanted
        else None,
        tools=tuple(
            ToolSpec(
                name=tool.name,
                description=tool.description,
                parameters=_dump_schema(tool.parameters),
            )
            for tool in tools
        ),
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        seed=config.seed,
    )


def answer_of(output: ModelOutput, request: Request, model: str) -> ModelAnswer:
    """Return Inspect's output as the answer to a request.

    `model` names the model if the output does not. Token counts that Inspect lacks are estimated.
    """
    choice = output.choices[0] if output.choices else _NOTHING
    reason = _FINISHED.get(choice.stop_reason, choice.stop_reason)
    text = choice.message.text
    calls = tuple(map(_convert_call, choice.message.tool_calls or ()))
    withheld = output.error or text or "the endpoint's content filter withheld the answer"
    return ModelAnswer(
        text=text,
        tool_calls=calls,
        finish_reason=reason,
        refusal=withheld if reason == "refusal" else None,
        model=output.model or model,
        usage=_convert_usage(output.usage)
        if output.usage
        else estimate_usage(request, text, calls),
    )


def output_of(answer: ModelAnswer) -> ModelOutput:
    """Return an answer as the output of an Inspect provider."""
    usage = answer.usage
    message = ChatMessageAssistant(
        content=answer.refusal or answer.text,
        tool_calls=_inspect_calls(answer.tool_calls),
        model=answer.model,
        source="generate",
    )
    stop = _STOPPED.get(answer.finish_reason, "unknown")
    return ModelOutput(
        model=answer.model,
        choices=[ChatCompletionChoice(message=message, stop_reason=stop)],
        usage=ModelUsage(
            input_tokens=usage.prompt - usage.cached,
            input_tokens_cache_read=usage.cached,
            output_tokens=usage.completion,
            total_tokens=usage.total,
            reasoning_tokens=usage.reasoning,
        ),
        error=answer.refusal,
    )


def _convert_usage(usage: ModelUsage) -> Usage:
    """Return token counts; `prompt` includes cached tokens, which Inspect counts separately."""
    cached = usage.input_tokens_cache_read or 0
    return Usage(
        prompt=usage.input_tokens + cached + (usage.input_tokens_cache_write or 0),
        completion=usage.output_tokens,
        cached=cached,
        reasoning=usage.reasoning_tokens or 0,
    )


def _to_inspect(message: Message) -> ChatMessage:
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.content)
        case "user":
            return ChatMessageUser(content=message.content)
        case "tool":
            return ChatMessageTool(content=message.content, tool_call_id=message.tool_call_id)
    return ChatMessageAssistant(
        content=message.content, tool_calls=_inspect_calls(message.tool_calls)
    )


def _from_inspect(message: ChatMessage) -> Message:
    calls = message.tool_calls if isinstance(message, ChatMessageAssistant) else None
    return Message(
        role=message.role,
        content=message.text,
        tool_calls=tuple(map(_convert_call, calls or ())),
        tool_call_id=message.tool_call_id if isinstance(message, ChatMessageTool) else None,
    )


def _inspect_calls(calls: Sequence[ToolCall]) -> list[InspectCall] | None:
    return [
        InspectCall(id=call.id, function=call.name, arguments=_parse_arguments(call.arguments))
        for call in calls
    ] or None


def _parse_arguments(text: str) -> dict[str, Any]:
    """Return the arguments of a tool call, parsed; empty if they are not a JSON object."""
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}


def _convert_call(call: InspectCall) -> ToolCall:
    """Return a tool call; if Inspect could not parse its arguments, the error replaces them."""
    arguments = call.parse_error or json.dumps(call.arguments, ensure_ascii=False)
    return ToolCall(id=call.id, name=call.function, arguments=arguments)


def _dump_schema(schema: JSONSchema | ToolParams) -> dict[str, Any]:
    return schema.model_dump(exclude_none=True)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn a CookMASError of the block into an error that Inspect prints without a traceback."""
    try:
        yield
    except CookMASError as error:
        raise PrerequisiteError(f"[bold]ERROR[/bold]: {escape(str(error))}") from None


class Played(StoreModel):
    """The part of a sample's store that CookMAS writes."""

    trace: str = ""
    """The text of the trace's file; empty if no episode was played."""

    def read(self, name: str) -> Trace | None:
        """Return the trace; None if no episode was played.

        Raises TraceError if the trace is damaged; the error calls the trace `name`.
        """
        return parse_trace(self.trace.splitlines(), name) if self.trace else None


def trace_of(sample: EvalSample) -> Trace | None:
    """Return the trace of a sample in a log; None if no episode was played. Raises TraceError."""
    return sample.store_as(Played).read(f"{sample.id}, epoch {sample.epoch}")


def write_traces(log: str | Path, folder: str | Path) -> Sequence[Path]:
    """Write each trace of a log to its own file in `folder`; return the files in order.

    A file's name has its sample and epoch, such as `level1-03-1.jsonl`.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for sample in read_eval_log(str(log)).samples or ():
        text = sample.store_as(Played).trace
        if text:
            name = "".join(c if c.isalnum() or c in "._=" else "-" for c in str(sample.id))
            written.append(folder / f"{name}-{sample.epoch}.jsonl")
            write_text(written[-1], text)
    return written
