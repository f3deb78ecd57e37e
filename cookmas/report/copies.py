"""Copies: repeats of a scenario that are the same byte for byte, and say nothing new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cookmas.report.results import Played


def marked(played: Sequence[Played]) -> list[Played]:
    """Return the episodes of an arm, those that are copies marked as such.

    There are none where two repeats differ that were drawn alike: then something else is left to
    chance, such as a model's answers, and repeats that are equal are so by chance.
    """
    if any(map(_differ, _by_case(played))):
        return list(played)
    seen: set[tuple[str, str]] = set()
    found: list[Played] = []
    for each in played:
        key = (each.case, each.digest or "")
        found.append(replace(each, copy=each.digest is not None and key in seen))
        seen.add(key)
    return found


def counted_once(played: Sequence[Played]) -> list[Played]:
    """Return what enters the figures of an arm: no copies where every repeat of it is one.

    Where some cases have copies and others have none, a case keeps its weight in the means, so that
    arms are compared with the same weights.
    """
    first = [each for each in played if not each.copy]
    return first if len(first) == len({each.case for each in played}) else list(played)


def told(played: Sequence[Played]) -> str | None:
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


def _by_case(played: Sequence[Played]) -> list[list[Played]]:
    cases: dict[str, list[Played]] = {}
    for each in played:
        cases.setdefault(each.case, []).append(each)
    return list(cases.values())


def _differ(repeats: Sequence[Played]) -> bool:
    """Whether repeats differ between which nothing was drawn anew."""
    return len({each.digest for each in repeats if not each.drawn}) > 1
