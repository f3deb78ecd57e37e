"""Print the LangGraph requirements to install: python -m tests.versions.bounds oldest|newest

The oldest versions are the lower bounds in pyproject.toml; pip chooses the newest.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def bounds(which: str) -> list[str]:
    """Return the requirements of LangGraph and its savers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    found = [each for each in named if each.startswith("langgraph")]
    return (
        [re.sub(r">=([^,]+),.*", r"==\1", each) for each in found] if which == "oldest" else found
    )


if __name__ == "__main__":
    print(" ".join(bounds(sys.argv[1])))
