"""The desk of a world whose messages are declared: it needs no code of the world's own."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.world import Json
from cookmas.files.errors import InputError
from cookmas.files.wording import suggest_name
from cookmas.mailboxes.desk import Origin, Since
from cookmas.mailboxes.protocol import MOST_LETTERS, May

NO_MESSAGES = "this world takes no messages but instructions"

_NUMBER = "([1-9][0-9]{0,14})"
"""The number of a letter, at the end of the name of a thing that it created."""


class PlainDesk:
    """The ingress adapter of a world, by the world's declared messages.

    `known` has the names of the things that the scenario creates.
    """

    def __init__(self, world: World, known: Collection[str] = ()) -> None:
        self._world = world
        self._known = frozenset(known)
        self._forms = {form.event_kind: form.in_world(self._world) for form in self._world.messages}

    def admit(self, event: Json, number: int) -> dict[str, Any]:
        """Return a sender's event with values of the types that its message declares.

        A thing that the message creates gets its name here, from the `number` of the letter. Raises
        InputError.
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
            admitted[form.subject] = f"{form.creates}{number}"
        return admitted

    def is_for_house(self, event: Json) -> bool:
        """Return whether the message that becomes this event is declared for the house alone."""
        form = self._forms.get(str(event.get("kind")))
        return form is not None and form.house_only

    def room(self, state: Any) -> May:
        """Return a function that decides whether the world takes an event now.

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
        """Return None: the world itself says why it rejects an event."""
        return None

    def origin(self, event: Json) -> Origin | None:
        """Return the thing that an event is about, with the number of the letter that created it.

        The number is 0 for a thing of the scenario. Returns None for an event that creates the
        thing, and for a thing that neither the scenario nor a message can have created.
        """
        name = self.name_thing(event)
        if name is None:
            return None
        if name in self._known:
            return Origin(name, 0)
        for form in self._forms.values():
            match = re.fullmatch(re.escape(form.creates) + _NUMBER, name) if form.creates else None
            if match:
                return Origin(name, int(match[1]))
        return None

    def name_thing(self, event: Json) -> str | None:
        """Return the name of the thing that an admitted event changes; None if it creates one."""
        form = self._forms.get(str(event.get("kind")))
        return None if form is None or form.creates else self.name_subject(event)

    def name_subject(self, event: Json) -> str | None:
        """Return the name of the thing that an admitted event creates or is about."""
        form = self._forms.get(str(event.get("kind")))
        return event.get(form.subject) if form else None


def list_known_things(scenario: Scenario) -> frozenset[str]:
    """Return the names of the things that the events of a scenario create."""
    subjects = {form.event_kind: form.subject for form in scenario.world().messages if form.creates}
    named = (event.get(subjects.get(event["kind"], "")) for _, event in scenario.events())
    return frozenset(name for name in named if isinstance(name, str))
