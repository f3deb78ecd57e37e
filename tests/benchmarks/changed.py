"""Recordings with a step that was changed."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any


def change_step(folder: Path, archive: Path, name: str, step: int, **fields: Any) -> str:
    """Write a recording of an archive as a file of its own, with some fields of a step replaced.

    Return the path of the file.
    """
    with tarfile.open(archive, "r:xz") as opened:
        member = opened.extractfile(name)
        assert member is not None
        lines = [json.loads(line) for line in member.read().decode().splitlines()]
    lines[step] |= fields
    path = folder / name
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)
