"""An episode as an object: what it is made of, what it refuses, and that it can run again."""

from __future__ import annotations

from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import Trace
from cookmas.files.errors import InputError
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.episode import episode_of
from cookmas.scenarios.scenario import load_scenario
from cookmas.solving.corridor.planners import EmbeddedPlanner
from cookmas.workers.protocol import ScriptedWorker
from tests.orchestrator.answering import RED, Play


def lines(trace: Trace) -> list[str]:
    return list(trace.lines())


async def test_the_same_episode_runs_again_with_the_same_trace(corridor: Play) -> None:
    for more in ({}, {"in_graph": True}):
        episode = corridor(EmbeddedPlanner(), (0, RED), **more)
        assert lines(await episode.run()) == lines(await episode.run())


def test_who_is_not_named_acts_as_assigned(corridor: Play) -> None:
    other = ScriptedWorker()
    episode = corridor(EmbeddedPlanner(), workers={"walker_2": other})
    assert list(episode.workers) == ["walker_1", "walker_2"]
    assert type(episode.workers["walker_1"]) is ScriptedWorker
    assert episode.workers["walker_2"] is other


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"thinking": "9 minutes"}, "--thinking: expected a number of tokens"),
        ({"asynchronous": ("walker_3",)}, "worker walker_3: expected one of walker_1"),
    ],
)
def test_what_an_episode_refuses_it_refuses_before_it_runs(
    corridor: Play, fields: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        corridor(EmbeddedPlanner(), **fields)


def test_known_events_are_checked_beside_another_mailbox(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario: Any = load_scenario("level1/01")
    planner: Any = cookmas.load_planner("embedded", scenario)
    monkeypatch.setattr(type(scenario), "events", lambda _: [(0, {"kind": "earthquake"})])
    with pytest.raises(InputError, match="earthquake"):
        episode_of(scenario, planner, mailbox=MemoryMailbox())
