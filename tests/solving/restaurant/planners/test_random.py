"""The random planner: legal, drawn with a seed, and no way to succeed."""

from __future__ import annotations

from cookmas import load_planner, load_scenario, play
from cookmas.episodes.trace import StepRecord


def test_it_does_what_is_legal_but_for_meetings_and_hardly_serves_anything() -> None:
    run = play("level1/03", "random")
    assert run.success is False
    fails = [outcome.fail for step in run.trace.of(StepRecord) for outcome in step.fails.values()]
    assert set(fails) <= {"occupied", "no_room", "nothing_to_do", "not_here", "unsuitable"}
    assert len({step.commands[0] for step in run.trace.of(StepRecord)}) > 5


def test_another_seed_draws_otherwise_and_the_same_one_the_same() -> None:
    scenario = load_scenario("level1/01")

    def played(seed: int) -> list[str]:
        return list(play(scenario, load_planner("random", scenario, seed=seed)).trace.lines())

    assert played(1) == played(1)
    assert played(1) != played(2)
