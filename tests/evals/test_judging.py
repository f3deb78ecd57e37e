"""Judging by the ending alone, and grades: in the words of a game that can be lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.episodes.base import World
from cookmas.episodes.trace import (
    End,
    EventRecord,
    ForkRecord,
    Header,
    PlanRecord,
    StepRecord,
    Termination,
    Trace,
)
from cookmas.episodes.world import Command, Tally, digest
from cookmas.evals.judging import Judging
from cookmas.evals.verdict import Verdict
from cookmas.files.errors import TraceError
from tests.worlds.rolls import DOMAIN, LIMIT, SPEC, RollsWorld


def ended(how: Termination, dice: Sequence[int], world: Any = None) -> Trace:
    """Return the trace of a game in which everybody takes, that ended in some way."""
    world = world or RollsWorld()
    state = world.apply(world.start(), {"kind": "dice", "dice": list(dice)})[0]
    header = Header(
        world="rolls", rules="1", workers=["ann", "ben"], seed=0, planner="p",
        planner_class="embedded", scenario_name="chance", scenario_digest="0" * 16,
        scenario={"game": "chance"}, setup={},
    )  # fmt: skip
    steps = []
    for timestep in range(len(dice)):
        commands = [Command(world.movers(state)[0], "take")]
        state = world.step(state, commands)[0]
        steps.append(StepRecord(timestep=timestep, commands=commands, digest=digest(state)))
    end = End(timestep=len(dice), termination=how, why="w", tally=world.tally(state))
    dealt = EventRecord(timestep=0, number=1, event={"kind": "dice", "dice": list(dice)})
    return Trace((header, dealt, *steps, end))


def verdict(how: Termination, dice: Sequence[int] = (3, 4)) -> Verdict:
    return Judging().judge(ended(how, dice), {}, RollsWorld())


@pytest.mark.parametrize(
    ("how", "success"),
    [
        ("won", True),
        ("finished", True),
        ("lost", False),
        ("planner_failed", False),
        ("over", None),
        ("horizon", None),
        ("gave_up", None),
    ],
)
def test_a_game_is_won_or_lost_and_graded_else(how: Termination, success: bool | None) -> None:
    found = verdict(how)
    assert (found.success, found.score, found.best_score) == (success, 7.0, LIMIT)
    assert found.judged
    assert found.went_well is (success is not False)
    assert found.share_of_best == pytest.approx(0.7)
    (rate,) = found.of("optimality_rate")
    assert (rate.value, rate.reason) == (0.7, "score 7 against a bound of 10")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("won", "SUCCESS, score 7 of 10"),
        ("lost", "FAILED, score 7 of 10"),
        ("over", "SCORE 7 OF 10"),
        ("infrastructure_error", "UNSCORED"),
    ],
)
def test_an_outcome_says_success_and_score(how: Termination, said: str) -> None:
    assert verdict(how).outcome == said


def test_a_score_of_a_world_that_a_fork_altered_has_no_best_score_beside_it() -> None:
    trace = ended("over", (3, 4))
    fork = ForkRecord(timestep=1, run="r", planner="p", planner_class="fixed", setup={})
    world = RollsWorld()
    alterable = type("Alterable", (RollsWorld,), {"alter": lambda *_: world})()
    altered = Trace((*trace.records[:3], fork, *trace.records[3:]))
    found = Judging().judge(altered, {}, alterable)
    assert (found.score, found.best_score, found.graded) == (7.0, None, False)
    assert not list(found.of("optimality_rate"))


def test_there_is_no_share_of_a_best_score_that_is_nothing() -> None:
    found = verdict("over")
    for best in (0.0, -4.0, None):
        assert found.model_copy(update={"best_score": best}).share_of_best is None


def test_what_a_world_without_a_best_score_leaves_open_has_failed() -> None:
    left_out = ("best_score", "__dict__", "__weakref__")
    rules = {k: v for k, v in vars(RollsWorld).items() if k not in left_out}
    ungraded = type("Ungraded", (World,), rules)()
    found = Judging().judge(ended("over", (3, 4), ungraded), {}, ungraded)
    assert (found.success, found.score, found.best_score) == (False, 7.0, None)
    assert found.share_of_best is None
    assert found.outcome == "FAILED, score 7"
    assert not list(found.of("optimality_rate"))


class Broken(Judging):
    """Judging in which a part that a world overrides raises an error."""

    def success(self, evidence: Any, checks: Any) -> Any:
        raise ValueError("no idea")


def crash(evidence: Any) -> Any:
    raise ValueError("no idea")


def test_a_verdict_is_unscored_if_its_evaluator_has_crashed() -> None:
    won = Judging().judge(ended("won", (3, 4)), {}, RollsWorld())
    assert (won.success, won.went_well) == (True, True)
    for judging, more in ((Judging(), {"mine": crash}), (Broken(), {})):
        evaluators = {**Judging.evaluators, **more}
        found = judging.judge(ended("won", (3, 4)), {}, RollsWorld(), evaluators)
        assert (found.success, found.went_well) == (None, False)
        assert "crashed: ValueError: no idea at test_judging.py" in found.why


def test_the_score_is_that_of_the_trace_simulated_again() -> None:
    trace = ended("over", (3, 4))
    assert trace.end
    forged = trace.end.model_copy(update={"tally": Tally(2, 0, 9.0)})
    with pytest.raises(TraceError, match=r"score 9\.0"):
        Judging().judge(Trace((*trace.records[:-1], forged)), {}, RollsWorld())


def test_a_played_game_has_goals_and_a_score_everywhere_it_is_told() -> None:
    run = cookmas.play("fixed", "thrice", world=SPEC)
    assert run.verdict
    assert [goal.when for goal in run.verdict.goals] == [0, 1, 2]
    assert run.verdict.score == run.trace.end.tally.score  # type: ignore[union-attr]
    truth = cookmas.truth_of(run.trace, Path("trace.jsonl"), world=SPEC)
    again = cookmas.judge(run.trace, truth, SPEC)
    assert again == run.verdict
    assert Verdict.model_validate_json(again.model_dump_json()) == again
    assert run.verdict.group is None


def test_a_verdict_counts_what_holds_in_every_world() -> None:
    assert {"failures", "planning", "mistakes", "recovery", "talk"} <= set(
        DOMAIN.judging.evaluators
    )
    trace = ended("over", (3, 4))
    answers = PlanRecord(timestep=0, reasoning="", schedule=[])
    judged = Judging().judge(
        Trace((*trace.records[:2], answers, *trace.records[2:])), {}, RollsWorld()
    )
    assert judged.summary["planner_calls"] == 1
    assert judged.summary["fails"] == 0
