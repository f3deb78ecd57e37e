"""Judging by how an episode ended, for worlds that need no evaluators of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from episodes.capabilities import Scoring
from evals.columns import (
    CALLS,
    GRADES,
    MEASURES,
    REWARD,
    SUCCESS,
    SUMMARY,
    TALK,
    Column,
    Entry,
    Measure,
)
from evals.evidence import Evaluator, Evaluators, Evidence
from evals.failures import failures
from evals.mistakes import mistakes, recovery
from evals.planning import planning
from evals.rewards import rewards
from evals.talk import talk
from evals.verdict import Check, Goal

COMMON: Evaluators = MappingProxyType(
    {
        "failures": failures,
        "planning": planning,
        "mistakes": mistakes,
        "recovery": recovery,
        "rewards": rewards,
        "talk": talk,
    }
)
"""The evaluators that hold in every world."""

OWN: Sequence[Measure] = (
    Measure(name="reward"),
    Measure(name="reward_by_worker", of=True),
    Measure(name="talk_initiated", of=True),
    Measure(name="talk_responded", of=True),
)

SUCCEEDED = ("won", "finished", "closed")

Asked = Callable[[Evidence], Sequence[Goal]]
"""Reads what was asked for, and what became of it, off the evidence."""


def nothing(evidence: Evidence) -> Sequence[Goal]:
    """Return no goals."""
    return ()


class PlainJudging:
    """Success is to win or to finish; an episode of a world that scores is graded else.

    `more` are evaluators beside those of every world, with their `columns` and `measures`; `asked`
    reads the goals. `primary` names the column by which planners are compared.
    """

    evidence = Evidence
    summary: Sequence[Entry] = SUMMARY

    def __init__(
        self,
        version: str = "1",
        *,
        more: Mapping[str, Evaluator] = MappingProxyType({}),
        columns: Sequence[Column] = (),
        measures: Sequence[Measure] = (),
        asked: Asked = nothing,
        primary: str = SUCCESS.name,
    ) -> None:
        self.version = version
        self.primary = primary
        self.evaluators: Evaluators = {**COMMON, **more}
        success = SUCCESS if primary == SUCCESS.name else replace(SUCCESS, optional=True)
        self.columns: Sequence[Column] = (success, *GRADES, REWARD, *columns, *TALK, *CALLS)
        self.measures: Sequence[Measure] = (*measures, *MEASURES, *OWN)
        self._asked = asked

    def goals(self, evidence: Evidence) -> Sequence[Goal]:
        """What was asked for, where that can be read."""
        return self._asked(evidence)

    def success(self, evidence: Evidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Whether it was won or finished; None where the world grades and nobody won or lost."""
        end = evidence.trace.end
        assert end is not None
        if end.termination in SUCCEEDED:
            return True, end.why
        graded = isinstance(evidence.world, Scoring) and end.termination != "lost"
        return None if graded else False, f"{_ended(end.termination)}: {end.why}"


def _ended(termination: str) -> str:
    """Return in words how an episode ended that has not succeeded."""
    if termination in ("lost", "over"):
        return f"the episode is {termination}"
    return f"the episode ended with {termination}"
