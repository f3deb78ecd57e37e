"""The check of a scenario's beginning: whether there is anything to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cookmas.episodes.play import Play
from cookmas.episodes.trace import AnyRecord, End

if TYPE_CHECKING:
    from cookmas.episodes.scenario import Scenario


def remarks_on_beginning(scenario: Scenario, horizon: int) -> list[str]:
    """Return that an episode ends before anyone can act, and why; nothing if it does not.

    An episode that is won there has a goal that holds at the start.
    """
    records: list[AnyRecord] = []
    play = Play(scenario.world(), scenario.events(), horizon, records.append)
    if play.ended is None:
        return []
    end = records[-1]
    assert isinstance(end, End)
    if end.termination == "won":
        return [f"the goal holds at the start, before anyone acts: {end.why}"]
    return [f"the episode ends before anyone acts ({end.termination}): {end.why}"]
