"""Blocks are checked against their forms when they are read back; the form of the CALL block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, StrictStr, TypeAdapter, ValidationError

from files.errors import InputError
from orchestrator.dialogue.blocks import CALL, mapping, unexpected

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
    violations: list[_Violation] | None = None


_CALL: TypeAdapter[Any] = TypeAdapter(_Call)


def required(blocks: Mapping[str, Any], name: str) -> Any:
    """The data of a block. Raises InputError if there is no such block."""
    if name not in blocks:
        raise InputError("prompt", f"has no block ### {name}")
    return blocks[name]


def conforming(name: str, data: Any, form: TypeAdapter[Any]) -> Any:
    """The data of a block. Raises InputError with the first field that is not of its form."""
    try:
        form.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))[:80]
        raise unexpected(name, ": ".join(filter(None, (field, first["msg"])))) from None
    return data


def call_in(blocks: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of the CALL block. Raises InputError if there is none, or not of its form."""
    call: Mapping[str, Any] = conforming(CALL, mapping(CALL, required(blocks, CALL)), _CALL)
    return call
