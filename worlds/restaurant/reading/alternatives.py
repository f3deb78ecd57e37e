"""Where a recipe can be read in several ways: the way that leaves the fewest loose ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

Choice = tuple[str, int, int, int]
"""A place where a text can be read in several ways: its kind, sentence, clause and position."""

KINDS = ("who", "remark", "skip")
"""What a verb is done to, whether a remark counts, whether a clause is mere talk; in this order."""

ROUNDS = 4
READINGS = 90
"""How many readings of one text are tried at most."""


@dataclass(slots=True)
class Choices:
    """What is chosen where the text leaves a choice; by default always the first, the likeliest."""

    made: Mapping[Choice, int] = field(default_factory=dict)
    met: dict[Choice, int] = field(default_factory=dict)

    def choose(self, choice: Choice, count: int) -> int:
        """Which of `count` ways is taken here."""
        self.met[choice] = count
        return min(self.made.get(choice, 0), count - 1)


class Told(Protocol):
    """A reading that can be compared with others."""

    @property
    def looseness(self) -> int:
        """How much it leaves unexplained."""

    @property
    def suspects(self) -> frozenset[int]:
        """The sentences that it may have misread."""

    @property
    def choices(self) -> Choices:
        """Where it could have been read otherwise."""


AnyTold = TypeVar("AnyTold", bound=Told)


def most_plausible(tell: Callable[[Choices], AnyTold], readings: int = READINGS) -> AnyTold:
    """The best reading that a few single changes of mind lead to, from the likeliest one on."""
    best = tell(Choices())
    for _ in range(ROUNDS):
        made, met = best.choices.made, best.choices.met
        before = best
        for choice, count in sorted(met.items(), key=lambda found: _doubt(found[0], before)):
            for way in range(count):
                if best.looseness == 0 or readings == 0:
                    return best
                if way == made.get(choice, 0):
                    continue
                readings -= 1
                other = tell(Choices({**made, choice: way}))
                if other.looseness < best.looseness:
                    best = other
        if best is before:
            break
    return best


def _doubt(choice: Choice, told: Told) -> tuple[int, int]:
    """How early to think again about a choice: first near what was probably misread."""
    kind, sentence, _, _ = choice
    distance = min((abs(sentence - suspect) for suspect in told.suspects), default=0)
    return distance, KINDS.index(kind)
