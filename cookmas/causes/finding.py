"""The causes of what a run lost: its losses, what would have saved its goals, and the first words.

A run is played again, so its planners must answer as they did. A model's recorded answers hold as
long as it is asked the same; what it would have said to something else is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType

from cookmas.causes.counterfactuals import (
    ByReference,
    Counterfactual,
    Counterfactuals,
    DecisionPoint,
)
from cookmas.causes.losses import Losses, find_losses
from cookmas.causes.saving import Saving, find_saving
from cookmas.episodes.trace import ForkRecord, ModelCall, Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.verdict import EPISODE, Verdict
from cookmas.files.errors import UnsupportedError
from cookmas.loading import Loaded, load
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.consent import check_consent, find_named_code
from cookmas.orchestrator.runs.folder import TRACE, RunFile, RunFolder
from cookmas.replaying import truth_of
from cookmas.user_processes import UserProcesses

USUAL_PLAYS = 40
"""Number of plays after which the search ends unless the user says otherwise."""


NOTHING: Mapping[str, str] = MappingProxyType({})
"""The actions of a timestep for which a decision says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Causes:
    """Why a run lost what it lost."""

    verdict: Verdict
    losses: Losses
    savings: Sequence[Saving]
    parted: Mapping[DecisionPoint, str]
    """How the reference's decision differs from one that lost something, in words."""
    reachable: frozenset[str]
    """The goals that the reference reaches, if it decides from the beginning."""
    decisions: int
    """Number of decisions of the run."""
    plays: int
    """Number of plays that it took."""

    @property
    def sentences(self) -> Sequence[str]:
        """The causes in words, the most important one first."""
        return [self._explain(each) for each in self.savings] or [self._explain_losses()]

    def _explain(self, saving: Saving) -> str:
        what = "the episode" if saving.goal == EPISODE else f"the goal {saving.goal}"
        unsure = f"; {len(saving.unsure)} of {self.decisions} are unsure" if saving.unsure else ""
        if saving.single:
            first, others = saving.single[0], len(saving.single) - 1
            more = f"; taken back, {others} more would save it" if others else ""
            told = f"{describe(first)}{self._tell_parted(first)}"
            return f"{what.capitalize()} was lost by {told}{more}{unsure}."
        if saving.unsure:
            return f"It is unsure which decision lost {what}{unsure.replace(';', ':')}."
        if saving.pair:
            one, other = map(describe, saving.pair)
            return f"{what.capitalize()} was lost by {one} and {other} together, by none alone."
        if saving.goal not in self.reachable:
            return f"No decision lost {what}: the reference does not reach it either."
        if saving.pairs_left:
            return f"No decision alone lost {what}; whether two together did is unsure."
        return f"No decision alone lost {what}, and no two of those that lost something."

    def _explain_losses(self) -> str:
        if not self.losses.found:
            return "Nothing was lost by any decision, as far as the reference knows better."
        worst = max(self.losses.found, key=lambda loss: loss.weight)
        where = f"{describe(worst.point)}{self._tell_parted(worst.point)}"
        return f"Most was lost by {where}: {worst.describe()}."

    def _tell_parted(self, point: DecisionPoint) -> str:
        return f" ({self.parted[point]})" if self.parted.get(point) else ""


def describe(point: DecisionPoint) -> str:
    """Return a decision in words."""
    if point.agent is None:
        return f"the plan of timestep {point.timestep}"
    turn = f", turn {point.turn}" if point.turn > 1 else ""
    return f"the decision of {point.agent} at timestep {point.timestep}{turn}"


async def find_causes(folder: Path, most: int = USUAL_PLAYS, world: str | None = None) -> Causes:
    """Return the causes of what the run in a folder lost, from at most `most` plays.

    Raises UnsupportedError if the run cannot be played again: an open or unfinished episode, a
    fork, people or workers of the user's own. Raises InputError, MissingError or TraceError as the
    judging of the run does.
    """
    run = RunFolder.of(folder)
    file, trace = run.file, read_trace(run.path / TRACE)
    check_consent(run.path, find_named_code(file), (world,))
    _check_playable(file, trace)
    loaded = load(file)
    truth = truth_of(trace, run.path / TRACE, None, world)
    with UserProcesses(file.limits) as processes:
        if any(trace.of(ModelCall)):
            loaded = _from_tape(loaded, run.path / TRACE)
        counterfactuals = Counterfactuals(loaded, truth, processes)
        if not await counterfactuals.plays_like(trace):
            why = "its planner does not play again as it did"
            raise UnsupportedError(str(run.path), why)
        recorded = await counterfactuals.play()
        assert recorded.verdict is not None
        losses = await find_losses(counterfactuals, loaded.horizon, most)
        missed = counterfactuals.missed(recorded.verdict)
        savings = await find_saving(counterfactuals, missed, losses, most) if missed else []
        told = {loss.point for loss in losses.found} | {e for s in savings for e in s.single[:1]}
        parted = {}
        for point in sorted(told, key=recorded.points.index):
            change = ByReference(at=frozenset({point}))
            if counterfactuals.knows(change) or counterfactuals.plays < most:
                parted[point] = find_parting(recorded, await counterfactuals.play(change), point)
        return Causes(
            verdict=recorded.verdict,
            losses=losses,
            savings=savings,
            parted=parted,
            reachable=await _reachable(counterfactuals),
            decisions=len(recorded.points),
            plays=counterfactuals.plays,
        )


async def _reachable(counterfactuals: Counterfactuals) -> frozenset[str]:
    verdict = (await counterfactuals.play(ByReference(since=0))).verdict
    return counterfactuals.reached(verdict) if verdict else frozenset()


def find_parting(recorded: Counterfactual, changed: Counterfactual, point: DecisionPoint) -> str:
    """Return where the reference's decision first differs; empty if it does not, or is unknown."""
    if changed.trace is None:
        return ""
    ours, its = (each.decided.get(point, ()) for each in (recorded, changed))
    for later, (one, two) in enumerate(zip_longest(ours, its, fillvalue=NOTHING)):
        for worker in dict.fromkeys([*one, *two]):
            if one.get(worker) != two.get(worker):
                did, does = (each.get(worker) or "nothing" for each in (one, two))
                when = f"at timestep {point.timestep + later} {worker}"
                return f"{when}: {did}; the reference: {does}"
    return ""


def _check_playable(file: RunFile, trace: Trace) -> None:
    """Raise UnsupportedError if a run cannot be played again from its files."""
    reasons = {
        "it is an open episode": file.pace is not None,
        "it is not over": trace.end is None,
        "it is a fork": any(trace.of(ForkRecord)),
        "people took part in it": bool(file.people or trace.header.people),
        "its workers do work of their own": bool(file.worker or file.remote),
        "its endpoint or its machine failed": trace.interrupted,
    }
    for reason, holds in reasons.items():
        if holds:
            raise UnsupportedError("why", f"the run cannot be played again: {reason}")


def _from_tape(loaded: Loaded, tape: Path) -> Loaded:
    """Return a request whose models give the answers in a trace."""
    model = loaded.request.model or ModelOptions()
    seats = {seat: _replay(own, tape) for seat, own in model.seats.items()}
    model = _replay(model, tape).model_copy(update={"seats": seats})
    return replace(loaded, request=loaded.request.model_copy(update={"model": model}))


def _replay(options: ModelOptions, tape: Path) -> ModelOptions:
    return options.model_copy(update={"replay": tape, "record": None})
