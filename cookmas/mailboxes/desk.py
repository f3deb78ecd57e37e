"""The desk of a world: the ingress adapter that checks messages to an open episode.

A letter is a message that the episode has taken, with a permanent number. A world whose messages
are declared needs no desk of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from cookmas.episodes.base import World
from cookmas.episodes.messages import MessageForm, Numbered, parse_name
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.trace import AnyRecord
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.mailboxes.protocol import MOST_LETTERS, May

NO_MESSAGES = "this world takes no messages but instructions"

Created = Mapping[str, int]
"""For each beginning of names, the number of the last thing that a message created under it."""


class Origin(NamedTuple):
    """The origin of a thing in the world: a message that created it, or the scenario."""

    name: str
    """Name of the thing."""
    word: str
    """The world's word for it: the field of events that names it, such as `order`."""
    numbered: Numbered | None = None
    """The parts of the name that its message was given; None if the scenario created the thing."""


Since = Callable[[Origin], Iterator[AnyRecord]]
"""A function that yields the records of the trace, from the event that created a thing on."""


class Desk:
    """The adapter that turns messages of senders into events of the world.

    By default it goes by the messages that the world declares. `known` are the things that the
    scenario creates, as `list_known_things` returns them.
    """

    def __init__(self, world: World, known: Mapping[str, str] = MappingProxyType({})) -> None:
        self._world = world
        self._known = known
        self._forms = {form.event_kind: form.in_world(self._world) for form in self._world.messages}

    def admit(self, event: Json, created: Created) -> dict[str, Any]:
        """Return a sender's event with values of the types that its message declares.

        A thing that the message creates gets its name here, with the next number after those that
        are `created`. Raise InputError, in one sentence, if no sender may send the event.
        """
        given = dict(event)
        form = self._forms.get(str(given.pop("kind", None)))
        if form is None:
            kind = str(event.get("kind"))
            near = suggest_name(kind, self._forms)
            known = f"expected one of {', '.join(self._forms)}, not {kind[:60]!r}{near}"
            raise InputError("message", known if self._forms else NO_MESSAGES)
        admitted = form.fill(named=given)
        if form.creates:
            admitted[form.subject] = self.name_next(form, created)
        return admitted

    def name_next(self, form: MessageForm, created: Created) -> str:
        """Return the name of the next thing that a message creates: no thing of the scenario's."""
        number = created.get(form.creates, 0) + 1
        while (name := f"{form.creates}{number}") in self._known:
            number += 1
        return name

    def is_for_house(self, event: Json) -> bool:
        """Return whether only the house may send an event of this kind: its message says so."""
        form = self._forms.get(str(event.get("kind")))
        return form is not None and form.house_only

    def room(self, state: Any) -> May:
        """Return a function that decides whether a world in this state has room for another event.

        The function counts the events that it has accepted.
        If `most_open` or more things are open, events that create more wait; other events never
        wait. If fewer are open, the function takes events until there are `MOST_LETTERS` things
        beyond that limit. Without this surplus, the planner would be called after each closed
        thing.
        """
        most = self._world.most_open
        taken = self._world.count_open(state)
        most = 0 if taken >= most else most + MOST_LETTERS

        def may(event: Json) -> bool:
            nonlocal taken
            more = self.count_created(event)
            if more and taken >= most:
                return False
            taken += more
            return True

        return may

    def count_created(self, event: Json) -> int:
        """Return how many things an event creates that has not been admitted yet."""
        form = self._forms.get(str(event.get("kind")))
        return int(form is not None and bool(form.creates))

    def recall(self, event: Json, state: Any, since: Since) -> str | None:
        """Return why an admitted event is rejected, if its subject has left the state.

        The subject, such as an order, is looked up in the records that `since` yields. Return None
        if the subject is still in the state or never existed. By default the world itself says why
        it rejects an event.
        """
        return None

    def origin(self, event: Json) -> Origin | None:
        """Return the thing that an event is about, which a message or the scenario created.

        Returns None for an event that creates the thing, and for a thing that neither the scenario
        nor a message can have created.
        """
        name = self.name_thing(event)
        if name is None:
            return None
        if name in self._known:
            return Origin(name, self._known[name])
        numbered = parse_name(self._world.messages, name)
        if numbered is None:
            return None
        words = {form.creates: form.subject for form in self._world.messages}
        return Origin(name, words[numbered.beginning], numbered)

    def name_thing(self, event: Json) -> str | None:
        """Return the name of the thing that an admitted event changes; None if it creates one."""
        form = self._forms.get(str(event.get("kind")))
        return None if form is None or form.creates else self.name_subject(event)

    def name_subject(self, event: Json) -> str | None:
        """Return the name of the thing that an admitted event creates or is about."""
        form = self._forms.get(str(event.get("kind")))
        return event.get(form.subject) if form else None


def list_known_things(scenario: Scenario) -> dict[str, str]:
    """Return the names of the things that a scenario's events create, with the word for each."""
    subjects = {form.event_kind: form.subject for form in scenario.world().messages if form.creates}
    words = ((event, subjects.get(event["kind"], "")) for _, event in scenario.events())
    return {event[word]: word for event, word in words if isinstance(event.get(word), str)}
