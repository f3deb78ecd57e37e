"""Reading of YAML files into validated models; an error names the file and field in one line."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, BinaryIO, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cookmas.files.errors import InputError, MissingError
from cookmas.files.lines import preview
from cookmas.files.opening import open_file
from cookmas.files.wording import describe_error
from cookmas.files.yaml_text import parse_yaml

Model = TypeVar("Model", bound=BaseModel)
Made = TypeVar("Made")


Title = Annotated[str, Field(max_length=200)]
"""A short text in a file, at most 200 characters."""

Name = Annotated[str, Field(max_length=200)]
"""A name or a path in a file, at most 200 characters."""


class FileModel(BaseModel):
    """Base of all models read from files: immutable, strict, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


SHOWN_FIELDS = 6
"""Greatest number of fields by which a file is described."""

SEARCHED = 2**16
"""Greatest number of characters in which a file of another program is known."""

PART = 2**20
"""Number of bytes that are read at a time, so that a small file needs little memory."""

MOST_BYTES = 2**22
"""Default maximum size of a file, in bytes."""


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file. Raise OSError, or InputError if it has more than `most` bytes."""
    with open_file(path) as file:
        return _bytes_of(file, str(path), most)


def without_mark(data: bytes) -> bytes:
    """Return the data without the byte order mark that some programs write."""
    return data.removeprefix(codecs.BOM_UTF8)


def refuse_other_file(
    path: Path, expected: str, originals: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Raise InputError if there is a file at `path`, which no caller reads: say what it is.

    `originals` has regular expressions by which files of other programs are known, and their names.
    """
    if not os.path.isfile(path):
        return
    text = read_text(path)
    seen = text[:SEARCHED]
    programs = [name for pattern, name in originals.items() if re.search(pattern, seen)]
    raise InputError(str(path), f"is {[*programs, _name_content(text)][0]}; expected {expected}")


def _name_content(text: str) -> str:
    """Return what a text is, as far as can be seen."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return f"text that begins with '{preview(text.strip(), 30)}'"
    if not isinstance(data, dict):
        return "JSON, but no mapping"
    names = ", ".join(preview(name, 30) for name in list(data)[:SHOWN_FIELDS])
    return f"JSON with the fields {names}{', ...' * (len(data) > SHOWN_FIELDS)}"


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file of at most `most` bytes.

    Raise MissingError if the file does not exist, InputError if it cannot be read as UTF-8 or is
    too large.
    """
    try:
        str(path).encode()
        with open_file(path) as file:
            return text_of(file, str(path), most)
    except FileNotFoundError:
        raise MissingError(f"{path}: there is no such file") from None
    except UnicodeEncodeError:
        raise InputError(str(path), _problem_of_name(path)) from None
    except OSError as error:
        raise InputError(str(path), f"cannot be read as text ({error.strerror})") from None


def _problem_of_name(path: Path) -> str:
    """Return why the name of a file cannot be encoded: the locale, or the name itself."""
    try:
        os.fsencode(path).decode()
    except UnicodeError:
        return "the name of the file is no UTF-8; rename it"
    return "the locale cannot read this name; choose one of UTF-8, such as LC_ALL=C.UTF-8"


def text_of(file: BinaryIO, where: str, most: int) -> str:
    """Return the text of an open file, without the byte order mark that some programs write.

    Raise InputError, which names `where`, if the file has more than `most` bytes or is no UTF-8.
    """
    data = _bytes_of(file, where, most)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        line = data.count(b"\n", 0, error.start) + 1
        reason = "it is UTF-16" if marked else f"line {line} is no UTF-8"
        raise InputError(where, f"cannot be read as text ({reason}); save it as UTF-8") from None


def _bytes_of(file: BinaryIO, where: str, most: int) -> bytes:
    data = bytearray()
    while len(data) <= most and (part := file.read(min(PART, most + 1 - len(data)))):
        data += part
    if len(data) > most:
        raise InputError(where, f"is larger than {most} bytes")
    return bytes(data)


def read_yaml(path: Path) -> Any:
    """Return the plain data of a YAML file. Raise MissingError or InputError."""
    return parse_yaml(read_text(path), str(path))


def validate(model: type[Model], data: Any, where: str) -> Model:
    """Return the model for plain data. Raise InputError, which names the first invalid field."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InputError(where, describe_error(error, model)) from None


def read_model(model: type[Model], path: Path) -> Model:
    """Return the validated model in a YAML file. Raise MissingError or InputError."""
    return validate(model, read_yaml(path), str(path))


def until_changed(load: Callable[[Path], Made]) -> Callable[[Path], Made]:
    """Return a cached version of a function that loads a file or a folder.

    The function runs again if the file has changed, or any file up to two levels below the folder.
    """

    @lru_cache(maxsize=128)
    def keep(path: Path, _: object) -> Made:
        return load(path)

    @wraps(load)
    def load_cached(path: Path) -> Made:
        return keep(path, _stamp(path))

    return load_cached


def _stamp(path: Path) -> object:
    """Return a value that changes if a file or folder changes; None if it does not exist."""
    files = [str(path)]
    for folder, inner, names in os.walk(path):
        files += [os.path.join(folder, name) for name in names]
        if folder != str(path):
            inner.clear()
    try:
        stats = [os.stat(file) for file in files]
    except OSError:
        return None
    return tuple(sorted((f, s.st_mtime_ns, s.st_size) for f, s in zip(files, stats, strict=True)))
