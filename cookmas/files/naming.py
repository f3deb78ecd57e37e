"""Names that users give: of a file, of code to import, of something known; and misspelt ones."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

SUITE = ".jsonl"
"""The ending of a file of several scenarios, which are named after it, as in `mine.jsonl/first`."""


def is_yaml(name: str | Path) -> bool:
    """Return whether a name or a path is that of a YAML file: its ending says so."""
    return Path(name).name.endswith((".yaml", ".yml"))


def is_code(name: str) -> bool:
    """Return whether a name is that of code, as `package.module:Class`, and not that of a file."""
    return ":" in name and not is_yaml(name)


def is_in_suite(name: str) -> bool:
    """Return whether a name is that of one scenario inside a suite file: `mine.jsonl/first`."""
    return Path(name).parent.suffix == SUITE and not is_yaml(name)


def is_in_file(name: str) -> bool:
    """Return whether a name is that of a file of scenarios, or of a scenario in one."""
    return is_yaml(name) or is_in_suite(name) or Path(name).suffix in (SUITE, ".layout")


def make_absolute(name: str) -> str:
    """Return a name; if it is in a file, return the path that leads to it from every folder."""
    return str(Path(name).resolve()) if is_in_file(name) else name


def suggest_name(name: str, known: Iterable[str]) -> str:
    """Return a question about the known name that a wrong one is most like; empty if none is.

    It follows what was said of the name: `there is no such field; is it 'horizon'?`
    """
    import difflib

    by_folded = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(name.casefold(), by_folded, 1)
    return f"; is it {by_folded[near[0]]!r}?" if near else ""
