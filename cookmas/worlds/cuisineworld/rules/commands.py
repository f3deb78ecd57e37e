"""Commands as texts: `goto_agent0_pot1`, `get_agent0_rice_storage0`, `noop_agent1`.

The kitchen answers a list of commands with feedback. There is a fixed set of kinds.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen


class FeedbackKind(StrEnum):
    """The kind of a feedback: why the kitchen refuses a command or a list.

    The first six refuse the whole list. `ALL_IDLE` refuses nothing; it reports that every command
    is a noop.
    """

    WORD_COUNT = "word_count"
    UNKNOWN_VERB = "unknown_verb"
    TOO_MANY_WORDS = "too_many_words"
    UNKNOWN_AGENT = "unknown_agent"
    UNKNOWN_PLACE = "unknown_place"
    REPEATED_AGENT = "repeated_agent"

    ELSEWHERE = "elsewhere"
    OCCUPIED = "occupied"
    HANDS_FULL = "hands_full"
    HANDS_EMPTY = "hands_empty"
    NOTHING_INSIDE = "nothing_inside"
    NO_ROOM = "no_room"
    NOT_TO_TAKE = "not_to_take"
    NO_INGREDIENT = "no_ingredient"
    NO_RECIPE = "no_recipe"
    NOT_A_DISH = "not_a_dish"

    ALL_IDLE = "all_idle"


class Feedback(NamedTuple):
    """One answer of the kitchen."""

    kind: FeedbackKind
    """The kind of the feedback, which decides its words."""
    agent: int | None = None
    """Number of the agent; None if the feedback is about the whole list."""
    place: str | None = None
    """Name of the place; None if the feedback is not about a place."""
    about: str | None = None
    """The item or the text of the command; None if the feedback is about neither."""

    @property
    def words(self) -> str:
        """The answer as a sentence."""
        return _SENTENCES[self.kind].format(
            agent=f"agent{self.agent}", place=self.place, about=self.about
        )


_SENTENCES = {
    FeedbackKind.WORD_COUNT: "Nothing was done: {about!r} has too few words or more than four.",
    FeedbackKind.UNKNOWN_VERB: "Nothing was done: {about!r} begins with none of the five verbs.",
    FeedbackKind.TOO_MANY_WORDS: "Nothing was done: {about!r} names an item; only get and put may.",
    FeedbackKind.UNKNOWN_AGENT: "Nothing was done: {about!r} names no agent of this kitchen.",
    FeedbackKind.UNKNOWN_PLACE: "Nothing was done: {about!r} names no place of this kitchen.",
    FeedbackKind.REPEATED_AGENT: "Nothing was done: {agent} was given more than one command.",
    FeedbackKind.ELSEWHERE: "{agent} does not stand at {place}.",
    FeedbackKind.OCCUPIED: "{place} is at work and cannot be touched by {agent} yet.",
    FeedbackKind.HANDS_FULL: "{agent} has its hands full.",
    FeedbackKind.HANDS_EMPTY: "{agent} holds nothing to put into {place}.",
    FeedbackKind.NOTHING_INSIDE: "There is nothing in {place}.",
    FeedbackKind.NO_ROOM: "{place} is full.",
    FeedbackKind.NOT_TO_TAKE: "{agent} cannot take anything from {place} now.",
    FeedbackKind.NO_INGREDIENT: "Storage does not give {about!r}, only base ingredients.",
    FeedbackKind.NO_RECIPE: "No recipe of this level has {about} in {place}.",
    FeedbackKind.NOT_A_DISH: (
        "{place} takes the dishes of this level alone; {about} is none of them."
    ),
    FeedbackKind.ALL_IDLE: "No agent did anything.",
}


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
    """Item to take; it matters only in a `get` from storage."""


def goto(agent: int, place: str) -> str:
    """Return the command to go to a place."""
    return f"goto_agent{agent}_{place}"


def get(agent: int, place: str, item: str | None = None) -> str:
    """Return the command to take an item from storage, or the product from a tool."""
    return f"get_agent{agent}_{place}" if item is None else f"get_agent{agent}_{item}_{place}"


def put(agent: int, place: str) -> str:
    """Return the command to put the held item into a place."""
    return f"put_agent{agent}_{place}"


def activate(agent: int, place: str) -> str:
    """Return the command to turn a tool on."""
    return f"activate_agent{agent}_{place}"


def noop(agent: int) -> str:
    """Return the command to do nothing."""
    return f"noop_agent{agent}"


def read(kitchen: CuisineKitchen, texts: Sequence[str]) -> tuple[AgentCommand, ...] | Feedback:
    """Return the commands in a list of texts, or the feedback that refuses the whole list.

    If the list has several faults, the feedback is about the first one in this order:

    1. a text that cannot be read as a command, or a place that the kitchen does not have, in the
       order of the list;
    2. a second command for one agent;
    3. a fault that stops the program of MindAgent: the number of an agent that the kitchen does not
       have, or a command of two words whose verb needs a place.
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
    """Return the number in a word that names an agent; None if the word has no number.

    `agent0` and `0` both give 0. Negative numbers count from the last agent.
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
    """The fault that stops the program of MindAgent; None if there is none."""


@lru_cache(maxsize=4096)
def _read(text: str, agents: int) -> _Found | Feedback:
    """Return the command in a text, or its first fault. The place is not checked yet."""
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
