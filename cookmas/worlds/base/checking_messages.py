"""A checker of the messages that a world declares: each is filled with its examples and taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from cookmas.episodes.failure import boundary
from cookmas.episodes.messages import MessageForm
from cookmas.episodes.scenario import Scenario
from cookmas.files.errors import CookMASError, InputError
from cookmas.worlds.base.checking import WorldFault
from cookmas.worlds.base.domain import Domain


def message_faults(domain: Domain, scenario: Scenario) -> Iterator[WorldFault]:
    """Yield the faults of the messages to a scenario's world; none if it takes no messages."""
    try:
        with boundary(domain.messages):
            forms = domain.messages(scenario.world())
    except CookMASError as fault:
        yield WorldFault("the messages of the world cannot be read", str(fault))
        return
    if not forms:
        return
    for what, names in (
        ("two messages have the same name", [form.kind for form in forms]),
        ("two messages become events of the same kind", [form.event_kind for form in forms]),
    ):
        yield from (WorldFault(what, name) for name, count in Counter(names).items() if count > 1)
    for form in forms:
        yield from _check_form(form)
    try:
        with boundary(domain.messages):
            yield from _take_each(domain, scenario, forms)
    except CookMASError as fault:
        yield WorldFault("a message cannot be taken", str(fault))


def _check_form(form: MessageForm) -> Iterator[WorldFault]:
    """Yield the faults of what a message declares."""
    fields = [each.name for each in form.fields]
    if len({*fields, "kind"}) <= len(fields):
        yield WorldFault("two fields of a message have the same name, or one is 'kind'", form.kind)
    if form.creates and (not form.subject or form.subject in fields):
        yield WorldFault(
            "a message that creates something needs a subject apart from its fields", form.kind
        )
    if form.subject and not form.creates and form.subject not in fields:
        yield WorldFault("the subject of a message is not among its fields", form.kind)
    for each in form.fields:
        try:
            each.read(each.shown, f"message {form.kind!r}, {each.name}")
        except InputError as error:
            yield WorldFault("the example of a field is not accepted", str(error))


def _take_each(
    domain: Domain, scenario: Scenario, forms: Sequence[MessageForm]
) -> Iterator[WorldFault]:
    """Yield the faults that show if the world takes each message, first those that create."""
    desk, world = domain.desk(scenario), scenario.world()
    state: Any = world.start()
    events = list(scenario.events())
    for timestep, event in events:
        if timestep == 0:
            state = world.apply(state, event)[0]
    made: dict[str, str] = {}
    creating_first = sorted(forms, key=lambda each: not each.creates)
    for number, form in enumerate(creating_first, start=len(events) + 1):
        shown = {each.name: made.get(each.name, each.shown) for each in form.fields}
        try:
            event = desk.admit({"kind": form.event_kind, **shown}, number)
        except InputError as error:
            yield WorldFault("the example of a message is not accepted", str(error))
            continue
        try:
            after, ruling = world.apply(state, event)
        except InputError as error:
            if form.creates or form.subject in made:
                yield WorldFault(
                    "a message becomes an event that the world does not know", str(error)
                )
            continue
        if ruling.refused is not None or not form.creates:
            continue
        if world.count_open(after) <= world.count_open(state):
            yield WorldFault("what a message creates is not counted by count_open", form.kind)
        state, made[form.subject] = after, str(event.get(form.subject))
