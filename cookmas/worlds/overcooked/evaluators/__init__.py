"""The judging of Overcooked-AI: an episode is graded by its points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cookmas.evals.columns import CALLS, GRADES, SUCCESS, TALK, Measure, column_of_values
from cookmas.evals.evidence import Evaluator
from cookmas.evals.judging import Judging
from cookmas.worlds.overcooked.evaluators.shares import cook_shares


class OvercookedJudging(Judging):
    """The judging of Overcooked-AI by points, and by how the cooks came to them."""

    evaluators: Mapping[str, Evaluator] = {**Judging.evaluators, "shares": cook_shares}
    primary = "score"
    columns = (
        replace(SUCCESS, optional=True),
        *GRADES,
        column_of_values("soups", "soups"),
        column_of_values("idle", "idle", " timesteps"),
        column_of_values("blocked", "blocked", " timesteps"),
        column_of_values("balance", "balance", digits=2),
        *TALK,
        *CALLS,
    )
    measures = (
        Measure(name="soups"),
        Measure(name="balance"),
        Measure(name="delivered", of=True),
        Measure(name="idle", of=True),
        Measure(name="blocked", of=True),
        Measure(name="deeds", of=True),
        *Judging.measures,
    )


JUDGING = OvercookedJudging()
