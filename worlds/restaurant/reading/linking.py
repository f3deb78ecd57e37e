"""Events to events: what one leaves out and its neighbours in the text tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worlds.restaurant.reading.events import shared
from worlds.restaurant.reading.values import Event


def linked(events: Sequence[Event]) -> list[Event]:
    """Events that tell by themselves what they are about, as far as the order of words says it."""
    return corrected(opened(hastened(shared(events))))


def hastened(events: Sequence[Event]) -> list[Event]:
    """`For the last four minutes, add the peas`: minutes that are told before what comes then."""
    out: list[Event] = []
    late: Event | None = None
    for at, event in enumerate(events):
        here = [later for later in events[at + 1 :] if later.sentence == event.sentence]
        if late is not None and event.kind in ("add", "heat") and "attribute" not in event.cues:
            if event.sentence == late.sentence and event.span is None:
                event = replace(event, span=late.span)
            late = None
        last = event.span is not None and event.span.extent == "last"
        bare = event.kind in ("time", "name") and not event.foods
        if last and bare and any(later.kind in ("add", "heat", "work") for later in here):
            late = event
        else:
            out.append(event)
    return out


def opened(events: Sequence[Event]) -> list[Event]:
    """`Build it: dough, sauce, cheese`: an assembly that is announced before its foods."""
    out: list[Event] = []
    opening: Event | None = None
    for at, event in enumerate(events):
        soon = next((later for later in events[at + 1 :] if "attribute" not in later.cues), None)
        if opening is not None and event.sentence != opening.sentence:
            opening = None
        if opening is not None and event.kind == "name" and event.foods:
            event = replace(event, kind="join", cues=event.cues | {"build", "dish"})
        here = soon is not None and soon.sentence == event.sentence
        bare = event.kind == "join" and "build" in event.cues
        if bare and not event.foods and not event.others and here and soon and soon.kind == "name":
            opening = event
        else:
            out.append(event)
    return out


def corrected(events: Sequence[Event]) -> list[Event]:
    """Mark what takes back something told: after a `no`, or told by another voice."""
    out: list[Event] = []
    denied = redirected = -9
    told: Event | None = None
    for event in events:
        if "no" in event.cues:
            denied = event.sentence
        if any(cue.startswith("jump") for cue in event.cues):
            redirected = event.sentence
        since = event.sentence - denied
        back = 0 <= since <= (2 if redirected == denied else 1)
        if back or (told is not None and event.speaker != told.speaker):
            cues = {"corrects", "redirected"} if redirected == denied and back else {"corrects"}
            event = replace(event, cues=event.cues | cues)
        if event.span is not None or event.level or event.kind == "work":
            told = event
        out.append(event)
    return out
