"""What is empty in a prompt: a section, an announcement, or a block."""

from __future__ import annotations

import re
from itertools import pairwise

_EMPTY_BLOCK = re.compile(r'^(#+ .*)\n+```json\s+(?:\{\s*\}|\[\s*\]|null|"")\s+```', re.MULTILINE)

_BLOCK = re.compile(r"^#+ .*\n+```json", re.MULTILINE)


def list_empty_sections(prompt: str) -> list[str]:
    """Return the lines of a prompt after which something has to follow, and nothing does.

    These are a heading before another one that is not below it, a line that ends with a colon
    before a heading, either of them at the end, and the heading of a block without entries. The
    heading of a block does not end what stands before it.
    """
    lines = [line.strip() for line in _BLOCK.sub("```json", prompt).splitlines() if line.strip()]
    empty = [
        line
        for line, following in pairwise([*lines, "#"])
        if (level := _level_of(following)) and (line.endswith(":") or level <= _level_of(line))
    ]
    return [*empty, *_EMPTY_BLOCK.findall(prompt)]


def _level_of(line: str) -> int:
    """Return the level of a heading; 0 for any other line."""
    return len(line) - len(line.lstrip("#"))
