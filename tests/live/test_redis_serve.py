"""`cookmas serve --redis` from a terminal, with a server that asks for a password."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from redis import Redis
from typer.testing import CliRunner

from cookmas.client import Client
from cookmas.commands.cli import app
from cookmas.files.errors import InfrastructureError, MissingError
from tests.redis_process import RedisProcess
from tests.warm import QUICKLY, ROOT, Warm


def test_a_kitchen_behind_a_password_which_is_kept_nowhere(tmp_path: Path) -> None:
    (tmp_path / "redis").mkdir()
    server = RedisProcess(tmp_path / "redis", "--requirepass", "secret")
    address = f"unix://:secret@{server.socket}#corner"
    options = ("--redis", address, "--runs", str(tmp_path / "runs"))
    serving = Warm[bytes](
        (QUICKLY, "serve", "small", *options),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        with Client(address, "anna", patience=60) as kitchen:
            answer = None
            until = time.monotonic() + 60
            while answer is None:
                assert serving.poll() is None, serving.communicate()[0].decode()
                assert time.monotonic() < until
                try:
                    answer = kitchen.order("1 Garden Salad")
                except MissingError:
                    time.sleep(0.1)
            assert answer.about == "live1"
            line = CliRunner().invoke(app, ["guest", "add", "bert b", "--redis", address])
            assert line.output.startswith("user bert%20b on >")
            assert (
                CliRunner().invoke(app, ["guest", "add", "house", "--redis", address]).exit_code
                == 2
            )
            empty = CliRunner().invoke(app, ["quarantine", "--redis", address])
            assert empty.output == "0 in quarantine\n"
            link = Redis(unix_socket_path=str(server.socket), password="secret")
            link.xadd("cookmas:corner:in:bert%20b", {"event": b"\xff"})
            with Client(address, None) as house:
                assert house.instruct("Salad first.")
                while not house.count_quarantined():
                    assert serving.poll() is None
            shown = CliRunner().invoke(app, ["quarantine", "--redis", address, "--empty"])
            assert shown.output.startswith("1 in quarantine\nbert b, entry ")
            assert kitchen.count_quarantined() == 0
            kitchen.close()
        said, _ = serving.communicate(timeout=120)
        assert serving.returncode == 0, said.decode()
        assert b"secret" not in said
        files = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
        assert files
        assert not [path for path in files if b"secret" in path.read_bytes()]
        stranger = pytest.raises(InfrastructureError, match="does not let this user in")
        with Client(address.replace("secret", "guess"), "eve") as kitchen, stranger:
            kitchen.order("1 Garden Salad")
    finally:
        serving.kill()
        serving.communicate()
        server.kill()
