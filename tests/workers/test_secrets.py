"""What a device repeats of a secret, or an error of a password, is hidden wherever it goes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.episodes.secrets import hide_known
from cookmas.files.errors import InputError
from cookmas.orchestrator.graph.underway import Jobs
from cookmas.orchestrator.models.access import api_key
from cookmas.workers.carrying_out import _Work
from cookmas.workers.hiring import split_workers
from cookmas.workers.http_worker import TOKEN
from cookmas.workers.protocol import Assigned, AwayError, Report
from tests.warm import ROOT, Warm

SECRET = "device-secret"

LONG = Assigned("bake", "worker_2", 1, "bakery", timesteps=9)


class Echo:
    """A device that repeats the token, in one way or another."""

    def __init__(self, says: Report | Exception) -> None:
        self.says = says

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


WAYS = (
    Report.failed(f"401: no such token: Bearer {SECRET}"),
    Report.done(f"show({SECRET})", result={SECRET: [f"x{SECRET}"]}),
    ValueError(f"Bearer {SECRET}"),
    AwayError(f"Bearer {SECRET}"),
)


@pytest.mark.parametrize("says", WAYS)
async def test_a_token_that_a_device_repeats_goes_nowhere(
    says: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(TOKEN, SECRET)
    try:
        report = await Jobs({"worker_2": Echo(says)}).report(1, "worker_2", LONG, 10)
        told = json.dumps(report.data())
    except AwayError as error:
        told = str(error)
    assert SECRET not in told + caplog.text
    assert f"[{TOKEN}]" in told
    monkeypatch.setattr("cookmas.workers.carrying_out.SEAT", 0)
    here = await _Work(Echo(says), "worker_2").act(1, LONG)
    assert SECRET not in f"{here}{caplog.text}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("reddis://u:pw@h: expected", "reddis://[password]@h: expected"),
        ("postgres:pw@h/x is no URL", "postgres:[password]@h/x is no URL"),
        ("x=ftp://u:a/b:c@d@h", "x=ftp://[password]@h"),
        (
            "Redis at 127.0.0.1:6379/0 gives up, me@here",
            "Redis at 127.0.0.1:6379/0 gives up, me@here",
        ),
    ],
)
def test_a_password_in_an_address_is_hidden_although_it_is_mistyped(text: str, shown: str) -> None:
    assert hide_known(text) == shown


@pytest.mark.parametrize(
    "arguments",
    [
        ("live", "reddis://u:PASSWD@h"),
        ("resume", "reddis://u:PASSWD@h"),
        ("run", "corridor/one", "--checkpoints", "postgres:PASSWD@h/x"),
        ("run", "corridor/one", "--worker", "walker_1=ftp://u:PASSWD@h"),
        ("run", "corridor/one", "--worker", "walker_1=http://u:PASSWD@h/act"),
    ],
)
def test_no_command_repeats_a_password(arguments: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert "PASSWD" not in done.output


def test_the_address_of_a_worker_has_no_password_that_would_be_kept() -> None:
    with pytest.raises(InputError, match="without user and password; a token goes into"):
        split_workers(["a=http://u:p@h/act"])
    assert split_workers(["a=http://h/@act"]) == {"a": "http://h/@act"}


WARN = """
import asyncio, logging, os
from cookmas.commands import cli
from cookmas.display.live.serve import PageServer
from cookmas.orchestrator.models.access import api_key

def warn(**_):
    PageServer(None)
    api_key(None, "CHEAP_MODEL")
    said = os.environ["CHEAP_MODEL"]
    for name in "cookmas.orchestrator", "uvicorn.error", "robots":
        try:
            raise OSError(said)
        except OSError:
            logging.getLogger(name).exception("%s at redis://me:pw@h", said)

cli.app = warn
cli.main()
"""
"""Code of a command whose logs repeat the key of its model."""


def test_no_log_of_a_command_repeats_a_secret(tmp_path: Path) -> None:
    process = Warm[str](
        (WARN,),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "CHEAP_MODEL": SECRET},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, said = process.answered()
    assert said.count("[CHEAP_MODEL] at redis://[password]@h\nTraceback") == 3
    assert said.count("OSError: [CHEAP_MODEL]\n") == 3
    assert SECRET not in said


def test_the_key_of_a_model_is_a_secret_whatever_its_variable_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CHEAP_MODEL_OF_BOB", SECRET)
    assert api_key(None, "CHEAP_MODEL_OF_BOB") == SECRET
    assert hide_known(f"401: {SECRET}") == "401: [CHEAP_MODEL_OF_BOB]"
