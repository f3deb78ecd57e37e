"""Reading YAML files into checked models: a bad file is one line with the file and the field."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from files.errors import InputError, MissingError
from files.pitfalls import refuse_large, refuse_pitfalls

Model = TypeVar("Model", bound=BaseModel)
Made = TypeVar("Made")


Title = Annotated[str, Field(max_length=200)]
"""A few words in a file."""

Name = Annotated[str, Field(max_length=200)]
"""A name in a file, or the path of another."""


class FileModel(BaseModel):
    """Base of everything read from a file: immutable, with no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


MOST_BYTES = 2**22
"""Bytes of a file."""


def open_file(path: Path) -> BinaryIO:
    """Open a file for reading. Raises OSError, also where it is a pipe or a device.

    A pipe that nobody writes to would never open, and a device may never end.
    """
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "is no file, but a pipe or a device", str(path))
    return file


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return a file of at most so many bytes. Raises OSError or InputError."""
    with open_file(path) as file:
        return _bytes_of(file, str(path), most)


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file of at most so many bytes. Raises MissingError or InputError."""
    try:
        str(path).encode()
        with open_file(path) as file:
            return text_of(file, str(path), most)
    except FileNotFoundError:
        raise MissingError(f"{path}: there is no such file") from None
    except UnicodeEncodeError:
        raise InputError(str(path), "the name of the file is no UTF-8; rename it") from None
    except OSError as error:
        raise InputError(str(path), f"cannot be read as text ({error.strerror})") from None


def text_of(file: BinaryIO, where: str, most: int) -> str:
    """Return the text of an open file of at most so many bytes. Raises InputError at `where`."""
    try:
        return _bytes_of(file, where, most).decode()
    except UnicodeDecodeError as error:
        raise InputError(where, f"cannot be read as text ({error})") from None


def _bytes_of(file: BinaryIO, where: str, most: int) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise InputError(where, f"is larger than {most} bytes")
    return data


def read_yaml(path: Path) -> Any:
    """The plain data of a YAML file. Raises MissingError or InputError."""
    return parse_yaml(read_text(path), str(path))


def parse_yaml(text: str, where: str) -> Any:
    """The plain data of a text in YAML; `where` it comes from. Raises InputError."""
    try:
        refuse_large(text, where, _LOADER)
        loader = _LOADER(text)
        root = loader.get_single_node()
        if root is None:
            raise InputError(where, "the file: is empty")
        refuse_pitfalls(root, where)
        return loader.construct_document(root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"{where}, line {mark.line + 1}" if mark else where
        problem = getattr(error, "problem", None) or "cannot be read"
        raise InputError(line, f"is no YAML: {problem}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(where, "is no YAML: a value is not what its tag says") from None


def shipped_yaml(path: Path) -> Any:
    """The plain data of a YAML file that comes with CookMAS, which needs no check."""
    return yaml.load(path.read_text(encoding="utf-8"), _LOADER)


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
        problem = first["msg"].removeprefix("Value error, ")
        raise InputError(where, f"{field}: {problem}, not {shown}") from None


def read_model(model: type[Model], path: Path) -> Model:
    """A checked model from a YAML file. Raises MissingError or InputError."""
    return validate(model, read_yaml(path), str(path))


def until_changed(load: Callable[[Path], Made]) -> Callable[[Path], Made]:
    """A loader that keeps what it made of a file or a folder until something in there changes."""

    @lru_cache(maxsize=128)
    def keep(path: Path, _: object) -> Made:
        return load(path)

    @wraps(load)
    def loaded(path: Path) -> Made:
        return keep(path, _stamp(path))

    return loaded


def _stamp(path: Path) -> object:
    """What changes when a file does, or one in a folder or in a folder of that; None of nothing."""
    try:
        stats = {file: file.stat() for file in (path, *path.glob("*"), *path.glob("*/*"))}
    except OSError:
        return None
    return frozenset((file, stat.st_mtime_ns, stat.st_size) for file, stat in stats.items())
