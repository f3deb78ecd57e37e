"""The record of a request and its answer, as traces and cassettes have it."""

from __future__ import annotations

from episodes.trace import AnsweredRequest
from orchestrator.models.message import Answer, Request


def answered(request: Request, answer: Answer, model: str) -> AnsweredRequest:
    """Return the record of a request to `model` and its answer."""
    return AnsweredRequest(
        request=request.digest(),
        model=model,
        answered_by=answer.model if answer.model != model else None,
        messages=request.messages,
        schema_name=request.schema.name if request.schema else None,
        text=answer.text,
        tool_calls=answer.tool_calls,
        refusal=answer.refusal,
        finish_reason=answer.finish_reason,
        usage=answer.usage,
    )
