"""Errors of user input, which Inspect prints in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai._util.error import PrerequisiteError
from rich.markup import escape

from files.errors import CookMASError


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn a CookMASError of the block into an error that Inspect prints without a traceback."""
    try:
        yield
    except CookMASError as error:
        raise PrerequisiteError(f"[bold]ERROR[/bold]: {escape(str(error))}") from None
