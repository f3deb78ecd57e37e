"""Copies: repeats of a scenario whose traces are identical, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Repeat(Protocol):
    """A judged episode.

    `digest` identifies its trace. `drawn` is True if its scenario draws something by the seed.
    `copy` is True if its trace is identical to that of an earlier repeat.
    """

    @property
    def case(self) -> str: ...  # noqa: D102
    @property
    def digest(self) -> str | None: ...  # noqa: D102
    @property
    def drawn(self) -> bool: ...  # noqa: D102
    @property
    def copy(self) -> bool: ...  # noqa: D102


Played = TypeVar("Played", bound=Repeat)


def mark_copies(played: Sequence[Repeat]) -> list[bool]:
    """Return for each episode of an arm whether it is a copy of an earlier one.

    If two repeats differ although their scenario draws nothing, something else is random, such as a
    model's answers. Then equal repeats are equal by chance, and no episode counts as a copy.
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


def drop_copies(played: Sequence[Played]) -> list[Played]:
    """Return the episodes that enter an arm's figures.

    A case is a scenario with its settings. If each case has only one episode that is not a copy,
    only these episodes enter. Otherwise all episodes enter, so that every case keeps its weight in
    the means, and arms are compared with the same weights.
    """
    first = [each for each in played if not each.copy]
    return first if len(first) == len({each.case for each in played}) else list(played)


def describe_copies(played: Sequence[Repeat]) -> str | None:
    """Return a sentence that names the copies among the episodes of an arm; None if it has none."""
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
    """Return whether repeats of a case differ although their scenario draws nothing."""
    return len({each.digest for each in repeats if not each.drawn}) > 1
