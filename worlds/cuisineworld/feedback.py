"""What the kitchen answers to a command that it does not carry out: a closed list of kinds."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """Why a command was not carried out; the first six refuse a whole list of them."""

    UNKNOWN_VERB = "unknown_verb"
    TOO_FEW_WORDS = "too_few_words"
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


class Feedback(NamedTuple):
    """One answer: its kind and whom, where and what it is about, as far as that is known."""

    kind: Kind
    agent: int | None = None
    place: str | None = None
    about: str | None = None

    @property
    def words(self) -> str:
        """The answer as a sentence."""
        return _SENTENCES[self.kind].format(
            agent=f"agent{self.agent}", place=self.place, about=self.about
        )


_SENTENCES = {
    Kind.UNKNOWN_VERB: "Nothing was done: {about!r} begins with none of the five verbs.",
    Kind.TOO_FEW_WORDS: "Nothing was done: {about!r} lacks a word.",
    Kind.TOO_MANY_WORDS: "Nothing was done: {about!r} has a word too many.",
    Kind.UNKNOWN_AGENT: "Nothing was done: {about!r} names no agent of this kitchen.",
    Kind.UNKNOWN_PLACE: "Nothing was done: {about!r} names no place of this kitchen.",
    Kind.REPEATED_AGENT: "Nothing was done: {agent} was given more than one command.",
    Kind.ELSEWHERE: "{agent} does not stand at {place}.",
    Kind.OCCUPIED: "{place} is at work and cannot be touched by {agent} yet.",
    Kind.HANDS_FULL: "{agent} has its hands full.",
    Kind.HANDS_EMPTY: "{agent} holds nothing to put into {place}.",
    Kind.NOTHING_INSIDE: "There is nothing in {place}.",
    Kind.NO_ROOM: "{place} is full.",
    Kind.NOT_TO_TAKE: "{agent} cannot take anything from {place} now.",
    Kind.NO_INGREDIENT: "Storage does not give {about!r}, only base ingredients.",
    Kind.NO_RECIPE: "No recipe of this level has {about} in {place}.",
}
