"""Links between events: missing parts of an event are taken from its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cookmas.worlds.restaurant.reading.values import Event, Span


def link(events: Sequence[Event]) -> list[Event]:
    """Return the events, completed with times, foods and corrections from their neighbours."""
    out: list[Event] = []
    late: Span | None = None
    building, denied = False, -9
    events = _share_foods(events)
    for event, after in zip(events, [*events, None][1:], strict=True):
        soon = after if after and after.sentence == event.sentence else None
        denied = event.sentence if event.has("no") else denied
        if event.sentence - denied <= 1:
            event = event.with_cues("corrects")
        if late is not None:
            event, late = replace(event, span=late), None
        if soon and event.span and event.span.extent == "last" and not event.foods:
            late = event.span  # `for the last four minutes, add the peas`
            continue
        if building and event.kind == "name":
            event = replace(event, kind="join").with_cues("build", "dish")
        announced = soon and event.has("build") and not event.foods and not event.others
        building = soon is not None and bool(building or announced)
        if not announced:  # `build it: dough, sauce, cheese`
            out.append(event)
    return out


def _share_foods(events: Sequence[Event]) -> list[Event]:
    """In a series of verbs, give each verb the foods of the last verb.

    For example, in `peel, slice and boil the carrots` all three verbs get the carrots.
    """
    out: list[Event] = []
    shared = False
    for event in reversed(events):
        soon = out[-1] if out and out[-1].sentence == event.sentence else None
        both = soon and event.has("base") and soon.has("base")
        row = soon and both and (shared or soon.has("and"))
        shared = bool(row and not event.foods)
        out.append(replace(event, foods=soon.foods) if soon and shared else event)
    return out[::-1]
