"""The folders with the code of CookMAS."""

from __future__ import annotations

LINKED = ("evals", "kitchen", "orchestrator", "scenarios", "workers")
"""The folders at the top to which `cookmas` has links."""

CODE = ("cookmas", *LINKED)
"""All folders, each of which `rglob` searches without following links."""
