"""Compare the keys of questions with a second computation.

    python -m benchmarks.questions.beside

It draws STATES states out of play and asks all questions about them from a drawn seat, except those
about planning that need a search on drawn deals or of a certain width. Then it asks for the best
action in all states of the small worlds. It prints a row for each world and word: the questions,
those that were tried again, and those that agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from benchmarks.questions.again import compute_again
from benchmarks.questions.small import compare_small, list_small_worlds
from cookmas.commands.ask import PLACES
from cookmas.studies.questions.making import play_states
from cookmas.world_names import domain_of
from cookmas.worlds.base.questions import KINDS, Question

STATES = 500
SEED = 47
SEARCHED = ("overcooked", "hanabi")
"""The worlds whose planning is searched on drawn deals or with a certain width."""


def ask_drawn(
    places: Sequence[str], states: int, seed: int
) -> Iterator[tuple[Any, Any, str, Question]]:
    """Yield questions about drawn states: the world, what a seat sees, the seat, the question."""
    draw = Random(seed)
    for number, place in enumerate(places):
        some = list(play_states(place, seed))
        count = states // len(places) + (number < states % len(places))
        for _ in range(count):
            played = draw.choice(some)
            world, seat = played.world, draw.choice(list(played.world.workers))
            observed = world.observe(played.state, seat)
            questioner = domain_of(place.partition("/")[0]).questioner
            for kind in KINDS:
                if kind == "planning" and world.name in SEARCHED:
                    continue
                own = Random(draw.randrange(2**31))
                for question in questioner.ask_all(world, observed, seat, kind, own):
                    yield world, observed, seat, question


def main() -> None:
    """Print the table."""
    asked, tried, agree = (Counter[tuple[str, str]]() for _ in range(3))

    def compare(name: str, question: Question, again: set[str] | None) -> None:
        row = (name, question.about)
        asked[row] += 1
        if again is not None:
            tried[row] += 1
            agree[row] += again == set(question.right)
            if again != set(question.right):
                print("differs:", *row, question.text, list(question.right), sorted(again))

    for world, observed, seat, question in ask_drawn(PLACES, STATES, SEED):
        compare(world.name, question, compute_again(world, observed, seat, question))
    for small in list_small_worlds():
        for question, best in compare_small(small):
            compare(f"all states of {small.name}", question, best)
    print("world", "about", "questions", "tried again", "agree", sep="\t")
    for row in sorted(asked):
        print(*row, asked[row], tried[row], agree[row], sep="\t")
    print("all", "", asked.total(), tried.total(), agree.total(), sep="\t")


if __name__ == "__main__":
    main()
