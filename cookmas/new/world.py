"""The smallest world, written down as a package of a person's own."""

from __future__ import annotations

import importlib.util
import keyword
from pathlib import Path

from files.errors import InputError
from files.writing import write_text

FILES = Path(__file__).parent / "files"

LONGEST = 40
"""Characters of a world's name."""


def write_world(name: str, where: Path) -> list[Path]:
    """Write a world of this name into a folder of its name, which lies in `where`.

    Return its files. Raise InputError for a name that no package can have here.
    """
    folder = where / name
    lower = name.isidentifier() and name.isascii() and name == name.lower()
    if not lower or keyword.iskeyword(name) or len(name) > LONGEST:
        raise InputError(
            name[:LONGEST],
            f"expected a name of 1 to {LONGEST} lower-case letters, digits and _, such as my_world",
        )
    if folder.exists():
        raise InputError(str(folder), "is there already")
    if importlib.util.find_spec(name) is not None:
        raise InputError(name, "is the name of a package that is installed; choose another one")
    slots = {"{{name}}": name, "{{Name}}": "".join(map(str.capitalize, name.split("_")))}
    written = []
    for source in sorted(FILES.rglob("*.txt")):
        text = source.read_text(encoding="utf-8")
        for slot, value in slots.items():
            text = text.replace(slot, value)
        path = folder / source.relative_to(FILES).with_suffix("")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
        written.append(path)
    return written
