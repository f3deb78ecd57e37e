"""The lines of the how-to that open and close a kitchen, run one after another in a shell."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.warm import QUICKLY, ROOT

PAGE = ROOT / "docs" / "how-to" / "open-a-kitchen.md"

WRAPPER = f"""#!{sys.executable}
import os, sys
if sys.argv[1] == "live":
    sys.argv += ["--no-open", "--port", "0"]
    open("live.pid", "w").write(str(os.getpid()))
{QUICKLY}
"""
"""`cookmas`, whose page takes a free port and can be found, to end it as Ctrl-C does."""


def test_the_shell_block_of_the_page_works_as_it_stands(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## In one shell")[2]
    block = "".join(f"{line}\n" for line in re.findall(r"^    (\S.*)$", section, re.MULTILINE)[:4])
    assert re.findall(r"cookmas (\w+)", block) == ["serve", "order", "live", "close"]
    command = tmp_path / ".venv/bin/cookmas"
    command.parent.mkdir(parents=True)
    command.write_text(WRAPPER)
    command.chmod(0o755)
    shell = subprocess.Popen(
        ["sh", "-c", block],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert shell.stdout
        said = ""
        while not (found := re.search(r"The page is at (http://\S+)", said)):
            line = shell.stdout.readline()
            assert line, (said, shell.communicate())
            said += line
        with urllib.request.urlopen(found[1].replace("?token", "health?token")) as answer:
            assert answer.status == 200
        os.kill(int((tmp_path / "live.pid").read_text()), signal.SIGTERM)
        more, errors = shell.communicate(timeout=120)
    except BaseException:
        os.killpg(shell.pid, signal.SIGKILL)
        shell.communicate()
        raise
    said += more
    assert "taken: live1\n" in said
    assert "No more messages are taken.\n" in said
    assert "closed: Nothing is left to be done." in said
    waited = [line for line in errors.splitlines() if "waiting up to" in line]
    assert len(waited) <= 1
    assert "Traceback" not in errors
