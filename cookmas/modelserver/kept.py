"""Recorded answers: a file that stores answers by the digest of their request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cookmas.files.errors import InputError
from cookmas.modelserver.faults import Faults


class AnswerFile:
    """A file of answers, so that a repeated request needs no computation.

    The first line records the faults with which the answers were made; each other line is one
    answer. If the file is missing or empty, the constructor writes the first line. It raises
    InputError if the file is not such a file, or was made with other faults.
    """

    def __init__(self, path: Path, faults: Faults) -> None:
        self._answers: dict[str, dict[str, Any]] = {}
        if path.exists() and not path.is_file():
            raise InputError(str(path), "is not a regular file; name a file for the answers")
        made_with = {"seed": faults.seed, "rates": dict(sorted(faults.rates.items()))}
        if path.exists() and path.stat().st_size:
            self._read(path, made_with)
        else:
            path.write_text(json.dumps(made_with) + "\n", encoding="utf-8")
        self._file = path.open("a", encoding="utf-8", newline="\n")

    def _read(self, path: Path, made_with: dict[str, Any]) -> None:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    raise InputError(f"{path}, line {number}", "breaks off; delete this line")
                try:
                    data = json.loads(line.decode())
                    if number == 1:
                        first = data
                    else:
                        self._answers[str(data["request"])] = dict(data["answer"])
                except (ValueError, KeyError, TypeError, RecursionError):
                    raise InputError(
                        f"{path}, line {number}", "is not a recorded answer; delete this line"
                    ) from None
        if first != made_with:
            raise InputError(str(path), f"was made with {first}, not with {made_with}")

    def get(self, digest: str) -> dict[str, Any] | None:
        """Return the recorded answer to the request with this digest; None if there is none."""
        return self._answers.get(digest)

    def add(self, digest: str, answer: dict[str, Any]) -> None:
        """Record the answer to the request with this digest."""
        self._answers[digest] = answer
        line = json.dumps({"request": digest, "answer": answer}, ensure_ascii=False)
        self._file.write(line + "\n")
        self._file.flush()
