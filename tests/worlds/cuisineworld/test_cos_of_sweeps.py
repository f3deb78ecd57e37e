"""The collaboration score of a sweep, CoS, is that of its traces."""

from __future__ import annotations

from benchmarks.cuisineworld.collaboration import by_interval
from cookmas import play
from cookmas.evals.verdict import Verdict
from cookmas.worlds.cuisineworld.judging import JUDGING, collaboration_score
from cookmas.worlds.cuisineworld.rules.kitchen import TAUS


def test_verdicts_give_the_score_of_their_traces() -> None:
    (score,) = JUDGING.scores
    verdicts: list[Verdict] = []
    traces = []
    for tau in TAUS:
        run = play("cuisineworld/level_3", "shared-greedy", settings={"tau": tau})
        assert run.verdict
        verdicts.append(run.verdict)
        traces.append(run.trace)
    (tallies,) = by_interval(traces).values()
    expected = collaboration_score(tallies)
    assert expected
    taken = [score.take(verdict) for verdict in verdicts]
    assert score.read(taken) == {"level_3, 2 agents": expected}
    assert score.read(taken[1:]) == {"level_3, 2 agents": None}
