"""The collaboration score: what each episode adds to it, and the score of many episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from cookmas.evals.verdict import EPISODE, Check, Verdict
from cookmas.worlds.cuisineworld.evaluators.orders import OrderEvidence
from cookmas.worlds.cuisineworld.score import OrderTally, collaboration_score, pool, tally_of


def collaboration(evidence: OrderEvidence) -> Iterator[Check]:
    """Yield the parts of the collaboration score: `run`, `successes` and `failures`.

    The subject of the check `run` is the level with the number of agents; the value of this check
    is tau, the factor of the interval between orders.
    """
    kitchen, tally = evidence.world.kitchen, tally_of(evidence.final)
    run = f"{kitchen.level}, {kitchen.agents} agents"
    yield Check(name="run", subject=run, value=kitchen.tau)
    yield Check(name="successes", subject=EPISODE, value=tally.successes)
    yield Check(name="failures", subject=EPISODE, value=tally.failures)


Pooled = tuple[str, str, OrderTally]
"""What one episode adds to the collaboration score: its run, its tau, its tally.

A run is here a level with a number of agents.
"""


def read_pooled(verdict: Verdict) -> Pooled | None:
    """Return what an episode adds to the collaboration score; None if the episode is unscored."""
    for run in verdict.of("run"):
        (done,), (lost,) = verdict.of("successes"), verdict.of("failures")
        completed = Counter({run.subject: int(done.value or 0)})
        tally = OrderTally(completed=completed, failures=int(lost.value or 0))
        return run.subject, str(run.value), tally
    return None


def score_runs(episodes: Sequence[Pooled | None]) -> Mapping[str, float | None]:
    """Return the collaboration score of each run; None if it is unscored.

    A run is here a level with a number of agents.
    """
    runs: dict[str, dict[str, list[OrderTally]]] = {}
    for run, tau, tally in filter(None, episodes):
        runs.setdefault(run, {}).setdefault(tau, []).append(tally)
    return {
        run: collaboration_score({tau: pool(tallies) for tau, tallies in by_tau.items()})
        for run, by_tau in runs.items()
    }
