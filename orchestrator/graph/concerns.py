"""Whom of a team something concerns: who is asked at a timestep, and what each is told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from episodes.engine import Fails
from episodes.world import Trigger
from orchestrator.graph.state import fails_data, fails_of, trigger_data, trigger_of

MOST_UNTOLD = 16
"""Triggers that are kept for an agent until it is its move; the oldest goes first."""

Untold = Mapping[str, Mapping[str, Any]]
"""By agent the `triggers` and `fails` that it is still to be told, as the state holds them."""


def concerns(trigger: Trigger, agent: str) -> bool:
    """Whether an agent of a team is told a trigger."""
    return trigger.to is None or agent in trigger.to


def visible(fails: Fails, agent: str) -> Fails:
    """The FAILs that an agent of a team is told: its own, and those it witnesses."""
    return {
        worker: fail
        for worker, fail in fails.items()
        if worker == agent or agent in fail[1].witnesses
    }


def asked_of(
    members: Iterable[str],
    movers: Collection[str],
    triggers: Sequence[Trigger],
    untold: Untold,
    stepwise: Collection[str] = (),
) -> list[str]:
    """Those agents whose move it is, and whom something concerns or who need no trigger."""
    return [
        name
        for name in members
        if name in movers
        and (
            name in stepwise
            or name in untold
            or any(concerns(trigger, name) for trigger in triggers)
        )
    ]


def still_untold(
    members: Iterable[str],
    asked: Collection[str],
    triggers: Sequence[Trigger],
    fails: Fails,
    untold: Untold,
) -> dict[str, dict[str, Any]]:
    """What those agents are told later that are not asked now."""
    later = {name: dict(told) for name, told in untold.items()}
    for name in members:
        mine = [trigger_data(trigger) for trigger in triggers if concerns(trigger, name)]
        if name in asked or not mine:
            continue
        before = later.get(name, {"triggers": [], "fails": {}})
        later[name] = {
            "triggers": [*before["triggers"], *mine][-MOST_UNTOLD:],
            "fails": {**before["fails"], **fails_data(visible(fails, name))},
        }
    return later


def told(
    agent: str, triggers: Sequence[Trigger], fails: Fails, untold: Untold
) -> tuple[tuple[Trigger, ...], Fails]:
    """What an agent is told when it is asked: what concerns it since it was asked last."""
    before = untold.get(agent, {"triggers": [], "fails": {}})
    mine = [trigger for trigger in triggers if concerns(trigger, agent)]
    return (
        (*map(trigger_of, before["triggers"]), *mine),
        {**fails_of(before["fails"]), **visible(fails, agent)},
    )
