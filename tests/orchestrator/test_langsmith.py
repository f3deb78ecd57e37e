"""LangSmith gets orders, prompts and plans only if the option asks, whatever variables say."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.orchestrator.langsmith import OLD_VARIABLES
from cookmas.orchestrator.runs.folder import read_run
from tests.orchestrator.langsmith_app import ANSWER, OWN, PROMPT, SCENARIO
from tests.warm import COOKMAS, ROOT, ran

ORDER = "new_bell"
"""A word of each order of the scenario, as the graph's state holds it."""


class Endpoint(ThreadingHTTPServer):
    """A server in the place of LangSmith, with what it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[str] = []
        self.sent = ""

    def environment(self) -> dict[str, str]:
        """Return every variable by which a user sends everything here."""
        url = f"http://127.0.0.1:{self.server_port}"
        named = {"TRACING": "true", "TRACING_V2": "true", "ENDPOINT": url, "API_KEY": "key"}
        both = ("LANGSMITH", "LANGCHAIN")
        asked = {f"{each}_{name}": value for name, value in named.items() for each in both}
        del asked["LANGCHAIN_TRACING"]
        return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **asked}


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.server.sent += body.decode(errors="replace")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def do_POST(self) -> None:
        self.do_GET()

    def do_PATCH(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield server
        server.shutdown()


WAY = "import sys; from tests.orchestrator.langsmith_app import WAYS; WAYS[sys.argv[1]]()"


def play(endpoint: Endpoint, way: str) -> None:
    """Play in one of the ways of `langsmith_app`."""
    done = ran(WAY, way, env=endpoint.environment())
    assert done.returncode == 0, done.stderr


def test_variables_alone_send_nothing(endpoint: Endpoint) -> None:
    """Nor do they import anything, so the process is not a warm one."""
    command = [sys.executable, "-c", WAY, "without"]
    done = subprocess.run(
        command, env=endpoint.environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
    assert endpoint.requests == []


@pytest.mark.parametrize("name", OLD_VARIABLES)
def test_a_variable_of_a_tracer_that_is_gone_is_named_in_one_line(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(name, "true")
    done = CliRunner().invoke(app, ["run", "corridor/one", "--runs", str(tmp_path)])
    said = f"cookmas: {name}: LangChain runs no graph while this variable is set; unset it"
    assert done.exit_code == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(said)


def test_the_option_sends_the_supersteps_and_the_calls_of_a_chat_model(endpoint: Endpoint) -> None:
    play(endpoint, "with")
    for each in (ORDER, PROMPT, ANSWER, "bell blue"):
        assert each in endpoint.sent


def test_the_traced_app_of_a_user_stays_traced_without_our_runs_in_it(endpoint: Endpoint) -> None:
    play(endpoint, "in a node without")
    assert OWN in endpoint.sent
    for each in (ORDER, PROMPT, ANSWER):
        assert each not in endpoint.sent


def test_with_the_option_our_run_is_a_part_of_the_apps_run(endpoint: Endpoint) -> None:
    play(endpoint, "in a node with")
    for each in (OWN, ORDER, PROMPT, ANSWER):
        assert each in endpoint.sent
    assert len({each[:36] for each in endpoint.sent.split('"trace_id":"')[1:]}) == 1


def test_a_graph_in_a_users_app_is_traced_as_the_app_is(endpoint: Endpoint) -> None:
    play(endpoint, "embedded")
    assert ORDER in endpoint.sent


def test_the_option_of_the_command_line_lasts_for_the_run(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    arguments = ["run", SCENARIO, "--runs", str(tmp_path), "--quiet", "--langsmith"]
    assert ran(COOKMAS, *arguments, env=endpoint.environment()).returncode == 0
    assert ORDER in endpoint.sent
    assert read_run(tmp_path / "corridor-one-embedded").langsmith
