"""Pages that are served: where they are, and their opening in a browser."""

from __future__ import annotations

import webbrowser
from typing import Annotated

import typer

from cookmas.display.terminal import tell

NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open the page.")]


def tell_page(address: str, whose: str | None = None, *, no_open: bool) -> None:
    """Tell where a page is, and open it unless it is not to be opened."""
    tell(f"The page{f' of {whose}' if whose else ''} is at {address}")
    if not no_open:
        webbrowser.open(address)
