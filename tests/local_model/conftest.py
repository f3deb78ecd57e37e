"""One model server for all tests, in its own process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def local_model() -> Iterator[str]:
    """Yield the URL of the small model."""
    command = [sys.executable, "-m", "cookmas.modelserver.local", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = process.stdout.readline()
        assert " answers at " in said, said
        yield said.rpartition(" ")[2].strip()
        process.terminate()
        assert process.wait(30) == 0
