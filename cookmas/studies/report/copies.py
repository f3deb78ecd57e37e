"""Copies: repeats of a scenario that are the same byte for byte, and say nothing new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Repeat(Protocol):
    """A judged episode: `digest` identifies its trace, `drawn` says that its seed draws in it."""

    @property
    def case(self) -> str: ...  # noqa: D102
    @property
    def digest(self) -> str | None: ...  # noqa: D102
    @property
    def drawn(self) -> bool: ...  # noqa: D102
    @property
    def copy(self) -> bool: ...  # noqa: D102


Played = TypeVar("Played", bound=Repeat)


def copied(played: Sequence[Repeat]) -> list[bool]:
    """Return of each episode of an arm whether it is a copy of one before it.

    There are none where two repeats differ that were drawn alike: then something else is left to
    chance, such as a model's answers, and repeats that are equal are so by chance.
    """
    if any(map(_differ, _by_case(played))):
        return [False] * len(played)
    seen: set[tuple[str, str]] = set()
    found: list[bool] = []
    for each in played:
        key = (each.case, each.digest or "")
        found.append(each.digest is not None and key in seen)
        seen.add(key)
    return found


def counted_once(played: Sequence[Played]) -> list[Played]:
    """Return what enters the figures of an arm: no copies where every repeat of it is one.

    Where some cases have copies and others have none, a case keeps its weight in the means, so that
    arms are compared with the same weights.
    """
    first = [each for each in played if not each.copy]
    return first if len(first) == len({each.case for each in played}) else list(played)


def told(played: Sequence[Repeat]) -> str | None:
    """Name the copies among the episodes of an arm in a sentence; None without any."""
    copies = [each for each in played if each.copy]
    if not copies:
        return None
    cases = list(dict.fromkeys(each.case for each in copies))
    named = ", ".join(cases[:3]) + (f" and {len(cases) - 3} more" if len(cases) > 3 else "")
    return (
        f"{len(copies)} of {len(played)} episodes are copies of another repeat, byte for byte, "
        f"and are not counted: {named}"
    )


def _by_case(played: Sequence[Repeat]) -> list[list[Repeat]]:
    cases: dict[str, list[Repeat]] = {}
    for each in played:
        cases.setdefault(each.case, []).append(each)
    return list(cases.values())


def _differ(repeats: Sequence[Repeat]) -> bool:
    """Whether repeats differ between which nothing was drawn anew."""
    return len({each.digest for each in repeats if not each.drawn}) > 1
