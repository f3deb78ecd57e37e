"""The words of providers for the outcomes of a call: finish reasons, error codes and phrases.

This is data with its sources. `outcome.py` and `faults.py` read a response by it: structure first
(a code, a status), words last, because words also stand in complaints about something else. Sources
of the form `owner/repository#number` are issues and pull requests on GitHub; `docs` are the
provider's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Outcome = Literal[
    "stop", "length", "tool_calls", "refusal", "context_length", "unreadable_call", "passing",
    "lasting", "busy", "unknown",
]  # fmt: skip
"""The meaning of a provider's word.

The first six are answers. `passing`: a failure of the endpoint that may pass, such as a lost
upstream. `busy`: one that passes with time alone, such as a model that loads. `lasting`: one that
another attempt does not mend, such as a spent quota. `unknown`: one of which nothing is known.
`unreadable_call`: an answer, in which the
model called a tool in a way that the endpoint could not read.
"""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of providers, with its meaning and its source."""

    text: str
    """The word, in lower case; in `PHRASES` a regular expression."""
    means: Outcome
    """Its meaning."""
    source: str
    """The provider or the program that uses the word, and the place that documents it."""


FINISH_REASONS = (
    Word("stop", "stop", "OpenAI, docs"),
    Word("end_turn", "stop", "Anthropic, docs"),
    Word("stop_sequence", "stop", "Anthropic, docs"),
    Word("eos", "stop", "Together, docs"),
    Word("eos_token", "stop", "TGI, docs"),
    Word("complete", "stop", "Cohere, docs"),
    Word("length", "length", "OpenAI, docs"),
    Word("max_tokens", "length", "Anthropic and Gemini, docs; genkit-ai/genkit#6259"),
    Word("max_output_tokens", "length", "OpenAI, docs of the Responses API"),
    Word("max_length", "length", "TGI, docs"),
    Word("model_length", "length", "Mistral, docs"),
    Word("model_context_window_exceeded", "length", "Anthropic, docs; genkit-ai/genkit#6259"),
    Word("tool_calls", "tool_calls", "OpenAI, docs"),
    Word("function_call", "tool_calls", "OpenAI, docs of former versions"),
    Word("tool_call", "tool_calls", "Cohere, docs"),
    Word("tool_use", "tool_calls", "Anthropic, docs"),
    Word("content_filter", "refusal", "OpenAI, docs"),
    Word("content_filtered", "refusal", "Amazon Bedrock, docs"),
    Word("guardrail_intervened", "refusal", "Amazon Bedrock, docs"),
    Word("refusal", "refusal", "Anthropic, docs"),
    Word("sensitive", "refusal", "Zhipu, docs; genkit-ai/genkit#6259"),
    Word("safety", "refusal", "Gemini, docs"),
    Word("recitation", "refusal", "Gemini, docs"),
    Word("blocklist", "refusal", "Gemini, docs"),
    Word("prohibited_content", "refusal", "Gemini, docs"),
    Word("spii", "refusal", "Gemini, docs"),
    Word("error", "passing", "OpenRouter, docs; genkit-ai/genkit#6259"),
    Word("error_toxic", "refusal", "Cohere, docs"),
    Word("abort", "passing", "vLLM and SGLang, docs; gethouston/houston#1211"),
    Word("aborted", "passing", "as abort"),
    Word("cancelled", "passing", "as abort"),
    Word("timeout", "passing", "as abort"),
    Word("network_error", "passing", "Zhipu, docs; genkit-ai/genkit#6259"),
    Word("server_error", "passing", "as error"),
    Word("insufficient_system_resource", "passing", "DeepSeek, docs; genkit-ai/genkit#6259"),
    Word("repetition_truncation", "length", "Moonshot, docs"),
    Word("malformed_function_call", "unreadable_call", "Gemini, docs"),
    Word("unexpected_tool_call", "unreadable_call", "Gemini, docs"),
)
"""Why an answer ended, by the field `finish_reason`. An unknown word counts as `stop`."""

CODES = (
    Word("context_length_exceeded", "context_length", "OpenAI, docs"),
    Word("context_window_exceeded", "context_length", "LiteLLM, docs"),
    Word("contextwindowexceedederror", "context_length", "LiteLLM, docs"),
    Word("exceed_context_size_error", "context_length", "llama.cpp, docs of the server"),
    Word("tokens_limit_reached", "context_length", "GitHub Models; openclaw/openclaw#13747"),
    Word("model_max_prompt_tokens_exceeded", "context_length", "GitHub Copilot; badlogic/pi#129"),
    Word("prompt_too_long", "context_length", "gateways before Anthropic"),
    Word("1261", "context_length", "Zhipu, docs of error codes"),
    Word("content_filter", "refusal", "Azure OpenAI and Moonshot, docs"),
    Word("responsibleaipolicyviolation", "refusal", "Azure OpenAI, docs: the inner error"),
    Word("content_policy_violation", "refusal", "OpenAI, docs"),
    Word("contentpolicyviolationerror", "refusal", "LiteLLM, docs"),
    Word("data_inspection_failed", "refusal", "DashScope, docs; 666ghj/BettaFish#108"),
    Word("datainspectionfailed", "refusal", "as data_inspection_failed"),
    Word("moderation_blocked", "refusal", "OpenAI, docs"),
    Word("1301", "refusal", "Zhipu, docs of error codes: unsafe content"),
    Word("sensitive_words_detected", "refusal", "gateways after new-api"),
    Word("insufficient_quota", "lasting", "OpenAI, docs"),
    Word("billing_hard_limit_reached", "lasting", "OpenAI, docs"),
    Word("insufficient_balance", "lasting", "DeepSeek, docs"),
    Word("exceeded_current_quota_error", "lasting", "Moonshot, docs"),
    Word("insufficient_user_quota", "lasting", "gateways after new-api"),
    Word("insufficient_credits", "lasting", "OpenRouter, docs"),
    Word("1113", "lasting", "Zhipu, docs of error codes: no balance"),
    Word("permission_denied", "lasting", "Gemini, docs"),
    Word("permission_error", "lasting", "Anthropic, docs"),
)
"""The outcomes by the fields `code`, `type` and `status` of an error."""

_SIZE = r"context|prompt|inputs?\b|tokens?\b|token count|input length"
_TOO_LARGE = (
    r"too (long|large|many)|exceed|(longer|larger|greater) than|must (be <|have less)|not enough"
)
_DEMANDED = r"requires?|unsupported|not (supported|allowed|permitted)|unknown|unrecognized|invalid"
_PARAMETER = r"\b(param(eter)?|flag|field|option|argument)s?\b"

PHRASES = (
    Word(
        r"(pars|decod|unmarshal|malformed|invalid)\w*.{0,30}(tool|function)[ _-]?calls?"
        r"|(tool|function)[ _-]?calls?.{0,40}(be|was|were|is|are)? ?(parsed|decoded|malformed)",
        "unreadable_call",
        "Ollama; ollama/ollama#17638; llama.cpp; ggml-org/llama.cpp#20761",
    ),
    Word(
        rf"({_SIZE}).{{0,80}}({_TOO_LARGE})"
        rf"|(too (large|many)|exceed\w*|maximum).{{0,60}}({_SIZE})"
        r"|context (length|window|size).{0,20}\d|range of input length"
        r"|reduce the length of (the|your) (messages|prompt|input)|contextwindowexceeded",
        "context_length",
        "a word for what was sent, beside one for a size that it has not",
    ),
    Word(
        r"content[ _-]?(filter|management|moderation|policy)|content exists risk|guardrail"
        r"|moderation|usage polic|responsible ?ai|inappropriate|high risk|safety (system|filter)"
        r"|(input|prompt|content|output|response)\b.{0,40}(flagged|blocked|sensitive|filtered)",
        "refusal",
        "a word for a filter, or for what was filtered",
    ),
    Word(r"(incorrect|invalid) api key", "lasting", "OpenAI"),
    Word(r"unexpected endpoint or method", "lasting", "LM Studio; lmstudio-bug-tracker#618"),
    Word(r"(insufficient|out of|no) (balance|credits?|funds)", "lasting", "DeepSeek, OpenRouter"),
    Word(r"model.{0,20}(is|currently|still) loading|loading model", "busy", "llama.cpp, TGI"),
    Word(r"model.{0,20}(crashed|unloaded)", "passing", "LM Studio"),
    Word(r"too many requests|rate limit", "busy", "gateways"),
    Word(r"overloaded|no available (channel|server|worker)s?", "busy", "Anthropic, new-api"),
    Word(
        rf"{_PARAMETER}.{{0,40}}\b({_DEMANDED})|({_DEMANDED})\b.{{0,30}}{_PARAMETER}"
        r"|(not|n't) (be )?support(ed)?\b",
        "lasting",
        "llama.cpp without --jinja; defilantech/LLMKube#126; Ollama: does not support tools",
    ),
)
"""The outcomes by phrases in the text of an error, in lower case; codes count first."""

STATUSES: Mapping[int, Outcome] = MappingProxyType(
    {
        **dict.fromkeys((408, 409, 423, 424, 499), "passing"),
        **dict.fromkeys((425, 429, 503, 529), "busy"),
        **dict.fromkeys((401, 402, 404, 405, 407, 410, 413, 414, 415, 431, 501, 505), "lasting"),
        451: "refusal",
    }
)
"""The outcomes by the status of HTTP that says enough."""

UNREACHABLE = (502, 503, 504)
"""Statuses of a proxy whose endpoint is away."""

TIMED_OUT = 524
"""Status by which a proxy says that an answer takes too long, unless it is streamed."""

ELSEWHERE = frozenset({*STATUSES, *UNREACHABLE, TIMED_OUT} - {413, 424})
"""Statuses about the key, the load or the address, so that their words are not about the prompt."""

WRITTEN_BADLY = ("tool_use_failed", "json_validate_failed")
"""Codes by which Groq reports that the model called a tool wrongly, or wrote bad JSON."""

SCHEMA_WORDS = re.compile(
    r"response_format|json_schema|json schema|structured.?outputs?|guided|grammar|schema", re.I
)
"""Words of an error that refuses the schema of an answer."""

LIMIT_WORDS = re.compile(r"max_?(completion|new|output)?_?tokens", re.I)
"""Words of an error about the limit of an answer's tokens."""

KEYWORDS = (
    "maxLength", "minLength", "maxItems", "minItems", "pattern", "format", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "additionalProperties",
    "default", "title", "const", "anyOf", "oneOf", "propertyNames", "prefixItems",
)  # fmt: skip
"""Keywords of JSON schemas that some endpoints refuse and name."""

THOUGHTS = (
    "reasoning_content",  # DeepSeek, Moonshot, vLLM
    "reasoning",  # OpenRouter, Ollama, vLLM
    "reasoning_details",  # OpenRouter, MiniMax
    "thinking",  # Ollama
    "thinking_blocks",  # LiteLLM
    "signature",  # Anthropic behind gateways
    "thought_signature",  # Gemini
    "extra_content",  # Gemini
    "provider_specific_fields",  # LiteLLM
)
"""Fields of a message or a tool call that an endpoint wants back with the next request."""

THOUGHT_TEXTS = ("reasoning_content", "reasoning", "thinking")
"""Those of THOUGHTS with text, in which a misconfigured server also puts the whole answer."""
