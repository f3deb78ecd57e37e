"""Errors that a person can mend, told by Inspect in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai._util.error import PrerequisiteError
from rich.markup import escape

from files.errors import CookMASError


@contextmanager
def told() -> Iterator[None]:
    """Within a block an error that a person can mend becomes one that Inspect prints as it is."""
    try:
        yield
    except CookMASError as error:
        raise PrerequisiteError(f"[bold]ERROR[/bold]: {escape(str(error))}") from None
