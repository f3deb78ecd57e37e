"""Traces that somebody has meddled with, chained anew so that only what they say is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from episodes.chain import Chain, split_line


def rechained(lines: Iterable[str]) -> list[str]:
    """The lines of a trace with a chain that holds."""
    chain = Chain()
    return [chain.close(split_line(line)[0]) for line in lines]


def write_trace(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
