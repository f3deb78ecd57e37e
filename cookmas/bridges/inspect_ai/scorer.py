"""The scorers: the verdict on an episode, and figures from it. Only scorers see the truth."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from math import nan
from statistics import fmean
from typing import Any

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Score,
    Scorer,
    Target,
    accuracy,
    mean,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from cookmas.bridges.inspect_ai.messages import Played
from cookmas.bridges.inspect_ai.samples import SCENARIO, load_run
from cookmas.episodes.trace import Trace
from cookmas.evals.verdict import Number, Verdict
from cookmas.files.errors import MissingError, TraceError
from cookmas.replaying import judge
from cookmas.world_names import domain_of

MOST = 20
"""Maximum number of failed checks in an explanation; the metadata has all."""


@scorer(metrics=[accuracy(), stderr(cluster=SCENARIO)])
def verdict() -> Scorer:
    """Return a scorer that scores an episode as correct if it succeeded, otherwise as incorrect.

    An episode that cannot be judged is unscored. In a world without success the value is the share
    of the best score, from 0 to 1. The explanation has the reason and the evidence of failed
    checks, and the metadata has the whole verdict.
    """

    async def score(state: TaskState, target: Target) -> Score:
        trace = state.store_as(Played).read(str(state.sample_id))
        if trace is None:
            return Score.unscored(explanation="no episode was played")
        try:
            judged = await asyncio.to_thread(_judge_sample, trace, state.metadata)
        except (MissingError, TraceError) as error:
            return Score.unscored(explanation=str(error))
        why, whole = _explain(judged), judged.model_dump(mode="json")
        value = _value(judged)
        if value is None:
            return Score.unscored(explanation=why, metadata=whole)
        return Score(value=value, answer=judged.outcome, explanation=why, metadata=whole)

    return score


@scorer(metrics={"*": [mean(), stderr(cluster=SCENARIO)]})
def figures(names: Sequence[str]) -> Scorer:
    """Return a scorer of the world's columns with these names, such as `gap` and `tokens`.

    It computes them from the result of the scorer `verdict`, which must come before it. If a
    column has no value in an episode, the episode is unscored in this column.
    """

    async def score(state: TaskState, target: Target) -> Score:
        before = (state.scores or {}).get("verdict")
        if before is None or not before.metadata:
            return Score.unscored(explanation="there is no verdict")
        found = Verdict.model_validate(before.metadata)
        judging = domain_of(state.metadata["world"]).judging
        if found.judges != judging.version:
            why = f"evaluators of version {found.judges} judged it; these have {judging.version}"
            return Score.unscored(explanation=why)
        values = {column.name: _mean(column.values(found)) for column in judging.columns}
        return Score(value={name: values.get(name, nan) for name in names})

    return score


def _value(found: Verdict) -> str | float | None:
    """Return whether the verdict is correct or incorrect, or else the share of the best score.

    Return None if neither is known.
    """
    if found.success is not None:
        return CORRECT if found.success else INCORRECT
    return found.share_of_best


def _mean(values: Sequence[Number]) -> float:
    """Return the mean of the scored values; NaN if there are none."""
    scored = [value for value in values if value is not None]
    return fmean(scored) if scored else nan


def _judge_sample(trace: Trace, metadata: Mapping[str, Any]) -> Verdict:
    loaded = load_run(metadata).redraw(trace.header.seed)
    return judge(trace, loaded.domain.truth(loaded.scenario), loaded.world)


def _explain(found: Verdict) -> str:
    """Return the reason of a verdict, and the first failed checks unless the episode succeeded."""
    if found.success:
        return found.why
    failed = [
        f"{check.name} {check.subject}: {check.reason or check.evidence or check.value}"
        for check in found.checks
        if check.passed is False
    ]
    return "\n".join([found.why, *failed[:MOST]])
