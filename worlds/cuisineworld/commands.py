"""Commands as texts: `goto_agent0_pot1`, `get_agent0_rice_storage0`, `noop_agent1`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from worlds.cuisineworld.feedback import Feedback, FeedbackKind
from worlds.cuisineworld.kitchen import CuisineKitchen

VERBS = ("goto", "get", "put", "activate", "noop")


class AgentCommand(NamedTuple):
    """A command for one agent."""

    verb: str
    """One of `VERBS`."""
    agent: int
    """Number of the agent."""
    place: str | None = None
    """Name of the place; None for a noop."""
    item: str | None = None
    """Item to take; it counts only in a get from storage."""


def goto(agent: int, place: str) -> str:
    """Return the text of going to a place."""
    return f"goto_agent{agent}_{place}"


def get(agent: int, place: str, item: str | None = None) -> str:
    """Return the text of taking an item from storage, or the product from a tool."""
    return f"get_agent{agent}_{place}" if item is None else f"get_agent{agent}_{item}_{place}"


def put(agent: int, place: str) -> str:
    """Return the text of putting the held item into a place."""
    return f"put_agent{agent}_{place}"


def activate(agent: int, place: str) -> str:
    """Return the text of turning a tool on."""
    return f"activate_agent{agent}_{place}"


def noop(agent: int) -> str:
    """Return the text of doing nothing."""
    return f"noop_agent{agent}"


def read(kitchen: CuisineKitchen, texts: Sequence[str]) -> tuple[AgentCommand, ...] | Feedback:
    """Return the commands of a list, or the feedback with which the whole list is refused.

    The first fault decides. The commands are checked in their order. Then the list is checked for
    an agent that is named twice. Last come the faults that stop the original: the number of an
    agent that the kitchen does not have, and two words with a verb that needs a place.
    """
    commands: dict[int, AgentCommand] = {}
    repeated = last = None
    for text in texts:
        found = _read(text, kitchen.agents)
        if isinstance(found, Feedback):
            return found
        number, command, stops = found
        place = command.place
        if place is not None and place not in kitchen.places:
            return Feedback(FeedbackKind.UNKNOWN_PLACE, place=place, about=text)
        if number in commands:
            repeated = Feedback(FeedbackKind.REPEATED_AGENT, number)
        last = last or stops
        commands[number] = command
    return repeated or last or tuple(commands.values())


def read_agent(word: str) -> int | None:
    """Return the number of the agent that a word names; negative numbers count from the last agent.

    `agent0` and `0` name the same agent. Return None for a word without a number.
    """
    try:
        return int(word.replace("agent", ""))
    except ValueError:
        return None


class _Found(NamedTuple):
    """A command that was read from a text."""

    number: int
    """The number by which the text names the agent; it may be negative or too large."""
    command: AgentCommand
    """The command, with the agent's number within the kitchen."""
    stops: Feedback | None
    """The fault that stops the original; None if there is none."""


@lru_cache(maxsize=4096)
def _read(text: str, agents: int) -> _Found | Feedback:
    """Return the command of a text, or its first fault; the place is not checked."""
    words = text.split("_")
    if not 2 <= len(words) <= 4:
        return Feedback(FeedbackKind.WORD_COUNT, about=text)
    verb, name, *rest = words
    if verb not in VERBS:
        return Feedback(FeedbackKind.UNKNOWN_VERB, about=text)
    number = read_agent(name)
    if number is None:
        return Feedback(FeedbackKind.UNKNOWN_AGENT, about=text)
    if len(rest) == 2 and verb not in ("get", "put"):
        return Feedback(FeedbackKind.TOO_MANY_WORDS, about=text)
    stops = None
    if not -agents <= number < agents:
        stops = Feedback(FeedbackKind.UNKNOWN_AGENT, about=text)
    elif not rest and verb != "noop":
        stops = Feedback(FeedbackKind.WORD_COUNT, about=text)
    place, item = rest[-1] if rest else None, rest[0] if len(rest) == 2 else None
    return _Found(number, AgentCommand(verb, number % agents, place, item), stops)
