"""The modules that a process has loaded after a script."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.warm import ROOT


def loaded(script: str, *names: str) -> list[str]:
    """Return which of some modules a script loads, with all its imports."""
    telling = f"import json, sys; print(json.dumps([m for m in {names} if m in sys.modules]))"
    command = [sys.executable, "-c", f"{script}; {telling}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found
