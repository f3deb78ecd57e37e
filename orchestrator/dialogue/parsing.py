"""Prompts that are read back: the blocks in a conversation, their validation, looked-up texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, StrictStr, TypeAdapter, ValidationError

from cookmas.files.errors import InputError
from cookmas.files.lines import has_lone_surrogate
from cookmas.orchestrator.dialogue.blocks import CALL
from cookmas.orchestrator.dialogue.voice import LookUp

_BLOCK = re.compile(r"^### ([A-Z_]+)\n```json\n(.*?)\n```$", re.MULTILINE | re.DOTALL)

Name = Annotated[str, Field(strict=True, min_length=1)]
_Timestep = Annotated[int, Field(strict=True, ge=0)]


class _Trigger(BaseModel):
    kind: StrictStr
    cause: StrictStr


class _Fail(BaseModel):
    action: StrictStr
    reason: StrictStr
    why: StrictStr


class _Violation(BaseModel):
    timestep: _Timestep = 0
    worker: StrictStr = ""


class _Call(BaseModel):
    timestep: _Timestep = 0
    triggers: list[_Trigger] = []
    fails: dict[Name, _Fail] = {}
    task: StrictStr = ""
    workers: list[StrictStr] = []
    agent: StrictStr = ""
    form: StrictStr = ""
    violations: list[_Violation] | None = None


_CALL: TypeAdapter[Any] = TypeAdapter(_Call)

_SAID_TO_A_MODEL = ("system", "developer", "user")


def parse_blocks(text: str) -> dict[str, Any]:
    """Return the data of the blocks in a text, by name; of two blocks of one name the last counts.

    Raise InputError if a block has invalid JSON or a lone surrogate.
    """
    data: dict[str, Any] = {}
    for match in _BLOCK.finditer(text.replace("\r\n", "\n")):
        try:
            data[match[1]] = json.loads(match[2])
        except (ValueError, RecursionError) as error:
            raise InputError("prompt", f"block ### {match[1]} is not JSON ({error})") from None
        if has_lone_surrogate(data[match[1]]):
            raise unexpected_error(match[1], "it has a lone surrogate")
    return data


def unexpected_error(name: str, why: str) -> InputError:
    """Return the error for a block whose data are not as expected."""
    return InputError("prompt", f"block ### {name} is not as expected ({why})")


def mapping(name: str, data: Any) -> Mapping[str, Any]:
    """Return the data of a block. Raise InputError if the data are not a JSON object."""
    if not isinstance(data, Mapping):
        raise InputError("prompt", f"block ### {name} should be a JSON object")
    return data


def require_block(blocks: Mapping[str, Any], name: str) -> Any:
    """Return the data of a block. Raise InputError if the block is missing."""
    if name not in blocks:
        raise InputError("prompt", f"has no block ### {name}")
    return blocks[name]


def validate(name: str, data: Any, form: TypeAdapter[Any]) -> Any:
    """Return the data unchanged if they have the form of block `name`.

    Otherwise raise InputError, which names the first invalid field.
    """
    try:
        form.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))[:80]
        raise unexpected_error(name, ": ".join(filter(None, (field, first["msg"])))) from None
    return data


def call_in(blocks: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data of the CALL block. Raise InputError if it is missing or invalid."""
    call: Mapping[str, Any] = validate(CALL, mapping(CALL, require_block(blocks, CALL)), _CALL)
    return call


def blocks_in(messages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the data of the blocks, by name, in all messages that were sent to the model.

    Raise InputError if a block cannot be read.
    """
    contents = (m.get("content") for m in messages if m.get("role") in _SAID_TO_A_MODEL)
    return parse_blocks("\n\n".join(map(text_of, contents)))


def collect_looked_up(messages: Iterable[Mapping[str, Any]], look_up: LookUp) -> dict[str, str]:
    """Return the texts that the model looked up with the tool `look_up`, by key."""
    looked_up: dict[str, str] = {}
    for message in messages:
        if message.get("role") != "tool":
            continue
        try:
            answer = json.loads(text_of(message.get("content")))
            key, text = answer[look_up.key], answer[look_up.text]
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
        if isinstance(key, str) and isinstance(text, str) and not has_lone_surrogate(answer):
            looked_up[key] = text
    return looked_up


def text_of(content: Any) -> str:
    """Return the content of a message as one text, even if the content is a list of parts."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        parts = (part.get("text", "") for part in content if isinstance(part, Mapping))
        return "\n".join(map(str, parts))
    return str(content or "")
