"""A certificate that is not trusted here: nothing is scored, and the same command goes on."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from cookmas.modelserver import wire
from cookmas.modelserver.answers import Scripted
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.scripts import Scripts
from cookmas.world_names import WORLDS
from tests.tls import self_signed
from tests.warm import COOKMAS, ran


class Endpoint(NamedTuple):
    url: str
    certificate: Path


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Endpoint]:
    """The scripted model behind HTTPS with a certificate of its own."""
    certificate, key = self_signed(tmp_path / "tls")
    pool = ThreadPoolExecutor(max_workers=1)
    scripted = Scripted(Scripts(WORLDS), Faults(), pool)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = asyncio.run(scripted.answer(body, wire.request_digest(body)))
            raw = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Endpoint(f"https://127.0.0.1:{server.server_address[1]}/v1", certificate)
    server.shutdown()
    server.server_close()
    pool.shutdown()


def cookmas(
    folder: Path, *arguments: object, certificate: Path | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SSL_CERT")}
    environment["COOKMAS_API_KEY"] = "sk-marker-cert1f1cate"
    if certificate:
        environment["SSL_CERT_FILE"] = str(certificate)
    return ran(COOKMAS, *map(str, arguments), cwd=folder, env=environment)


def sweep(jobs: int, endpoint: Endpoint, tmp_path: Path) -> tuple[object, ...]:
    """Let a sweep stop at once; return the command."""
    suite = {
        "title": "t",
        "scenarios": ["corridor/one", "corridor/two"],
        "arms": [{"planner": "llm", "model": {"model": "scripted", "base_url": endpoint.url}}],
    }
    (tmp_path / "suite.yaml").write_text(json.dumps(suite))
    command = ("bench", "suite.yaml", "--jobs", jobs)
    stopped = cookmas(tmp_path, *command)
    assert stopped.returncode == 2
    (line,) = [line for line in stopped.stderr.splitlines() if line.startswith("cookmas: ")]
    assert line.startswith("cookmas: SSL_CERT_FILE: this machine does not trust the certificate of")
    assert "Traceback" not in stopped.stderr
    results = tmp_path / "sweeps" / "suite" / "results.jsonl"
    assert not results.exists() or not results.read_text()
    return command


def test_a_sweep_stops_at_once_from_a_process_of_its_pool(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    sweep(2, endpoint, tmp_path)


def test_a_sweep_stops_at_once_and_the_same_command_plays_it(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    command = sweep(1, endpoint, tmp_path)
    wrong = cookmas(tmp_path, *command, certificate=self_signed(tmp_path / "other")[0])
    assert wrong.returncode == 2
    assert f"{tmp_path / 'other' / 'certificate.pem'} does not vouch for" in wrong.stderr
    played = cookmas(tmp_path, *command, certificate=endpoint.certificate)
    assert played.returncode == 0, played.stderr
    results = (tmp_path / "sweeps" / "suite" / "results.jsonl").read_text()
    assert len(results.splitlines()) == 2


def test_a_run_stops_without_an_end_and_is_resumed(endpoint: Endpoint, tmp_path: Path) -> None:
    options = ("--planner", "llm", "--model", "scripted", "--base-url", endpoint.url)
    stopped = cookmas(tmp_path, "run", "corridor/one", *options)
    assert stopped.returncode == 2
    assert "SSL_CERT_FILE: this machine does not trust" in stopped.stderr
    (folder,) = (tmp_path / "runs").iterdir()
    assert f"resume runs/{folder.name}' continues it" in stopped.stderr
    assert '"kind":"end"' not in (folder / "trace.jsonl").read_text()
    done = cookmas(tmp_path, "resume", folder, certificate=endpoint.certificate)
    assert done.returncode == 0, done.stderr
    assert '"termination":"finished"' in (folder / "trace.jsonl").read_text()
