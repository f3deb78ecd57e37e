"""The options for JSON output."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

JsonLine = Annotated[bool, typer.Option("--json", help="One line of JSON.")]
