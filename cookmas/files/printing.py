"""Printing of untrusted text and of plain data to standard output."""

from __future__ import annotations

import codecs
import json
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from cookmas.files.lines import clean

WIDTH = 100
"""Width of a report in characters if the output is no terminal."""


def console() -> Console:
    """Return the console for standard output, with colours if standard output is a terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)


def words(*parts: object, style: str = "") -> Text:
    """Return untrusted text, joined by spaces, in which nothing is interpreted as markup."""
    return Text(clean(" ".join(map(str, parts))), style=style)


def tell(*parts: object, style: str = "") -> None:
    """Print untrusted text to standard output, without wrapping long lines."""
    console().print(words(*parts, style=style), soft_wrap=True)


def print_json(data: Any) -> None:
    """Print plain data as one line of JSON, in which unprintable characters are escaped."""
    text = json.dumps(data, ensure_ascii=codecs.lookup(sys.stdout.encoding).name != "utf-8")
    print("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text))
