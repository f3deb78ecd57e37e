"""The verdict on an episode: the score and its bound, orders that nobody could complete, expiry."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import cookmas
from cookmas.display.page.feed import verdict_entry
from cookmas.episodes.trace import EventRecord
from cookmas.evals.report import verdict_report
from cookmas.evals.verdict import EPISODE, Goal, Judged, Verdict
from cookmas.solving.cuisineworld.quickest import find_quickest
from cookmas.worlds.base.tables import table_of_goals
from cookmas.worlds.cuisineworld.rules.book import build_kitchen
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, play, start
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, CuisineKitchen, Order
from tests.sampling import sampled

FRYERS = "level_12_with_fryers"
IMPOSSIBLE = "nobody could complete it"


def judged(level: str, planner: str = "embedded", **settings: str) -> Verdict:
    verdict = cookmas.play(f"cuisineworld/{level}", planner, settings=settings).verdict
    assert verdict is not None
    return verdict


def came_at(goal: Goal) -> int:
    return int(goal.note.split()[2].rstrip(";"))


def expires(goal: Goal, kitchen: CuisineKitchen) -> int:
    """Return the timestep in which the engine lets an order fail that nobody serves."""
    task = CuisineTask(kitchen=kitchen, stream=())
    order = Order(kitchen.lifetimes[goal.what], goal.what)
    state = start(task)._replace(orders=(order,))
    while not state.failed:
        state, _ = play(task, state, ["noop_agent0"])
    return came_at(goal) + state.timestep - 1


@pytest.mark.parametrize(
    ("level", "agents", "tau"),
    sampled(
        [(FRYERS, 2, "1.0"), ("level_0", 1, "1.0"), ("level_12", 3, "2.0"), ("level_1", 2, "1.5")],
        2,
    ),
)
def test_the_headline_is_of_one_measure(level: str, agents: int, tau: str) -> None:
    kitchen = build_kitchen(level, tau, agents)
    for planner in ("embedded", "greedy", "random"):
        verdict = judged(level, planner, agents=str(agents), tau=tau)
        status = [goal.status for goal in verdict.goals]
        completed, failed = status.count("completed"), status.count("failed")
        assert verdict.score == completed - failed
        must_end = sum(expires(goal, kitchen) < STEPS for goal in verdict.goals)
        assert completed + failed >= must_end
        (rate,) = verdict.of("optimality_rate")
        most = int(rate.reason.rpartition(" ")[2])
        lost = sum(IMPOSSIBLE in goal.note for goal in verdict.goals)
        best = max(
            done - gone
            for done in range(most + 1)
            for gone in range(len(status) + 1)
            if done + gone >= must_end and gone >= lost
        )
        assert verdict.best_score == best >= verdict.score
        assert verdict.outcome.endswith(f"score {completed - failed} of {best}")
        assert f"{completed} of at most {most} orders completed, {failed} failed" in verdict.why


def test_an_expired_order_has_the_timestep_of_its_expiry() -> None:
    run, kitchen = cookmas.play(f"cuisineworld/{FRYERS}"), build_kitchen(FRYERS, "1.0", 2)
    verdict = run.verdict
    assert verdict
    failed = [goal for goal in verdict.goals if goal.status == "failed"]
    assert failed[0].when == 12
    assert [goal.when for goal in failed] == [expires(goal, kitchen) for goal in failed]
    entry = verdict_entry(Judged(path=Path(), trace=run.trace, verdict=verdict))
    assert [goal["at"] for goal in entry["goals"]] == [goal.when for goal in verdict.goals]


@pytest.mark.parametrize(
    ("level", "agents"), sampled([(FRYERS, 2), ("level_2", 2), ("level_0", 1)], 2)
)
def test_what_is_called_impossible_no_search_completes(level: str, agents: int) -> None:
    kitchen = build_kitchen(level, "1.0", agents)
    empty = start(CuisineTask(kitchen=kitchen, stream=()))
    quickest: dict[str, int] = {}
    for goal in judged(level, "noop", agents=str(agents)).goals:
        if goal.what not in quickest:
            found = find_quickest(kitchen, empty, goal.what, 0, 100_000)
            assert found is not None
            quickest[goal.what] = found[1]
        assert IMPOSSIBLE not in goal.note or quickest[goal.what] > expires(goal, kitchen)


def test_an_order_that_nobody_could_complete_fails_no_episode_and_is_named() -> None:
    verdict = judged("level_12", agents="3", tau="2.0")
    (fries,) = (goal for goal in verdict.goals if goal.status == "failed")
    assert fries.note.endswith("nobody could complete it: the kitchen has no tool for it")
    assert verdict.success is True
    assert verdict.why.endswith("nobody could complete order 5")
    assert judged("level_12", "noop", agents="3", tau="2.0").success is False


def test_an_order_that_fails_beside_it_fails_the_episode() -> None:
    verdict = judged(FRYERS)
    assert verdict.success is False
    assert verdict.why.endswith("nobody could complete order 1")
    console = Console(width=100, file=StringIO())
    console.print(verdict_report(verdict, (), table_of_goals))
    assert isinstance(console.file, StringIO)
    shown = " ".join(console.file.getvalue().replace("│", " ").split())
    assert "nobody could complete order 1" in shown
    assert "it takes at least 16 timesteps" in " ".join(goal.note for goal in verdict.goals)
    assert "failed 12" in shown.replace("  ", " ")


@pytest.mark.parametrize("planner", sampled(["greedy", "embedded"], 2))
def test_the_counts_of_orders_are_those_of_the_trace(planner: str) -> None:
    """They are counted again in the states; an order for a dish on the table is completed."""
    run = cookmas.play("cuisineworld/level_1", planner)
    assert run.verdict
    ordered = [str(record.event["dish"]) for record in run.trace.of(EventRecord)]
    final = list(cookmas.replay(run.trace))[-1].after
    moments = {
        frame.timestep
        for frame in cookmas.replay(run.trace)
        if len(frame.after.failed) > len(frame.before.failed)
    }
    numbers = {(check.name, check.subject): check.value for check in run.verdict.checks}
    done, lost = Counter(final.completed), Counter(final.failed)
    for dish in set(ordered):
        assert numbers["completed_by_dish", dish] == done[dish]
        assert numbers["failed_by_dish", dish] == lost[dish]
        assert ordered.count(dish) >= done[dish] + lost[dish]
    closed = done.total() + lost.total()
    assert numbers["completed", EPISODE] == numbers["successes", EPISODE] == done.total()
    assert numbers["failed", EPISODE] == lost.total()
    assert numbers["failures", EPISODE] == len(moments)
    assert numbers["arrived", EPISODE] == run.verdict.summary["orders"] == len(ordered)
    assert numbers["completed_of_closed", EPISODE] == pytest.approx(done.total() / closed, abs=1e-4)
    share = done.total() / len(ordered)
    assert numbers["completed_of_arrived", EPISODE] == pytest.approx(share, abs=1e-4)
    assert [(each.subject, each.value) for each in run.verdict.of("run")] == [
        ("level_1, 2 agents", "1.0")
    ]
    served = [check.passed for check in run.verdict.of("served")]
    assert (served.count(True), served.count(False)) == (done.total(), lost.total())
