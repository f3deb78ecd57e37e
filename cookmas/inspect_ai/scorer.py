"""The scorer: the verdict on the episode that was played, by the truth that nobody else sees."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Score,
    Scorer,
    Target,
    accuracy,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from cookmas.inspect_ai.played import Played
from cookmas.inspect_ai.samples import SCENARIO, played_in
from cookmas.judging import judge
from episodes.errors import MissingError, TraceError
from episodes.trace import Trace
from evals.verdict import Verdict

MOST = 20
"""Checks that were not passed which an explanation tells; the metadata has all."""


@scorer(metrics=[accuracy(), stderr(cluster=SCENARIO)])
def verdict() -> Scorer:
    """Correct where the episode succeeded; unscored where it cannot be judged.

    The explanation says why, with the evidence of each check that was not passed; the metadata has
    the whole verdict.
    """

    async def score(state: TaskState, target: Target) -> Score:
        trace = state.store_as(Played).read(str(state.sample_id))
        if trace is None:
            return Score.unscored(explanation="no episode was played")
        try:
            found = await asyncio.to_thread(_judged, trace, state.metadata)
        except (MissingError, TraceError) as error:
            return Score.unscored(explanation=str(error))
        why, whole = _explained(found), found.model_dump(mode="json")
        if found.success is None:
            return Score.unscored(explanation=why, metadata=whole)
        value = CORRECT if found.success else INCORRECT
        return Score(value=value, explanation=why, metadata=whole)

    return score


def _judged(trace: Trace, metadata: Mapping[str, Any]) -> Verdict:
    scenario, domain = played_in(metadata)
    return judge(trace, domain.truth(scenario), metadata["world"])


def _explained(found: Verdict) -> str:
    """Why, and what was not passed where it matters, the first of it."""
    if found.success:
        return found.why
    failed = [
        f"{check.name} {check.subject}: {check.reason or check.evidence or check.value}"
        for check in found.checks
        if check.passed is False
    ]
    return "\n".join([found.why, *failed[:MOST]])
