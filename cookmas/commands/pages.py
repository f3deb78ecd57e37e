"""Served pages: how a command prints an address and opens it in a browser."""

from __future__ import annotations

import webbrowser
from typing import Annotated

import typer

from cookmas.display.terminal import tell

NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open the page.")]


def tell_page(address: str, whose: str | None = None, *, no_open: bool) -> None:
    """Print the address of a page, and open the page unless `no_open`."""
    tell(f"The page{f' of {whose}' if whose else ''} is at {address}")
    if not no_open:
        webbrowser.open(address)
