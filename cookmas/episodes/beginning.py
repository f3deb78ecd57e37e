"""The lines that a check prints for a valid scenario."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cookmas.episodes.play import Play
from cookmas.episodes.trace import AnyRecord, End

if TYPE_CHECKING:
    from cookmas.episodes.scenario import Scenario


def describe_valid(
    scenario: Scenario, facts: Iterable[str] = (), remarks: Iterable[str] = ()
) -> list[str]:
    """Return what a check says of a valid scenario: a line with its facts, and then the remarks.

    A remark names what may not be meant so. One is added if the episode ends before anyone acts.
    """
    found = [*remarks, *remarks_on_beginning(scenario)]
    first = ", ".join([*facts, "valid, but:" if found else "sound"])
    return [f"scenario {scenario.name}: {first}", *found]


def remarks_on_beginning(scenario: Scenario) -> list[str]:
    """Return that an episode ends before anyone can act, and why; nothing if it does not.

    An episode that is won there has a goal that holds at the start.
    """
    events = scenario.events()
    horizon = scenario.horizon or 1 + max((at for at, _ in events), default=0)
    records: list[AnyRecord] = []
    play = Play(scenario.world(), events, horizon, records.append)
    if play.ended is None:
        return []
    end = records[-1]
    assert isinstance(end, End)
    if end.termination == "won":
        return [f"the goal holds at the start, before anyone acts: {end.why}"]
    return [f"the episode ends before anyone acts ({end.termination}): {end.why}"]
