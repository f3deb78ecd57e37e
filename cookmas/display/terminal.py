"""The terminal: consoles, and errors in one line."""

from __future__ import annotations

import errno
import io
import logging
import shutil
import sys
import termios
from typing import TextIO

from cookmas.episodes.secrets import hide_known
from cookmas.files.lines import clean, shorten
from cookmas.files.printing import console as console
from cookmas.files.printing import print_json as print_json
from cookmas.files.printing import tell as tell
from cookmas.files.printing import throw_away as throw_away
from cookmas.files.printing import words as words

LONGEST_ERROR = 600
"""Maximum length of an error line in characters."""


def on_terminal() -> bool:
    """Return whether the output can be redrawn in place."""
    return sys.stdout.isatty() and console().is_interactive


def say(*parts: object, style: str = "") -> None:
    """Print text to stdout, cleaned of control characters; a terminal wraps the text between
    words.
    """
    console().print(words(*parts, style=style), soft_wrap=not on_terminal())


def program() -> str:
    """Return the name by which this program was called, for lines that suggest a command."""
    called = sys.argv[0]
    on_path = shutil.which("cookmas")
    return called if called.endswith("/cookmas") and called != on_path else "cookmas"


def say_error(error: object) -> None:
    """Print an error as one line to stderr, without secrets, at most LONGEST_ERROR characters.

    If stderr cannot be written, such as a closed terminal, print nothing.
    """
    try:
        print(shorten(f"cookmas: {hide_known(clean(error))}", LONGEST_ERROR), file=sys.stderr)
    except OSError:
        throw_away(sys.stderr)


class _WithoutSecrets(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return hide_known(super().format(record))


def hide_secrets_in_logs() -> None:
    """Hide the secrets of this process in the warnings of all logs, which go to stderr."""
    if logging.lastResort:
        logging.lastResort.setFormatter(_WithoutSecrets())


def escape_what_cannot_be_shown() -> None:
    """Make stdout and stderr print an escape for each character that their encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def is_closed_terminal(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that has been closed."""
    try:
        termios.tcgetattr(stream.fileno())
    except termios.error as error:
        return bool(error.args[0] == errno.EIO)
    except (OSError, ValueError):
        return False
    return False
