"""The command line, called in this process or in one of its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from cookmas.commands.cli import app
from tests.warm import COOKMAS, ROOT, ran

ALONE = {"PYTHONPATH": str(ROOT), "PATH": ""}
"""The environment of a command that finds nothing but CookMAS."""


def cookmas(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def data(*arguments: str) -> Any:
    done = cookmas(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def fails(*arguments: str, code: int = 2) -> str:
    """The one line in which a command ends that must fail."""
    done = cookmas(*arguments)
    assert done.exit_code == code, done.output
    lines: list[str] = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("cookmas: ")
    return lines[0]


def process(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return ran(COOKMAS, *arguments, cwd=cwd, env=ALONE)
