"""Writing the smallest world as a new package, which the user can extend."""

from __future__ import annotations

import importlib.util
import keyword
from pathlib import Path

from cookmas.files.errors import InputError
from cookmas.files.writing import write_text

FILES = Path(__file__).parent / "files"
LIVE_FILES = Path(__file__).parent / "live"

LONGEST = 40
"""Maximum length of a world's name in characters."""


def write_world(name: str, where: Path, *, live: bool = False) -> list[Path]:
    """Write a new world into the folder `where / name`, and return its files.

    A `live` world takes messages, and has a judge and a worker of its own.

    Raise InputError if the name is not valid or taken by another package, or if the folder exists.
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
    files = LIVE_FILES if live else FILES
    for source in sorted(files.rglob("*.txt")):
        text = source.read_text(encoding="utf-8")
        for slot, value in slots.items():
            text = text.replace(slot, value)
        path = folder / source.relative_to(files).with_suffix("")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
        written.append(path)
    return written
