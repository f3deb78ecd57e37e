"""The options that say in which form a command answers."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="JSON for machines.")]

JsonLine = Annotated[bool, typer.Option("--json", help="One line of JSON.")]
