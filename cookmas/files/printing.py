"""Printing of untrusted text and of plain data to standard output."""

from __future__ import annotations

import codecs
import contextlib
import errno
import json
import os
import sys
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from cookmas.files.lines import clean

WIDTH = 100
"""Width of a report in characters if the output is no terminal."""


class _Console(Console):
    """A console that ends no process by itself; Rich's does, with code 1, without a reader."""

    def print(self, *parts: Any, **options: Any) -> None:
        """Print as Rich does. If stderr cannot be written, its text is lost."""
        try:
            super().print(*parts, **options)
        except OSError:
            if not self.stderr:
                raise
            throw_away(sys.stderr)

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def throw_away(stream: TextIO) -> None:
    """Discard all output of a stream that cannot be written, buffered output included."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def error_console() -> Console:
    """Return the console for stderr."""
    return _Console(stderr=True, highlight=False)


def console() -> Console:
    """Return the console for standard output, with colours if standard output is a terminal."""
    return _Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)


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
