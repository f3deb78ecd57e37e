"""A process that imports all of CookMAS and plays with it stays as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.cookmas import changes
from tests.warm import ROOT


def test_neither_an_import_nor_a_run_changes_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.cookmas.changes"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["modules"] > 600
    assert (found["imported"], found["played"]) == ({}, {})


def test_changes_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    before = changes.process_state()
    monkeypatch.setenv("COOKMAS_TESTED", "1")
    assert list(changes.changed(before)) == ["environment"]
