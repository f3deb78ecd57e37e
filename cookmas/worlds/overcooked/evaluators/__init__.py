"""The judging of Overcooked-AI: an episode is graded by its points."""

from __future__ import annotations

from cookmas.evals.columns import Measure, column_of_values
from cookmas.evals.plain import PlainJudging
from cookmas.worlds.overcooked.evaluators.shares import cook_shares

COLUMNS = (
    column_of_values("soups", "soups"),
    column_of_values("idle", "idle", " timesteps"),
    column_of_values("blocked", "blocked", " timesteps"),
    column_of_values("balance", "balance", digits=2),
)
"""The columns of a suite's table, after the score."""

MEASURES = (
    Measure(name="soups"),
    Measure(name="balance"),
    Measure(name="delivered", of=True),
    Measure(name="idle", of=True),
    Measure(name="blocked", of=True),
    Measure(name="deeds", of=True),
)
"""The measures that the report of a verdict shows."""

JUDGING = PlainJudging(
    "1",
    more={"shares": cook_shares},
    columns=COLUMNS,
    measures=MEASURES,
    primary="score",
)
