"""Make the inflections of words, `worlds/restaurant/reading/words/inflections.json`.

    python -m benchmarks.inflections

What lemminflect says of the words of the lexicon with the ingredients of the shipped menu.
"""

from __future__ import annotations

import json

from scenarios.menu import load_menu
from worlds.restaurant.reading.words import FOLDER, INFLECTIONS, lexicon_of


def inflections() -> str:
    """The text of the file."""
    INFLECTIONS.clear()
    lexicon_of.cache_clear()
    lexicon_of(frozenset(load_menu().larder))
    rows = [
        f"{json.dumps(word)}: {json.dumps(forms)}" for word, forms in sorted(INFLECTIONS.items())
    ]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> None:
    """Write the file."""
    (FOLDER / "inflections.json").write_text(inflections(), encoding="utf-8")


if __name__ == "__main__":
    main()
