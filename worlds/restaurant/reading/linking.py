"""Events to events: what one leaves out and its neighbours in the text tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from worlds.restaurant.reading.values import Event


def linked(events: Sequence[Event]) -> list[Event]:
    """Events that tell by themselves what they are about, as far as the order of words says it."""
    return corrected(opened(hastened(shared(events))))


def _in_pairs(events: Sequence[Event]) -> Iterator[tuple[Event, Event | None]]:
    """Each event with the one after it in its sentence."""
    for event, after in pairwise([*events, None]):
        assert event is not None
        yield event, after if after and after.sentence == event.sentence else None


def shared(events: Sequence[Event]) -> list[Event]:
    """Give a verb the food of the verb it is joined with: `peel and chop an onion`."""
    return [
        replace(event, foods=after.foods)
        if after and not event.foods and "base" in event.cues and {"base", "and"} <= after.cues
        else event
        for event, after in _in_pairs(events)
    ]


def hastened(events: Sequence[Event]) -> list[Event]:
    """`For the last four minutes, add the peas`: minutes that are told before what comes then."""
    out: list[Event] = []
    late: Event | None = None
    for event, after in _in_pairs(events):
        if late is not None:
            event, late = replace(event, span=late.span), None
        if after and event.span and event.span.extent == "last" and not event.foods:
            late = event
        else:
            out.append(event)
    return out


def opened(events: Sequence[Event]) -> list[Event]:
    """`Build it: dough, sauce, cheese`: an assembly that is announced before its foods."""
    out: list[Event] = []
    opening = False
    for event, after in _in_pairs(events):
        if opening and event.kind == "name":
            event = replace(event, kind="join", cues=event.cues | {"build", "dish"})
        opens = after and "build" in event.cues and not event.foods and not event.others
        if not opens:
            out.append(event)
        opening = after is not None and bool(opening or opens)
    return out


def corrected(events: Sequence[Event]) -> list[Event]:
    """Mark what takes back something told: what comes after a `no`."""
    out: list[Event] = []
    denied = -9
    for event in events:
        if "no" in event.cues:
            denied = event.sentence
        if event.sentence - denied <= 1:
            event = replace(event, cues=event.cues | {"corrects"})
        out.append(event)
    return out
