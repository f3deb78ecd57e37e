"""Limits of files, options and lines of text, and of what goes between processes."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr
from pathlib import Path

from cookmas.display.terminal import say_error
from cookmas.files.lines import one_line
from cookmas.files.reading import read_bytes
from cookmas.files.wording import show_value
from cookmas.files.yaml_text import parse_yaml
from cookmas.sandbox.channel import pack
from cookmas.sandbox.child import Limits
from cookmas.studies.bench.limits import SweepLimits
from tests.limits.limit import Limit, text


def _written(name: str, size: int) -> Path:
    """Return a file of that many bytes."""
    path = Path(name)
    with path.open("wb") as file:
        file.truncate(size)
    return path


def _parse_numbers(count: int) -> None:
    """Parse a list of numbers; the stream, the document and the list have two events each."""
    parse_yaml(json.dumps([0] * (count - 6)), "the file")


def _print_error(size: int) -> bool:
    """Return whether an error line of that size is printed as it is."""
    said = io.StringIO()
    words = text(size - len("cookmas: "))
    with redirect_stderr(said):
        say_error(words)
    return said.getvalue() == f"cookmas: {words}\n"


class Shown:
    """A value that is shown as a text of a size."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __repr__(self) -> str:
        return text(self.size)


def _show(size: int) -> str:
    return show_value(Shown(size))


LIMITS = [
    Limit(name="files.wording:LONGEST_SHOWN", reach=_show, above="shortened"),
    Limit(name="files.lines:LONGEST", reach=lambda n: one_line(text(n)), above="shortened"),
    Limit(name="files.options:LONGEST_WAIT", reach=lambda n: Limits(seconds=n)),
    Limit(name="files.options:MOST_MONEY", reach=lambda n: SweepLimits(money=n)),
    Limit(name="files.yaml_text:MOST_NESTED", reach=lambda n: parse_yaml("[" * n + "]" * n, "x")),
    Limit(name="files.yaml_text:MOST_VALUES", reach=_parse_numbers, patched=50),
    Limit(name="files.yaml_text:MOST_DIGITS", reach=lambda n: parse_yaml("9" * n, "x")),
    Limit(name="files.reading:MOST_BYTES", reach=lambda n: read_bytes(_written("large", n))),
    Limit(name="sandbox.channel:LONGEST", reach=lambda n: pack("x" * (n - 2))),
    Limit(name="sandbox.child:MOST_MEMORY", reach=lambda n: Limits(memory=n)),
    Limit(name="display.terminal:LONGEST_ERROR", reach=_print_error, above="left out"),
]
