"""Make the file of inflections, such as `chopped` for `chop`.

    python -m benchmarks.inflections

The file is `cookmas/solving/restaurant/reading/words/inflections.json`. It has lemminflect's
inflections of all words in the reader's lexicon and of the ingredients in the shipped menu.
"""

from __future__ import annotations

import json

from cookmas.scenarios.menu import load_menu
from cookmas.solving.restaurant.reading.words import FOLDER, INFLECTIONS, lexicon_of


def inflections() -> str:
    """Return the text of the file of inflections."""
    INFLECTIONS.clear()
    lexicon_of.cache_clear()
    lexicon_of(frozenset(load_menu().larder))
    rows = [
        f"{json.dumps(word)}: {json.dumps(forms)}" for word, forms in sorted(INFLECTIONS.items())
    ]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> None:
    """Write the file of inflections."""
    (FOLDER / "inflections.json").write_text(inflections(), encoding="utf-8")


if __name__ == "__main__":
    main()
