"""Answers made beforehand: a file of them, by the digest of the request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from files.errors import InputError
from modelserver.faults import Faults


class Kept:
    """Keeps answers in a file, so that a request that has come before costs nothing.

    The first line says with which faults they were made; each other line is one answer. An empty
    file is a new one. Raises InputError if the file is none, or was made with other faults.
    """

    def __init__(self, path: Path, faults: Faults) -> None:
        self._answers: dict[str, dict[str, Any]] = {}
        if path.exists() and not path.is_file():
            raise InputError(str(path), "is no file that answers can be kept in")
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
                    raise InputError(f"{path}, line {number}", "is no answer of ours") from None
        if first != made_with:
            raise InputError(str(path), f"was made with {first}, not with {made_with}")

    def get(self, digest: str) -> dict[str, Any] | None:
        """The answer to a request, if it is there."""
        return self._answers.get(digest)

    def add(self, digest: str, answer: dict[str, Any]) -> None:
        """Keep one more answer."""
        self._answers[digest] = answer
        line = json.dumps({"request": digest, "answer": answer}, ensure_ascii=False)
        self._file.write(line + "\n")
        self._file.flush()
