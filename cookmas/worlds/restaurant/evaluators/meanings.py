"""The meanings of customers' words, as the senders of orders to an open kitchen state them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cookmas.episodes.trace import EventRecord, Trace
from cookmas.files.errors import CookMASError
from cookmas.kitchen.customizations import Customization
from cookmas.scenarios.truth.truth import ScenarioTruth, read_wishes

Meanings = Mapping[int, Mapping[str, Any]]
"""The wishes that senders state as plain data, by the number of the letter in the mailbox.

Within a letter, the key is the number of the order line as text, such as `"1"`.
"""


def with_meanings(truth: ScenarioTruth, trace: Trace, meanings: Meanings) -> ScenarioTruth:
    """Return the truth with the meanings that the senders stated.

    A meaning that cannot be read is left out, so the wishes of its line are unscored.
    """
    notes = dict(truth.notes)
    for record in trace.of(EventRecord):
        if record.number in meanings and not record.refused:
            notes |= dict(_notes(record.event, meanings[record.number]))
    return replace(truth, notes=notes)


def _notes(
    event: Mapping[str, Any], meaning: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, str], tuple[Customization, ...]]]:
    for number, line in enumerate(event.get("lines", [event]), start=1):
        name = event.get("line") or f"{event.get('order')}.{number}"
        try:
            wishes = read_wishes(meaning[str(number)])
        except (KeyError, CookMASError):
            continue
        yield (name, line.get("note", "")), wishes
