"""The page of modules: each file of the house with the first sentence that it says of itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

HEAD = """# Modules

Each file of the house, by room, with the sentence that it begins with. `python docs/generate.py`
writes this page.
"""


def modules_page() -> str:
    """Return the page; a room has a table of its files."""
    rooms: dict[str, list[str]] = {}
    for path in sorted(_list_files()):
        room = path.parent.as_posix()
        rooms.setdefault(room, []).append(f"| `{path.name}` | {_first_sentence(path)} |")
    tables = [
        f"\n## {room}\n\n| file | what it has |\n|---|---|\n" + "\n".join(rows) + "\n"
        for room, rows in rooms.items()
    ]
    return HEAD + "".join(tables)


def _list_files() -> Iterator[Path]:
    for room in ("cookmas", "evals", "kitchen", "orchestrator", "scenarios", "workers"):
        for path in (ROOT / room).rglob("*.py"):
            if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))):
                yield path.relative_to(ROOT)


def _first_sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse((ROOT / path).read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")
