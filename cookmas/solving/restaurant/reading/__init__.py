"""The planner's reader: from recipes to components, from customers' notes to customizations.

A recipe passes through stages. Each is a function of plain values that can be printed and tested
alone: `text` (sentences), `times` and `marking` (the kind of each word), `clauses` (statements,
denials, remarks), `frames` and `events` (events of a few fixed kinds), `interpreting` and `cooking`
(the `discourse`, a graph of foods), `result` (components), `counting` (numbers that nothing uses)
and `doubting` (diagnostics). `reader` combines them, and gives events what their neighbours say. A
note passes through `cues` (phrases) and `notes` (customizations). The vocabulary is data, in
`words/`.
"""

from __future__ import annotations

from cookmas.solving.restaurant.reading.reader import Larder, Reading, read_note, read_recipe
from cookmas.solving.restaurant.reading.values import Doubt, ReadStep, Words

__all__ = ["Doubt", "Larder", "ReadStep", "Reading", "Words", "read_note", "read_recipe"]
