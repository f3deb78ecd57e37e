"""Printing text from outside, made harmless, and plain data."""

from __future__ import annotations

import codecs
import json
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from files.lines import clean

WIDTH = 100
"""Columns of reports where the output is no terminal."""


def console() -> Console:
    """The console of what is asked for; coloured where it is a terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)


def words(*parts: object, style: str = "") -> Text:
    """Text from outside, in which nothing is taken for markup."""
    return Text(clean(" ".join(map(str, parts))), style=style)


def tell(*parts: object, style: str = "") -> None:
    """One line of text from outside to stdout, however long it is."""
    console().print(words(*parts, style=style), soft_wrap=True)


def print_json(data: Any) -> None:
    """Print plain data as one line of JSON, in which escapes stand for what cannot be shown."""
    text = json.dumps(data, ensure_ascii=codecs.lookup(sys.stdout.encoding).name != "utf-8")
    print("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text))
