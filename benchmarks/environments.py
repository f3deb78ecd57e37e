"""Python environments of their own for packages that CookMAS cannot be installed beside."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def prepare_python(environment: Path, install: Sequence[str]) -> Path:
    """Return the Python of an environment; make the environment if it is missing.

    `install` has the arguments with which pip installs its packages.
    """
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *install], check=True)
    return python
