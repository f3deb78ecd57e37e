"""Find a file of the house by words.

    .venv/bin/python docs/modules.py WORD...

prints each file whose name or sentence has these words, with the sentence that it begins with.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("cookmas", "evals", "kitchen", "orchestrator", "scenarios", "workers")


def list_files() -> Iterator[tuple[Path, str]]:
    """Yield each file of the house that has a docstring, with its first sentence."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            begun = re.match(r'(?:#.*\n)*r?""".*?"""', path.read_text(encoding="utf-8"), re.DOTALL)
            if begun and (text := ast.get_docstring(ast.parse(begun[0]))):
                yield path.relative_to(ROOT), " ".join(text.split("\n\n")[0].split())


def find_files(*words: str) -> Iterator[str]:
    """Yield a line for each file whose name or sentence has all of some words."""
    for path, sentence in list_files():
        line = f"{path}: {sentence}"
        if all(word.casefold() in line.casefold() for word in words):
            yield line


if __name__ == "__main__":
    print(*find_files(*sys.argv[1:]), sep="\n")
