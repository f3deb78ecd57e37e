"""Worlds of a person's own that fail: each ends in one line, whatever it does to the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cookmas.files.errors import InputError
from cookmas.worlds.base.loading import load_domain
from tests.warm import COOKMAS, ROOT, Warm

QUICKLY = f"from cookmas.worlds.base import loading\nloading.LONGEST_IMPORT = 0.5\n{COOKMAS}"
MEMBERS = """
import sys
class D:
    name = "mine"
    planners = {}
    judging = True
    rebuild = world = print
    def names(self, group=None):
        return [group]
"""
WORLD = f"""{MEMBERS}    def scenario(self, name, settings):
"""


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("import os; os._exit(0)", "world 'mine:D': its process ended with exit code 0"),
        ("import os; os.kill(os.getpid(), 9)", "world 'mine:D': its process was killed by SIGKILL"),
        ("while True: pass", "world 'mine:D': TimeLimitError: no answer within 0.5 s at mine.py:1"),
        ("import sys; sys.exit(0)", "SystemExit: 0 at mine.py:1"),
        ("class D:\n def __init__(self): raise ValueError('no')", "ValueError: no at mine.py:2"),
        (f"{WORLD}        raise KeyError(name)", "KeyError: 'one' at mine.py:11"),
        (f"{WORLD}        sys.exit(0)", "SystemExit: 0 at mine.py:11"),
    ],
)
def test_a_world_that_fails_ends_in_one_line(tmp_path: Path, module: str, said: str) -> None:
    (tmp_path / "mine.py").write_text(module)
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = Warm[str](
        (QUICKLY, "run", "one", "--world", "mine:D"),
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    out, errors = done.answered()
    assert done.returncode == 1
    assert errors.startswith(f"cookmas: {said}"), errors
    assert errors.count("\n") == 1
    assert out == ""


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("class D:\n name = 'd'", "it has no planners, names, scenario, rebuild, world, judging"),
        (MEMBERS, "it has no scenario"),
        (f"{MEMBERS}    scenario = 1", "it has no scenario"),
        (f"{MEMBERS}    scenario = print\n    name = 5", "its name is not a text"),
    ],
)
def test_what_is_no_domain_is_told_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, said: str
) -> None:
    (tmp_path / "lacking.py").write_text(module)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match=f"world 'lacking:D': is not a domain: {said}$"):
        load_domain("lacking:D")
    del sys.modules["lacking"]
