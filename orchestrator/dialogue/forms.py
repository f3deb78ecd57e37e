"""Validation of blocks that are read back from a prompt, and the form of the CALL block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, StrictStr, TypeAdapter, ValidationError

from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import CALL, mapping, unexpected_error

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
