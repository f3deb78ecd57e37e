"""The planner's reader: recipe English to components, customers' words to customizations.

A recipe passes through stages, each a function of plain values that can be printed and tested
alone: `text` (sentences), `times` and `marking` (what each word is), `clauses` (told, denied or
only remarked), `events` (a small closed set), `story` (the graph of foods), `ending` (components)
and `doubting` (what is left unexplained). `reader` puts them together and, where something is
left unexplained, tries a clause the other way. The words are data, in `words/`.
"""

from __future__ import annotations

from worlds.restaurant.reading.reader import Larder, Reading, read_note, read_recipe
from worlds.restaurant.reading.values import Doubt, ReadStep, Words

__all__ = ["Doubt", "Larder", "ReadStep", "Reading", "Words", "read_note", "read_recipe"]
