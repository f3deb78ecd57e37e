"""The planner's reader: from recipes to components, from customers' notes to customizations.

A recipe passes through stages. Each is a function of plain values that can be printed and tested
alone: `marking` and `times` (sentences, and the kind of each word), `clauses` (statements, denials,
remarks), `events` (events of a few fixed kinds), `recipe_events` and `cooking` (the `discourse`, a
graph of foods, and its components) and `doubting` (diagnostics). `reader` combines them, and gives
events what their neighbours say. `notes` leads from a note to customizations. The vocabulary is
data, in `words/`.
"""

from __future__ import annotations

from cookmas.solving.restaurant.reading.reader import Larder, Reading, read_note, read_recipe
from cookmas.solving.restaurant.reading.values import Doubt, ReadStep, Words

__all__ = ["Doubt", "Larder", "ReadStep", "Reading", "Words", "read_note", "read_recipe"]
