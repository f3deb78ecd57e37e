"""Make the inflections of words, `worlds/restaurant/reading/words/inflections.json`.

    python -m benchmarks.inflections

They are lemminflect's inflections of the words of the lexicon and of the shipped menu's
ingredients.
"""

from __future__ import annotations

import json

from scenarios.menu import load_menu
from worlds.restaurant.reading.words import FOLDER, INFLECTIONS, lexicon_of


def inflections() -> str:
    """Return the text of the file."""
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
