"""Failures by worker and action, and how long work and planning lasted, as metrics."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from cookmas.display.live.metrics import metrics_text
from cookmas.orchestrator.observers.figures import BOUNDS, Durations, Figures, verb_of
from cookmas.status import FIGURES, Status
from tests.workers.test_heard import play_jam

EMPTY: dict[str, Any] = {
    "state": "acting",
    "alive": True,
    **dict.fromkeys(("heartbeat_seconds", "ended", "timestep", "waiting", "oldest_seconds")),
    **dict.fromkeys(("quarantined", "call_seconds", "world")),
    **dict.fromkeys(("reached", "lost", "open", "taken", "late_seconds", *FIGURES), 0),
    "away": {},
}


def samples_of(**found: Any) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Return the samples of a status with these fields, as a receiver reads them."""
    text = metrics_text(Status(**{**EMPTY, **found}))
    return {
        (each.name, frozenset(each.labels.items())): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
    }


async def test_failures_and_durations_are_counted_by_worker_and_action() -> None:
    trace, planner = await play_jam()
    ticks = count()
    figures = Figures(clock=lambda: float(next(ticks)))
    for record in trace.records:
        figures.note(record, None)
    data = figures.data()
    assert data["fails_by_worker"] == {"left": {"incubate": 1, "stir": 1}}
    assert sum(data["fails_by_worker"]["left"].values()) == data["fails"]
    assert sum(data["job_durations"]["incubate"]["counts"]) == 2
    assert sum(data["plan_durations"]["counts"]) == len(planner.seen) == data["plans"]
    found = samples_of(episode="e1", world_name="incubator", **data)
    fails = {frozenset({("worker", "left"), ("action", name)}) for name in ("incubate", "stir")}
    assert {labels for name, labels in found if name == "cookmas_worker_fails_total"} == fails
    jobs = frozenset({("action", "incubate")})
    assert found["cookmas_job_seconds_count", jobs] == 2
    assert found["cookmas_job_seconds_sum", jobs] == data["job_durations"]["incubate"]["seconds"]
    assert found["cookmas_plan_seconds_count", frozenset()] == len(planner.seen)
    named = frozenset({("episode", "e1"), ("world", "incubator")})
    assert found["cookmas_episode_info", named] == 1


@pytest.mark.parametrize("seconds", [0.0, *BOUNDS, 1e9])
def test_a_part_of_a_histogram_counts_what_is_at_most_its_bound(seconds: float) -> None:
    durations = Durations()
    durations.add(seconds)
    found = samples_of(plan_durations=vars(durations), message_waits=vars(durations))
    for name in ("cookmas_plan_seconds_bucket", "cookmas_message_wait_seconds_bucket"):
        for bound in BOUNDS:
            labels = frozenset({("le", f"{bound:g}")})
            assert found[name, labels] == (seconds <= bound)
        assert found[name, frozenset({("le", "+Inf")})] == 1


def test_before_anything_is_published_all_counts_are_0() -> None:
    found = samples_of()
    assert found["cookmas_plan_seconds_count", frozenset()] == 0
    assert not [name for name, _ in found if name == "cookmas_episode_info"]


@pytest.mark.parametrize(
    ("action", "verb"),
    [("print(job1)", "print"), ("wait", "wait"), ("move to a", "move"), ("", "nothing")],
)
def test_figures_and_spans_name_the_verb_of_an_action(action: str, verb: str) -> None:
    assert verb_of(action) == verb
    assert len(verb_of("x" * 1000)) == 60
