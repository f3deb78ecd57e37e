"""Feedback: the kitchen's answers to a list of commands. There is a fixed set of kinds."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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
