"""Modified traces with a valid chain, so that only their content is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cookmas.episodes.trace import Chain, split_line


def rechained(lines: Iterable[str]) -> list[str]:
    """Return the lines of a trace with a valid chain."""
    chain = Chain()
    return [chain.close(split_line(line)[0]) for line in lines]


def write_trace(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
