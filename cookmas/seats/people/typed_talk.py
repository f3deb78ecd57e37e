"""Talk at a terminal: what a person is told of it, and how a line is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cookmas.seats.people.talk import Talk
from cookmas.worlds.base.viewing import speak_name

NOTHING_SAID: Mapping[str, Any] = {"say": "", "end": True}
"""The answer of a person who says nothing."""

FORMS = "forms"
"""The line that shows the forms of actions."""

_SAY, _END = "say", "end"


def read_words(line: str) -> Mapping[str, Any] | None:
    """Return the answer that a line stands for; None if the line does not speak.

    `say WORDS` waits for an answer; `end WORDS` ends the talk, and so does `end` alone.
    """
    command, _, words = line.partition(" ")
    if command == _END or (command == _SAY and words.strip()):
        return {"say": words.strip(), "end": command == _END}
    return None


def describe_decided(talk: Talk) -> Iterator[str]:
    """Yield a line for each agent that has decided on actions already."""
    for agent, actions in talk.decided.items():
        yield f"{speak_name(agent)} has decided on {'; '.join(actions)}."


def describe_talk(talk: Talk) -> str:
    """Return what a person can write in order to speak."""
    told = "You are spoken to. " if talk.addressed else ""
    left = "for the last time at this timestep" if talk.left == 1 else f"{talk.left} times"
    return (
        f"{told}'say WORDS' speaks ({left}), 'end WORDS' speaks and ends the talk. "
        f"request('ACTION') asks for an action; '{FORMS}' shows the forms of actions."
    )
