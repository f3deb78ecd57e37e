"""Questions about a state whose answers a world computes.

A world brings a `Questioner`. It sees a state as one seat observes it, and nothing else, so two
states that the seat cannot tell apart have the same questions and answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

from cookmas.episodes.base import overrides

Kind = Literal["comprehension", "mind", "planning"]
"""The kind of a question: about the surroundings, a partner's mind, or the best plan of a team."""

KINDS: Sequence[Kind] = ("comprehension", "mind", "planning")

DISTRACTORS = 4
"""Greatest number of illegal actions among the options of a question about legal ones."""

GUESSES = 3
"""Of this many options at most one is right on average, so that few answers are guessed."""

EQUAL = 1e-9
"""Difference below which two values are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with options, of which at least one is right and at least one is not."""

    kind: Kind
    about: str
    """A word for what is asked, such as `distance`; a world asks several things of a kind."""
    text: str
    options: Sequence[str]
    """The options, each once."""
    right: Sequence[str]
    proof: Mapping[str, str]
    """Why each option is right or wrong, such as its value or the path."""
    actions: bool = False
    """True if the options are the legal actions of a worker; a form can add the illegal ones."""
    depth: int = 1
    """Number of timesteps that one has to look ahead."""
    margin: float | None = None
    """The difference between the values of right and wrong options; None without values."""
    bare: bool = False
    """True if the state is told without what follows from it, since that is what is asked."""

    def is_guessed(self, options: Sequence[str]) -> bool:
        """Return whether too many options are right: of those shown, or half of the question's."""
        right = len(self.right)
        return GUESSES * right > len(options) or 2 * right > len(self.options)


VIEW = "view of"
"""How the word begins for what is asked if a question takes another seat's view."""

_VIEWED = "{other} is asked: {text} What is {other}'s right answer?"


class Questioner:
    """The questions of a world; by default which action is legal."""

    kinds: Sequence[Kind] = ("comprehension", "mind")
    """The kinds that a world has; by default not planning, which needs a search."""
    players: Sequence[str] = ("random",)
    """The planners of seats whose play leads to the states that are asked about."""
    episodes: int = 1
    """Least number of episodes of a place that they play."""

    def ask(
        self, world: Any, observed: Any, seat: str, kind: Kind, draw: Random
    ) -> Iterator[Question]:
        """Yield the questions of a kind about a state as a seat observes it."""
        if kind == "comprehension":
            yield from self._ask_legal(world, observed, seat, draw)

    def list_actions(self, world: Any, observed: Any) -> Sequence[str]:
        """Return actions of the world, whether they are legal or not: options that can be wrong.

        By default all, or those that some worker can do if the world does not list its actions.
        """
        every: Sequence[str] | None = world.every_action()
        if every is not None:
            return every
        return [action for other in world.workers for action in world.legal(observed, other)]

    def sort_key(self, kind: Kind, right: str) -> str:
        """Return a word for the sort of a right option; empty if its sort does not matter.

        In a suite no more than half of the keys of a kind are of one sort.
        """
        return ""

    def narrate(self, world: Any, observed: Any, seat: str, *, bare: bool) -> Sequence[str]:
        """Return the state of a question in words: by default those of the world.

        `bare` is as in the question.
        """
        lines: Sequence[str] = world.narrate(observed, seat)
        return lines

    def view_of(self, world: Any, observed: Any, seat: str, other: str) -> Any | None:
        """Return what another seat sees, as far as `seat` knows it; None if `seat` does not.

        By default it is what `seat` sees if the world hides nothing.
        """
        hides = overrides(world, "view_for") or overrides(world, "observe")
        return None if hides else observed

    # The machinery.

    def ask_all(
        self, world: Any, observed: Any, seat: str, kind: Kind, draw: Random
    ) -> Iterator[Question]:
        """Yield the questions of a kind, and those about the mind also from the other seats' view.

        The latter ask what another seat would answer, which has a view and reach of its own.
        """
        yield from self.ask(world, observed, seat, kind, draw)
        if kind != "mind":
            return
        for other in world.workers:
            if other == seat:
                continue
            view = self.view_of(world, observed, seat, other)
            if view is None:
                continue
            for question in self.ask(world, view, other, "comprehension", draw):
                if other in question.text:
                    yield replace(
                        question,
                        kind="mind",
                        about=f"{VIEW} {question.about}",
                        text=_VIEWED.format(other=other, text=question.text),
                    )

    def _ask_legal(self, world: Any, observed: Any, seat: str, draw: Random) -> Iterator[Question]:
        """Yield the question which of some actions a seat can do now, if enough others are not."""
        legal = list(world.legal(observed, seat))
        wrong = sorted({*self.list_actions(world, observed)}.difference(legal))
        if not legal or len(wrong) < GUESSES - 1:
            return
        right = draw.choice(legal)
        options = [*draw.sample(wrong, min(DISTRACTORS, len(wrong))), right]
        yield Question(
            kind="comprehension",
            about="legal",
            text=f"Which of these actions can {seat} do now?",
            options=sorted(options),
            right=[right],
            proof={each: "legal" if each == right else "not legal" for each in options},
        )


def ask_fact(
    about: str,
    text: str,
    options: Sequence[str],
    right: Sequence[str],
    proof: str,
    *,
    depth: int = 1,
    bare: bool = False,
) -> Iterator[Question]:
    """Yield a question about the surroundings that one fact answers, which is the proof."""
    yield Question(
        kind="comprehension",
        about=about,
        text=text,
        options=options,
        right=right,
        proof=dict.fromkeys(options, proof),
        depth=depth,
        bare=bare,
    )


def ask_missing(
    text: str, missing: Collection[str], options: Sequence[str], proof: str
) -> Iterator[Question]:
    """Yield the question what is still missing, unless it is nothing or every option."""
    if 0 < len(missing) < len(options):
        yield from ask_fact("missing", text, options, sorted(missing), proof)


def ask_partner(
    about: str, text: str, legal: Sequence[str], taken: Sequence[str], yes: str, no: str
) -> Iterator[Question]:
    """Yield the question which of the legal actions a partner takes.

    There is none if it cannot do so now, or has no choice. `yes` and `no` are the proofs of actions
    that it takes and of others.
    """
    if len(taken) < len(legal) and set(taken) <= set(legal):
        yield Question(
            kind="mind",
            about=about,
            text=text,
            options=legal,
            right=taken,
            proof={each: yes if each in taken else no for each in legal},
            actions=True,
        )


def ask_earliest(
    text: str, legal: Sequence[str], right: Sequence[str], timesteps: int, end: str
) -> Iterator[Question]:
    """Yield the question with which of the legal actions an end is reached earliest, unless with
    all of them.

    It is reached after `timesteps`, and `end` says what it is, such as "delivered".
    """
    if len(right) < len(legal):
        yield Question(
            kind="planning",
            about="best action",
            text=text,
            options=legal,
            right=right,
            proof={
                x: f"{end} after {timesteps} timesteps" if x in right else "later" for x in legal
            },
            actions=True,
            depth=timesteps,
            margin=1.0,
        )


QUESTIONER = Questioner()


def choose_best(values: Mapping[str, float]) -> tuple[list[str], float | None]:
    """Return the options with the best value, and by how much they are better than the others.

    The second value is None if all are equally good; then they make no question.
    """
    best = max(values.values())
    right = [option for option, value in values.items() if value > best - EQUAL]
    others = [value for value in values.values() if value <= best - EQUAL]
    return right, best - max(others) if others else None
