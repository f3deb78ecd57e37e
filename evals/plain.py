"""The rules of judging for worlds without evaluators of their own: the ending decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from cookmas.episodes.capabilities import Scoring
from cookmas.evals.columns import (
    CALLS,
    GRADES,
    MEASURES,
    REWARD,
    SUCCESS,
    SUMMARY,
    TALK,
    Column,
    Measure,
    SummaryEntry,
)
from cookmas.evals.evidence import Evaluator, Evaluators, Evidence
from cookmas.evals.mistakes import mistakes, recovery
from cookmas.evals.planning import failures, planning
from cookmas.evals.rewards import rewards
from cookmas.evals.talk import talk
from cookmas.evals.verdict import Check, Goal

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
"""The evaluators that every world has."""

OWN: Sequence[Measure] = (
    Measure(name="reward"),
    Measure(name="reward_by_worker", of=True),
    Measure(name="talk_initiated", of=True),
    Measure(name="talk_responded", of=True),
)

SUCCEEDED = ("won", "finished", "closed")

Asked = Callable[[Evidence], Sequence[Goal]]
"""A function that reads the goals of an episode, with their status, from the evidence."""


def no_goals(evidence: Evidence) -> Sequence[Goal]:
    """Return no goals."""
    return ()


class PlainJudging:
    """Rules of judging by which an episode succeeds if it is won or finished.

    If the world has a best score, an episode that is neither won, finished nor lost is graded by
    its score. `more` has further evaluators by name. `asked` reads the goals from the evidence.
    `primary` names the column by which planners are compared.
    """

    evidence = Evidence
    summary: Sequence[SummaryEntry] = SUMMARY

    def __init__(
        self,
        version: str = "1",
        *,
        more: Mapping[str, Evaluator] = MappingProxyType({}),
        columns: Sequence[Column] = (),
        measures: Sequence[Measure] = (),
        asked: Asked = no_goals,
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
        """Return the goals that the function `asked` reads from the evidence."""
        return self._asked(evidence)

    def success(self, evidence: Evidence, checks: Sequence[Check]) -> tuple[bool | None, str]:
        """Return whether the episode was won or finished, and why.

        The bool is None if the world grades and the episode was neither won, finished nor lost.
        """
        end = evidence.trace.end
        assert end is not None
        if end.termination in SUCCEEDED:
            return True, end.why
        graded = isinstance(evidence.world, Scoring) and end.termination != "lost"
        return None if graded else False, f"{_describe_ending(end.termination)}: {end.why}"


def _describe_ending(termination: str) -> str:
    """Return in words how an unsuccessful episode ended."""
    if termination in ("lost", "over"):
        return f"the episode is {termination}"
    return f"the episode ended with {termination}"
