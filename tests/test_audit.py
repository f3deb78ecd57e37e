"""`make audit` fails for a known weakness, and never passes for what it could not look up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from pydantic import ValidationError

from requirements.audit import Looked, Weakness, judge, read_accepted

AUDIT = Path(__file__).parents[1] / "requirements" / "audit.py"
WEAK = "leaky"


class _Osv(BaseHTTPRequestHandler):
    """Answers as OSV: version 1 of one package has a weakness, mended in version 2."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer: dict[str, object] = {}
        if asked["package"]["name"] == WEAK and asked["version"] == "1":
            events = [{"introduced": "0"}, {"fixed": "2"}]
            ranges = [{"type": "ECOSYSTEM", "events": events}]
            affected = [{"package": {"name": WEAK, "ecosystem": "PyPI"}, "ranges": ranges}]
            known = {"id": "GHSA-1", "aliases": ["CVE-1"], "summary": "leaks", "affected": affected}
            answer = {"vulns": [known]}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def osv() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Osv)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def _lock(folder: Path, *pins: str) -> Path:
    lock = folder / "some.lock"
    lock.write_text("".join(f"{pin} --hash=sha256:{'0' * 64}\n" for pin in pins), encoding="utf-8")
    return lock


def _accepted(folder: Path, reason: str = "What leaks is public here.") -> Path:
    file = folder / "accepted.toml"
    entry = f'[[accepted]]\nid = "CVE-1"\npackage = "{WEAK}"\nreason = "{reason}"\n'
    file.write_text(entry, encoding="utf-8")
    return file


Audit = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def audit(tmp_path: Path) -> Audit:
    """The command with a cache of its own; it returns the exit code and the printed lines."""
    caches = dict.fromkeys(("XDG_CACHE_HOME", "PIP_CACHE_DIR"), str(tmp_path / "cache"))

    def run(osv: str, *arguments: str | Path) -> tuple[int, list[str]]:
        command = [sys.executable, AUDIT, "--osv", osv, *arguments]
        env = {**os.environ, **caches}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert not done.stderr
        return done.returncode, done.stdout.splitlines()

    return run


def test_a_known_weakness_fails_and_is_named_and_one_that_is_mended_passes(
    osv: str, audit: Audit, tmp_path: Path
) -> None:
    code, lines = audit(osv, _lock(tmp_path, f"{WEAK}==1", "sound==3"))
    assert code == 1
    assert lines == [f"{WEAK} 1: CVE-1, mended in 2", "OSV was asked about 2 pinned versions"]
    accepted = ("--accepted", _accepted(tmp_path))
    code, lines = audit(osv, *accepted, _lock(tmp_path, f"{WEAK}==2"))
    gone = f"CVE-1 of {WEAK} is accepted, but not known any more"
    assert (code, lines) == (0, [gone, "OSV was asked about 1 pinned versions"])


def test_an_accepted_weakness_passes_with_a_reason(tmp_path: Path) -> None:
    known = Weakness(id="GHSA-1", aliases=["CVE-1"])
    weak = Looked(name=WEAK, version="1", vulns=[known])
    assert judge([weak], read_accepted(_accepted(tmp_path))) == (0, [])
    with pytest.raises(ValidationError, match="reason"):
        read_accepted(_accepted(tmp_path, "It is fine."))


def test_what_no_database_was_asked_about_is_no_pass(audit: Audit, tmp_path: Path) -> None:
    lock = _lock(tmp_path, f"{WEAK}==1")
    code, lines = audit("http://127.0.0.1:1", lock)
    assert code == 3
    assert len(lines) == 1
    assert lines[0].startswith("not checked, no database can be had (OSV: ")


def test_a_version_that_the_database_does_not_know_is_no_pass() -> None:

    looked = [Looked(name="sound", version="1"), Looked(name="own", skip_reason="own is unknown")]
    assert judge(looked, []) == (3, ["not checked: own is unknown"])
