"""Reading YAML files into checked models: a bad file is one line with the file and the field."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from episodes.errors import InputError, MissingError

Model = TypeVar("Model", bound=BaseModel)


class FileModel(BaseModel):
    """Base of everything read from a file: immutable, with no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def read_text(path: Path) -> str:
    """The text of a file. Raises MissingError or InputError."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MissingError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"cannot be read as text ({error})") from None


def read_yaml(path: Path) -> Any:
    """The plain data of a YAML file. Raises MissingError or InputError."""
    try:
        return yaml.load(read_text(path), Loader=_LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}, line {mark.line + 1}" if mark else str(path)
        problem = getattr(error, "problem", None) or "cannot be read"
        raise InputError(where, f"is no YAML: {problem}") from None


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def validate(model: type[Model], data: Any, where: str) -> Model:
    """Check plain data against a model. Raises InputError with the first field that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the file"
        got = repr(first["input"])
        shown = got if len(got) <= 60 else got[:57] + "..."
        raise InputError(where, f"{field}: {first['msg']}, not {shown}") from None


def read_model(model: type[Model], path: Path) -> Model:
    """A checked model from a YAML file. Raises MissingError or InputError."""
    return validate(model, read_yaml(path), str(path))
